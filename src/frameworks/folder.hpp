// The files of one environment in the cache and what they say about its state.
//
//   <cache>/frameworks/<name>/<version>/        env/ build/ home/ compiled/ log interpreter
//                                               description.json READY
//   <cache>/frameworks/<name>/<version>.lock    held while somebody installs
//   <cache>/frameworks/<name>/<version>.why_not reason of the last failure
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frameworks/frameworks.hpp"
#include "frameworks/interpreter.hpp"

namespace dlbench::frameworks {

struct Folder {
  std::string root;  // the whole environment
  std::string env;
  std::string outside;  // what of the framework lies elsewhere, as the prepare script found it; mostly absent
  std::string build;
  std::string home;
  std::string compiled;  // what a framework's compiler keeps for this processor; it makes it
  std::string log;
  std::string interpreter;
  std::string description;
  std::string ready;  // stamp of a complete installation; without it nothing in the folder counts
  std::string
      downloaded;  // stamp of the environment alone, so that what fails after it need not fetch it again
  std::string lock;
  std::string why_not;
};
// Of this machine's processor with all that it can do, for names and digests.
[[nodiscard]] std::string processor_name();

[[nodiscard]] Folder folder_of(const Places& places, const std::string& name, const std::string& version);

// What lies below a folder; links are not followed, and caches of interpreters, which come and go, do not
// count.
struct Content {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};
[[nodiscard]] Content content_of(const std::string& folder);

// Written when a part of the folder is complete.
struct Stamp {
  std::string digest;
  std::string environment_digest;
  std::uint64_t bytes = 0;  // of everything
  Content env;
};
void write_stamp(const std::string& path, const Stamp& stamp);
// nullopt when it is missing or damaged.
[[nodiscard]] std::optional<Stamp> read_stamp(const std::string& path);

// The interpreter that the environment was made with; nullopt when it has none.
void write_interpreter(const Folder& folder, const Interpreter& interpreter);
[[nodiscard]] std::optional<Interpreter> read_interpreter(const Folder& folder);

// What is no longer as it was installed; nullopt when all is there. Walks the whole environment.
[[nodiscard]] std::optional<std::string> damage(const Folder& folder, const Stamp& stamp);

}  // namespace dlbench::frameworks
