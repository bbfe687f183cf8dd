// The files of one environment in the cache and what they say about its state.
//
//   <cache>/frameworks/<name>/<version>/        env/ build/ home/ log description.json READY
//   <cache>/frameworks/<name>/<version>.lock    held while somebody installs
//   <cache>/frameworks/<name>/<version>.why_not reason of the last failure
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frameworks/frameworks.hpp"

namespace dlbench::frameworks {

struct Folder {
  std::string root;  // the whole environment
  std::string env;
  std::string build;
  std::string home;
  std::string log;
  std::string description;
  std::string ready;
  std::string lock;
  std::string why_not;
};
[[nodiscard]] Folder folder_of(const Places& places, const Manifest& manifest, const VersionEntry& entry);

// The stamp that is written last; without it nothing in the folder counts.
struct Stamp {
  std::string digest;
  std::string environment_digest;
  std::uint64_t bytes = 0;
};
void write_stamp(const Folder& folder, const Stamp& stamp);
// nullopt when it is missing or damaged.
[[nodiscard]] std::optional<Stamp> read_stamp(const Folder& folder);

// Sum of the file sizes below a folder; links are not followed.
[[nodiscard]] std::uint64_t folder_bytes(const std::string& folder);

// The interpreter of the environment made by venv.
[[nodiscard]] std::string virtual_python(const Folder& folder);

}  // namespace dlbench::frameworks
