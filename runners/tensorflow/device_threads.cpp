#include "device_threads.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
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

int count_threads(const std::function<bool(const std::string&)>& is_counted) {
  int count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    count += is_counted(name_of(task.path())) ? 1 : 0;
  }
  return count;
}

}  // namespace

int count_intra_op_threads() {
  const int main_thread = 1;
  const std::string unnamed = name_of("/proc/self");
  return count_threads(
             [&](const std::string& name) { return name == unnamed || name.starts_with("tf_numa"); }) -
         main_thread;
}

int count_inter_op_threads() {
  return count_threads([](const std::string& name) { return name == "tf_Compute"; });
}

}  // namespace runner
