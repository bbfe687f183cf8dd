// Makes an environment in its final folder, step by step; the stamp READY comes last.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/folders.hpp"
#include "base/text_file.hpp"
#include "frameworks/digest.hpp"
#include "frameworks/file_lock.hpp"
#include "frameworks/folder.hpp"
#include "frameworks/frameworks.hpp"
#include "frameworks/interpreter.hpp"
#include "frameworks/pip.hpp"
#include "frameworks/requirements.hpp"
#include "frameworks/start.hpp"
#include "frameworks/tools.hpp"
#include "process/process.hpp"
#include "session/session.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;
using Done = tl::expected<void, std::string>;

constexpr const char* cache_hint = "set DLBENCH_CACHE to a folder that you may write";

tl::unexpected<std::string> failure(std::string reason) {
  return tl::unexpected<std::string>(std::move(reason));
}

void remove_tree(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) {
    throw base::UserError(fmt::format("cannot remove {}: {}", path, error.message()), path);
  }
}

// One installation: what it is of, where it goes, and what the user asked for.
struct Task {
  const Places& places;
  const Manifest& manifest;
  const VersionEntry& entry;
  const InstallOptions& options;
  const Log& log;
  Folder folder;
  std::optional<Interpreter> interpreter;  // nullopt: the version needs none

  [[nodiscard]] bool is_other_interpreter() const {
    const auto recorded = read_interpreter(folder);
    return interpreter && !options.python.empty() && (!recorded || recorded->path != interpreter->path);
  }
};

// Fills the folder; the lock is held by the caller.
class Installation {
 public:
  // The digests are of what there is now: what changes while the tools work must not count as installed.
  explicit Installation(const Task& task)
      : task_(task),
        folder_(task.folder),
        digest_(full_digest(task.places, task.manifest, task.entry)),
        environment_digest_(environment_digest(task.manifest, task.entry)) {}

  Done run() {
    if (!prepare_folder()) {
      if (const Done done = make_environment(); !done) {
        return done;
      }
    }
    stamp(folder_.downloaded);
    const Done compiled = compile();
    const Done done = compiled ? describe() : compiled;
    // Compiling adds to the environment.
    stamp(done ? folder_.ready : folder_.downloaded);
    return done;
  }

 private:
  void stamp(const std::string& path) const {
    write_stamp(path,
                {digest_, environment_digest_, content_of(folder_.root).bytes, content_of(folder_.env)});
  }

  // True when what an earlier installation downloaded can stay because nothing of it changed.
  bool prepare_folder() {
    const auto complete = read_stamp(folder_.ready);
    const auto kept = complete ? complete : read_stamp(folder_.downloaded);
    const bool keeps = kept && kept->environment_digest == environment_digest_ && !damage(folder_, *kept) &&
                       has_interpreter() && !task_.is_other_interpreter();
    std::error_code error;
    fs::remove(folder_.ready, error);
    fs::remove(folder_.downloaded, error);
    if (keeps) {
      remove_tree(folder_.build);
    } else {
      remove_tree(folder_.root);
    }
    base::make_folders(folder_.env, cache_hint);
    base::make_folders(folder_.home, cache_hint);
    if (task_.interpreter && (!keeps || task_.entry.lock.empty())) {
      write_interpreter(folder_, *task_.interpreter);
    }
    return keeps;
  }

  // An environment lives on the interpreter that it was made with, which may have been removed.
  [[nodiscard]] bool has_interpreter() const {
    return task_.entry.lock.empty() || access(virtual_python(folder_).c_str(), X_OK) == 0;
  }

  [[nodiscard]] Done tool(std::vector<std::string> argv) const {
    return run_tool({std::move(argv), folder_.root, folder_.log, std::chrono::seconds(3600)});
  }

  [[nodiscard]] Done make_environment() const {
    if (!task_.entry.lock.empty()) {
      if (const Done done = install_packages(); !done) {
        return done;
      }
    }
    const fs::path prepare = fs::path(task_.manifest.folder) / "prepare";
    if (fs::exists(prepare)) {
      task_.log("running its prepare script");
      return tool({prepare.string(), folder_.env, task_.entry.version});
    }
    return {};
  }

