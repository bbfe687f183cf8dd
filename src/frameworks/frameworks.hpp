// Frameworks: manifests, environments, installation. One environment per framework and version in a shared
// cache.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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
  // Over it in processes that prove and time nothing: where a compiler keeps its code, which users' do not.
  std::map<std::string, std::string> gate_environment;
};

// runners/<name>/manifest.yaml: what is needed before the process exists. See docs/formats/manifest.md.
struct Manifest {
  std::string name;
  std::string title;     // for tables: "libtorch (C++)"
  std::string language;  // "c++", "python", "lua"
  std::string folder;    // absolute
  bool is_reference = false;
  bool trains = true;                  // false: it only evaluates networks
  bool is_native = false;              // compiled for the processor that it is installed on
  std::vector<VersionEntry> versions;  // first is the default
};
// The entry of `version`, or the first one when it is empty. Throws base::UserError for an unknown version.
[[nodiscard]] const VersionEntry& version_entry(const Manifest& manifest, const std::string& version);
// "NAME@VERSION" in two; the version is empty when only a name is given. Throws base::UserError for "NAME@".
[[nodiscard]] std::pair<std::string, std::string> split_version(const std::string& text);

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

class FileLock;

enum class State { ready, absent, broken };
struct Installed {
  State state = State::absent;
  std::string version;
  std::string folder;            // environment
  std::string why_not;           // reason when not ready
  std::string description_json;  // as described by the runner at install
  std::uint64_t bytes = 0;
  std::string digest;                    // hash of lock, runner sources, SDK: part of certificates' keys
  std::string interpreter;               // version of the Python that it was made with; "" when it has none
  std::shared_ptr<const FileLock> held;  // of what `use` returns: while a copy lives, the environment stays
};
// Looks at the stamp and at the program that would be started, not at every file.
[[nodiscard]] Installed installed(const Places& places, const Manifest& manifest,
                                  const std::string& version = {});

// The same for those that start it: who wants to change or remove it waits until no copy of this is left.
[[nodiscard]] Installed use(const Places& places, const Manifest& manifest, const std::string& version = {});

// What is gone of a ready environment's files, with the command that mends it; nullopt: nothing. Looks at
// every file, so it is for when something has failed.
[[nodiscard]] std::optional<std::string> damage_of(const Places& places, const Manifest& manifest,
                                                   const Installed& installed);

struct InstallOptions {
  std::string python;  // interpreter to use, absolute; "": the first that fits
  std::string wheels;  // folder to take all packages from, absolute; "": where pip's configuration says
};
using Log = std::function<void(const std::string&)>;

// Installs in the final folder; stamp READY last. Waits for others that install or use it. What is ready
// stays, unless a file of it is gone or `options` name another interpreter. `log` gets progress lines.
// Returns the state afterwards. A failed installation leaves why_not (also stored beside, so that `list` can
// say it later); a machine that lacks something changes nothing and is only told in why_not.
[[nodiscard]] Installed install(const Places& places, const Manifest& manifest, const std::string& version,
                                const Log& log, const InstallOptions& options = {});

// Says what this machine lacks for installations; asks each interpreter once.
class Interpreters;
class Survey {
 public:
  explicit Survey(const InstallOptions& options = {});
  // Packages, an interpreter or what the runner itself looks for, with the command that gets it; nullopt when
  // nothing is lacking.
  [[nodiscard]] std::optional<std::string> lacking(const Manifest& manifest, const std::string& version);
  // Why `found` is not ready: what this machine lacks, which installing would only say again, else what is
  // known of it.
  [[nodiscard]] std::string why_not(const Manifest& manifest, const Installed& found);

 private:
  std::shared_ptr<Interpreters> interpreters_;
};

// False when there was nothing. `name` and `version` need not be in a manifest any more. Throws
// base::UserError for texts that are no names.
bool uninstall(const Places& places, const std::string& name, const std::string& version, const Log& log);

// Environments in the cache that none of the manifests names any more.
struct Leftover {
  std::string name;
  std::string version;
  std::uint64_t bytes = 0;
};
[[nodiscard]] std::vector<Leftover> leftovers(const Places& places, const std::vector<Manifest>& manifests);

struct Start {
  std::vector<std::string> command;
  std::vector<std::string> environment;
};
enum class Purpose { measure, prove };
// How to start an installed runner confined to `threads`.
[[nodiscard]] Start start_command(const Places& places, const Manifest& manifest, const Installed& installed,
                                  int threads, Purpose purpose = Purpose::measure);

}  // namespace dlbench::frameworks
