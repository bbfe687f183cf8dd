#include "base/text_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <vector>

#include "base/error.hpp"

namespace dlbench::base {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20U;

}  // namespace

std::string read_text_file(const std::string& path, std::size_t max_bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw UserError(errno_message("cannot open", path, errno), path);
  }
  // Grows with what is there: the limit is far above the usual size, and a size asked of the file system
  // could be another one by the time of reading.
  std::string content;
  std::vector<char> block(block_bytes);
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    if (count > max_bytes - content.size()) {
      throw UserError(fmt::format("{} is larger than {} bytes", path, max_bytes), path);
    }
    content.append(block.data(), count);
  }
  if (file.bad()) {
    throw UserError(errno_message("cannot read", path, errno), path);
  }
  return content;
}

void write_text_file(const std::string& path, std::string_view content) {
  static std::atomic<unsigned> writes = 0;  // threads may write the same file
  const std::string temporary = fmt::format("{}.{}.{}.tmp", path, getpid(), ++writes);
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    file.close();
    if (!file) {
      const int error = errno;
      std::remove(temporary.c_str());
      throw UserError(errno_message("cannot write", temporary, error), path);
    }
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    std::remove(temporary.c_str());
    throw UserError(errno_message("cannot rename to", path, error), path);
  }
}

}  // namespace dlbench::base
