#include "device_threads.hpp"

#include <filesystem>
#include <fstream>
#include <string>

namespace runner {

namespace {

// Empty for a thread that has ended meanwhile.
std::string name_of(const std::filesystem::path& task) {
  std::ifstream file(task / "comm");
  std::string name;
  std::getline(file, name);
  return name;
}

int count_threads(const std::string& name) {
  int count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    count += name_of(task.path()) == name ? 1 : 0;
  }
  return count;
}

}  // namespace

int count_intra_op_threads() {
  const int main_thread = 1;
  return count_threads(name_of("/proc/self")) - main_thread;
}

int count_inter_op_threads() {
  return count_threads("tf_Compute");
}

}  // namespace runner
