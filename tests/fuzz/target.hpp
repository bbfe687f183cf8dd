// One function for libFuzzer and for the replay program. Untrusted input may only be accepted or refused with
// base::UserError: any other exception, a crash or a sanitizer report is a finding.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
