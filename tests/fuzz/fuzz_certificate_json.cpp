#include <string_view>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "record/certificate.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlbench;
  try {
    const record::Certificate certificate =
        record::certificate_from_json({reinterpret_cast<const char*>(data), size});
    const std::string text = record::to_json(certificate);
    DLBENCH_ASSERT(record::to_json(record::certificate_from_json(text)) == text, text);
  } catch (const base::UserError&) {
    return 0;
  }
  return 0;
}
