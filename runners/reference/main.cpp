// The yardstick: any graph of its operators on direct oneDNN calls.
#include <memory>

#include "runner_sdk/cpp/serve.hpp"
#include "session.hpp"

int main() {
  return dlbench::sdk::serve(reference::describe(), [](const dlbench::sdk::Load& load) {
    return std::make_unique<reference::ReferenceSession>(load);
  });
}
