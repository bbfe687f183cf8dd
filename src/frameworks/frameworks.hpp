// Frameworks: manifests, environments, installation. One environment per framework and version in a shared
// cache.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dlbench::frameworks {

// One version of a framework, complete: what the manifest says for all versions is already merged in.
struct VersionEntry {
  std::string version;
  std::string title;                               // for tables: "Keras on JAX"
  std::string lock;                                // file beside the manifest; "": no packages from pip
  std::string python_range;                        // ">=3.11,<3.14"; "" when no interpreter is needed
  std::vector<std::string> start;                  // argv with {env}, {runner}, {sdk}, {python} placeholders
  std::vector<std::string> system_packages;        // Debian names
  std::map<std::string, std::string> environment;  // knobs; {threads} is replaced
};

// runners/<name>/manifest.yaml: what is needed before the process exists. See docs/formats/manifest.md.
struct Manifest {
  std::string name;
  std::string title;     // for tables: "libtorch (C++)"
  std::string language;  // "c++", "python", "lua"
  std::string folder;    // absolute
  bool is_reference = false;
  std::vector<VersionEntry> versions;  // first is the default
};
// The entry of `version`, or the first one when it is empty. Throws base::UserError for an unknown version.
[[nodiscard]] const VersionEntry& version_entry(const Manifest& manifest, const std::string& version);

// Where things are. All absolute.
struct Places {
  std::string runners;   // the project's runners/
  std::string sdk;       // installed runner SDK: lib/libdlbench_runner.so, include/, cpp/, python/, lua/
  std::string cache;     // shared: frameworks/, certificates/, oracle/
  std::string launcher;  // dlbench-launch
};
// From the executable's place, DLBENCH_CACHE, XDG_CACHE_HOME, HOME.
[[nodiscard]] Places find_places();

// Throws base::UserError on a broken manifest, with file and line.
[[nodiscard]] Manifest read_manifest(const std::string& folder);
[[nodiscard]] std::vector<Manifest> all_manifests(const Places& places);
// Reads this manifest alone. Throws base::UserError for an unknown name, with the nearest one.
[[nodiscard]] Manifest find_manifest(const Places& places, const std::string& name);

enum class State { ready, absent, broken };
struct Installed {
  State state = State::absent;
  std::string version;
  std::string folder;            // environment
  std::string why_not;           // reason when not ready
  std::string description_json;  // as described by the runner at install
  std::uint64_t bytes = 0;
  std::string digest;  // hash of lock, runner sources, SDK: part of certificates' keys
};
[[nodiscard]] Installed installed(const Places& places, const Manifest& manifest,
                                  const std::string& version = {});

// Installs in the final folder; stamp READY last. Serialised by a lock file per environment. `log` gets
// progress lines. Returns the state afterwards; a failed install leaves why_not (also stored beside, so that
// `list` can say it later).
[[nodiscard]] Installed install(const Places& places, const Manifest& manifest, const std::string& version,
                                const std::function<void(const std::string&)>& log);
void uninstall(const Places& places, const Manifest& manifest, const std::string& version);

struct Start {
  std::vector<std::string> command;
  std::vector<std::string> environment;
};
// How to start an installed runner confined to `threads`.
[[nodiscard]] Start start_command(const Places& places, const Manifest& manifest, const Installed& installed,
                                  int threads);

}  // namespace dlbench::frameworks
