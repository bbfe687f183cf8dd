#include "frameworks/processor.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "base/hash.hpp"

namespace dlbench::frameworks {

namespace {

// x86 has the first six, Arm the others.
constexpr std::array<std::string_view, 10> keys{"vendor_id",   "cpu family", "model",           "model name",
                                                "stepping",    "flags",      "CPU implementer", "CPU part",
                                                "CPU variant", "Features"};

}  // namespace

std::string processor_of(std::string_view cpuinfo) {
  std::string text;
  while (!cpuinfo.empty() && cpuinfo.front() != '\n') {  // an empty line ends the first processor
    const std::string_view line = cpuinfo.substr(0, cpuinfo.find('\n'));
    cpuinfo.remove_prefix(std::min(line.size() + 1, cpuinfo.size()));
    const std::string_view key = line.substr(0, std::min(line.find_first_of("\t:"), line.size()));
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
      text.append(line).append("\n");
    }
  }
  return base::hash_hex(text);
}

const std::string& processor_here() {
  static const std::string processor = [] {
    std::ostringstream text;
    text << std::ifstream("/proc/cpuinfo").rdbuf();
    return processor_of(text.str());
  }();
  return processor;
}

}  // namespace dlbench::frameworks
