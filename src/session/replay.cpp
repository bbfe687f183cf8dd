#include "session/replay.hpp"

#include <cerrno>
#include <fstream>
#include <ios>
#include <utility>

#include "base/error.hpp"
#include "base/folders.hpp"

namespace dlbench::session {
namespace {

constexpr const char* another_folder = "choose another folder for --keep";

void write(const std::string& path, std::ios::openmode mode, const char* data, std::size_t bytes) {
  std::ofstream file(path, std::ios::binary | mode);
  file.write(data, static_cast<std::streamsize>(bytes));
  file.close();
  if (!file) {
    throw base::UserError(base::errno_message("cannot write", path, errno), path, another_folder);
  }
}

}  // namespace

ReplayFolder::ReplayFolder(std::string folder) : folder_(std::move(folder)) {
  if (folder_.empty()) {
    return;
  }
  base::make_folders(folder_, another_folder);
  write(folder_ + "/commands", std::ios::trunc, "", 0);
}

void ReplayFolder::add_command(const std::string& line) const {
  if (!folder_.empty()) {
    const std::string text = line + "\n";
    write(folder_ + "/commands", std::ios::app, text.data(), text.size());
  }
}

void ReplayFolder::save_arena(std::span<const std::byte> raw) const {
  if (!folder_.empty()) {
    write(folder_ + "/arena", std::ios::trunc, reinterpret_cast<const char*>(raw.data()), raw.size());
  }
}

}  // namespace dlbench::session
