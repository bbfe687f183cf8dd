// Checks of single table entries; called once per layout and again whenever an entry is used.
#pragma once

#include <cstdint>

#include "handle.hpp"

namespace dlb {

int check_tensor(dlb_handle* handle, std::uint32_t i);
int check_slot(dlb_handle* handle, std::uint32_t k);

}  // namespace dlb
