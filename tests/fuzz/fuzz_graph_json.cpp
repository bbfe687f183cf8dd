#include <string_view>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "model/json.hpp"

// What is accepted must come back unchanged from its own canonical text.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlbench;
  try {
    const model::Graph graph = model::graph_from_json({reinterpret_cast<const char*>(data), size});
    const std::string text = model::to_json(graph);
    DLBENCH_ASSERT(model::to_json(model::graph_from_json(text)) == text, text);
  } catch (const base::UserError&) {
    return 0;
  }
  return 0;
}
