#include "frameworks/folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/hash.hpp"
#include "base/text_file.hpp"
#include "probes/machine.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_stamp_bytes = 4096;
constexpr std::size_t max_interpreter_bytes = 8192;

bool is_digest(const std::string& text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// A file that vanished meanwhile counts nothing.
std::uint64_t bytes_of(const fs::directory_entry& file) {
  std::error_code error;
  if (file.symlink_status(error).type() != fs::file_type::regular) {
    return 0;
  }
  const std::uintmax_t size = file.file_size(error);
  return error ? 0 : size;
}

}  // namespace

std::string processor_name() {
  const probes::Processor& processor = probes::this_processor();
  return base::hash_hex(fmt::format("{}\n{}\n", processor.model, processor.flags));
}

Folder folder_of(const Places& places, const std::string& name, const std::string& version) {
  const fs::path root = fs::path(places.cache) / "frameworks" / name / version;
  Folder folder;
  folder.root = root.string();
  folder.env = (root / "env").string();
  folder.outside = (root / "env" / "outside").string();
  folder.build = (root / "build").string();
  folder.home = (root / "home").string();
  folder.compiled = (root / "compiled" / processor_name()).string();
  folder.log = (root / "log").string();
  folder.interpreter = (root / "interpreter").string();
  folder.description = (root / "description.json").string();
  folder.ready = (root / "READY").string();
  folder.downloaded = (root / "DOWNLOADED").string();
  folder.lock = root.string() + ".lock";
  folder.why_not = root.string() + ".why_not";
  return folder;
}

Content content_of(const std::string& folder) {
  Content content;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (!at->is_directory(ignored)) {
      ++content.files;
      content.bytes += bytes_of(*at);
    } else if (at->path().filename() == "__pycache__") {
      at.disable_recursion_pending();
    }
  }
  return content;
}

void write_stamp(const std::string& path, const Stamp& stamp) {
  base::write_text_file(path, fmt::format("{} {} {} {} {}\n", stamp.digest, stamp.environment_digest,
                                          stamp.bytes, stamp.env.files, stamp.env.bytes));
}

std::optional<Stamp> read_stamp(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return std::nullopt;
  }
  std::istringstream words(base::read_text_file(path, max_stamp_bytes));
  Stamp stamp;
  words >> stamp.digest >> stamp.environment_digest >> stamp.bytes >> stamp.env.files >> stamp.env.bytes;
  if (!words || !is_digest(stamp.digest) || !is_digest(stamp.environment_digest)) {
    return std::nullopt;
  }
  return stamp;
}

void write_interpreter(const Folder& folder, const Interpreter& interpreter) {
  base::write_text_file(folder.interpreter, interpreter.path + "\n" + interpreter.version + "\n");
}

std::optional<Interpreter> read_interpreter(const Folder& folder) {
  std::error_code error;
  if (!fs::is_regular_file(folder.interpreter, error)) {
    return std::nullopt;
  }
  std::istringstream lines(base::read_text_file(folder.interpreter, max_interpreter_bytes));
  Interpreter interpreter;
  std::getline(lines, interpreter.path);
  std::getline(lines, interpreter.version);
  return interpreter.version.empty() ? std::nullopt : std::optional(interpreter);
}

std::optional<std::string> damage(const Folder& folder, const Stamp& stamp) {
  const Content now = content_of(folder.env);
  if (now.files != stamp.env.files) {
    return fmt::format("its environment has {} files, {} were installed", now.files, stamp.env.files);
  }
  if (now.bytes != stamp.env.bytes) {
    return fmt::format("its environment has {} bytes, {} were installed", now.bytes, stamp.env.bytes);
  }
  return std::nullopt;
}

}  // namespace dlbench::frameworks