  [[nodiscard]] Done install_packages() const {
    const Interpreter& python = task_.interpreter.value();
    task_.log(fmt::format("making an environment with Python {}", python.version));
    if (const Done done = tool({python.path, "-m", "venv", folder_.env}); !done) {
      return done;
    }
    task_.log("installing the packages of " + task_.entry.lock);
    return install_lock({virtual_python(folder_),
                         (fs::path(task_.manifest.folder) / task_.entry.lock).string(), task_.options.wheels,
                         folder_.root, folder_.log});
  }

  [[nodiscard]] Done compile() const {
    const std::string& source = task_.manifest.folder;
    if (!fs::exists(fs::path(source) / "CMakeLists.txt")) {
      return {};
    }
    task_.log("compiling the runner");
    const std::string programs = (fs::path(folder_.env) / "bin").string();
    const Done configured =
        tool({"cmake", "-S", source, "-B", folder_.build, "-DCMAKE_BUILD_TYPE=Release",
              "-DDLBENCH_SDK=" + task_.places.sdk, "-DDLBENCH_ENV=" + folder_.env,
              "-DDLBENCH_VERSION=" + task_.entry.version, "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=" + programs});
    const std::string jobs = std::to_string(std::max(1U, std::thread::hardware_concurrency()));
    return configured ? tool({"cmake", "--build", folder_.build, "--parallel", jobs}) : configured;
  }

  [[nodiscard]] Done describe() const {
    task_.log("asking the runner to describe itself");
    const Start start = start_of(task_.places, task_.manifest, task_.entry, 1);
    process::LaunchSpec spec;
    spec.launcher = task_.places.launcher;
    spec.command = start.command;
    spec.environment = start.environment;
    spec.run_token = fmt::format("install-{}-{}", getpid(), base::monotonic_ns());
    spec.working_directory = folder_.home;
    spec.output_path = (fs::path(folder_.root) / "describe.log").string();
    auto session = session::Session::start(spec, {}, {});
    if (!session) {
      return failure(
          fmt::format("the runner did not start: {} {}", session.error().outcome, session.error().reason));
    }
    const std::string json = (*session)->description().json;
    if (const auto quit = (*session)->quit(); !quit) {
      return failure(
          fmt::format("the runner did not end well: {} {}", quit.error().outcome, quit.error().reason));
    }
    base::write_text_file(folder_.description, json);
    return {};
  }

  const Task& task_;
  const Folder& folder_;
  const std::string digest_;
  const std::string environment_digest_;
};

std::optional<std::string> damage_now(const Task& task) {
  const auto stamp = read_stamp(task.folder.ready);
  return stamp ? damage(task.folder, *stamp) : std::nullopt;
}

// What is ready stays, unless something of it is gone or another interpreter is wanted.
std::optional<Installed> what_can_stay(const Task& task, Installed found) {
  const bool stays = found.state == State::ready && !damage_now(task) && !task.is_other_interpreter();
  return stays ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace

Installed install(const Places& places, const Manifest& manifest, const std::string& version, const Log& log,
                  const InstallOptions& options) {
  const VersionEntry& entry = version_entry(manifest, version);
  Interpreters interpreters = machine_interpreters(options.python);
  const auto interpreter = required(manifest, entry, interpreters);
  if (!interpreter) {
    Installed before = installed(places, manifest, entry.version);
    before.state = before.state == State::ready ? State::broken : before.state;
    before.why_not = interpreter.error();
    return before;
  }
  const Task task{places,      manifest, entry, options, log, folder_of(places, manifest.name, entry.version),
                  *interpreter};
  base::make_folders(fs::path(task.folder.root).parent_path().string(), cache_hint);
  // Those that use it need not end where nothing changes.
  if (auto stays = what_can_stay(task, use(places, manifest, entry.version))) {
    return *std::move(stays);
  }
  const FileLock lock(task.folder.lock, [&] { log("waiting for those that install or use this version"); });
  // Tools of an installer that was killed may still write to the folder.
  process::sweep();
  if (auto stays = what_can_stay(task, installed(places, manifest, entry.version))) {
    return *std::move(stays);
  }
  if (const auto gone = damage_now(task)) {
    log(*gone + "; installing it again");
  }
  std::error_code error;
  fs::remove(task.folder.why_not, error);
  if (const Done done = Installation(task).run(); !done) {
    base::write_text_file(task.folder.why_not, done.error());
    log("failed: " + done.error());
  }
  return installed(places, manifest, entry.version);
}

}  // namespace dlbench::frameworks
