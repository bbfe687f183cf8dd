#include "frameworks/runner_folder.hpp"

#include <fstream>
#include <stdexcept>

namespace dlbench::test {

namespace fs = std::filesystem;

namespace {

// Speaks the protocol on descriptor 3 by itself. Its version is the file VERSION beside it.
constexpr std::string_view fake_runner = R"(import json, os, socket, sys
host = socket.socket(fileno=3)
here = os.path.dirname(os.path.abspath(__file__))
def send(message):
    host.sendall((json.dumps(message) + "\n").encode())
send({"abi": 1, "runner": os.path.basename(here), "language": "python", "framework": "fake", "version": "1",
      "build": " ".join(sorted(os.environ)), "ops": [], "optimizers": [], "devices": ["cpu"], "precisions": ["fp32"],
      "deviations": [], "input": "alias"})
for line in host.makefile():
    send({"id": json.loads(line)["id"], "ok": True})
    break
)";

}  // namespace

RunnerWorld::RunnerWorld() {
  std::string pattern = (fs::temp_directory_path() / "dlbench-frameworks-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error("mkdtemp");
  }
  root_ = pattern;
  places_.runners = (root_ / "runners").string();
  places_.sdk = (root_ / "sdk").string();
  places_.cache = (root_ / "cache").string();
  places_.launcher = DLBENCH_LAUNCH;
  fs::create_directories(places_.runners);
  fs::create_directories(root_ / "sdk" / "lib");
  fs::copy_file(DLBENCH_RUNNER_LIBRARY, root_ / "sdk" / "lib" / "libdlbench_runner.so");
}

RunnerWorld::~RunnerWorld() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void RunnerWorld::write(const std::string& relative, std::string_view content, bool is_executable) const {
  const fs::path path = root_ / relative;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
  if (is_executable) {
    fs::permissions(path, fs::perms::owner_all);
  }
}

void RunnerWorld::write_manifest(const std::string& name, const std::string& more,
                                 const std::string& start) const {
  write("runners/" + name + "/manifest.yaml",
        "name: " + name + "\ntitle: A fake\nlanguage: python\npython: \">=3.6\"\nstart: [" +
            (start.empty() ? R"("{python}", "{runner}/main.py")" : start) +
            "]\nversions:\n  - version: 1.0\n" + more);
}

void RunnerWorld::make_runner(const std::string& name, const std::string& more) const {
  write_manifest(name, more);
  write("runners/" + name + "/main.py", fake_runner);
}

frameworks::Manifest RunnerWorld::manifest(const std::string& name) const {
  return frameworks::find_manifest(places_, name);
}

}  // namespace dlbench::test
