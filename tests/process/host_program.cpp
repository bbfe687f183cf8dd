// A small host that is killed in a test: starts a runner that has a detached grandchild, prints its number,
// then waits for ever. process_test_host LAUNCHER TOKEN OUTPUT
#include <unistd.h>

#include <cstdio>

#include "process/process.hpp"

int main(int argc, char** argv) {
  if (argc != 4) {
    return 2;
  }
  dlbench::process::become_reaper();
  dlbench::process::LaunchSpec spec;
  spec.launcher = argv[1];
  spec.run_token = argv[2];
  spec.output_path = argv[3];
  spec.environment = {"PATH=/usr/bin:/bin"};
  spec.command = {"/bin/sh", "-c", "(setsid sleep 1000 &); exec sleep 1000"};
  const auto child = dlbench::process::launch(spec);
  if (!child) {
    std::fprintf(stderr, "%s\n", child.error().c_str());
    return 1;
  }
  std::printf("%d\n", (*child)->pid());
  std::fflush(stdout);
  while (true) {
    ::pause();
  }
}
