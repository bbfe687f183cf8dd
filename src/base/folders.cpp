#include "base/folders.hpp"

#include <filesystem>
#include <system_error>

#include "base/error.hpp"

namespace dlbench::base {

void make_folders(const std::string& path, const std::string& hint) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw UserError(errno_message("cannot make the folder", path, error.value()), path, hint);
  }
}

}  // namespace dlbench::base
