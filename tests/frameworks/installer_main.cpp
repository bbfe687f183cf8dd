// Installs one runner of a test's world: a process of its own, so that a test can kill it or start two at
// once.
#include <string>

#include "frameworks/frameworks.hpp"

// Arguments: runners, sdk, cache, launcher, name.
int main(int argc, char** argv) {
  if (argc != 6) {
    return 2;
  }
  const dlbench::frameworks::Places places{argv[1], argv[2], argv[3], argv[4]};
  const auto manifest = dlbench::frameworks::find_manifest(places, argv[5]);
  const auto state = dlbench::frameworks::install(places, manifest, {}, [](const std::string&) {});
  return state.state == dlbench::frameworks::State::ready ? 0 : 1;
}
