// The folder from which a runner can repeat its conversation without the host (DLBENCH_REPLAY). Internal.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace dlbench::session {

// `commands`: every command sent so far, one per line. `arena`: the shared memory as it was when the last
// command that reads it was sent. Throws base::UserError when the folder cannot be written. Does nothing for
// an empty folder name.
class ReplayFolder {
 public:
  explicit ReplayFolder(std::string folder);
  void add_command(const std::string& line) const;
  void save_arena(std::span<const std::byte> raw) const;

 private:
  std::string folder_;
};

}  // namespace dlbench::session
