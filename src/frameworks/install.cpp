// Makes an environment in its final folder, step by step; the stamp READY comes last.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text_file.hpp"
#include "frameworks/digest.hpp"
#include "frameworks/file_lock.hpp"
#include "frameworks/folder.hpp"
#include "frameworks/frameworks.hpp"
#include "frameworks/interpreter.hpp"
#include "frameworks/packages.hpp"
#include "frameworks/start.hpp"
#include "frameworks/tools.hpp"
#include "process/process.hpp"
#include "session/session.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;
using Log = std::function<void(const std::string&)>;
using Done = tl::expected<void, std::string>;

tl::unexpected<std::string> failure(std::string reason) {
  return tl::unexpected<std::string>(std::move(reason));
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

void make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    throw base::UserError(fmt::format("cannot make the folder {}: {}", path.string(), error.message()),
                          path.string(), "set DLBENCH_CACHE to a folder that you may write");
  }
}

void remove_tree(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) {
    throw base::UserError(fmt::format("cannot remove {}: {}", path, error.message()), path);
  }
}

// One installation under way; the lock is held by the caller.
class Installation {
 public:
  Installation(const Places& places, const Manifest& manifest, const VersionEntry& entry, const Log& log)
      : places_(places),
        manifest_(manifest),
        entry_(entry),
        folder_(folder_of(places, manifest, entry)),
        log_(log) {}

  Done run() {
    const bool keeps_environment = prepare_folder();
    if (const auto missing = missing_packages(entry_.system_packages)) {
      return failure(*missing);
    }
    if (!keeps_environment) {
      if (const Done done = make_environment(); !done) {
        return done;
      }
    }
    if (const Done done = compile(); !done) {
      return done;
    }
    if (const Done done = describe(); !done) {
      return done;
    }
    write_stamp(folder_, {full_digest(places_, manifest_, entry_), environment_digest(manifest_, entry_),
                          folder_bytes(folder_.root)});
    return {};
  }

 private:
  // True when the downloaded part of an earlier, complete installation can stay because nothing of it
  // changed.
  bool prepare_folder() {
    const auto stamp = read_stamp(folder_);
    const bool keeps = stamp && stamp->environment_digest == environment_digest(manifest_, entry_);
    std::error_code error;
    fs::remove(folder_.ready, error);
    if (keeps) {
      remove_tree(folder_.build);
    } else {
      remove_tree(folder_.root);
    }
    make_folders(folder_.env);
    make_folders(folder_.home);
    return keeps;
  }

  [[nodiscard]] Done tool(std::vector<std::string> argv) const {
    return run_tool({std::move(argv), folder_.root, folder_.log, std::chrono::seconds(3600)});
  }

  [[nodiscard]] Done make_environment() const {
    if (!entry_.lock.empty()) {
      if (const Done done = install_lock(); !done) {
        return done;
      }
    }
    const fs::path prepare = fs::path(manifest_.folder) / "prepare";
    if (fs::exists(prepare)) {
      log_("running its prepare script");
      return tool({prepare.string(), folder_.env, entry_.version});
    }
    return {};
  }

  [[nodiscard]] Done install_lock() const {
    const auto python =
        find_interpreter(entry_.python_range, interpreter_candidates(variable("PATH"), variable("HOME")));
    if (!python) {
      return failure(python.error());
    }
    log_(fmt::format("making an environment with Python {}", python->version));
    if (const Done done = tool({python->path, "-m", "venv", folder_.env}); !done) {
      return done;
    }
    log_("installing the packages of " + entry_.lock);
    // The lock file lists every package with its hash, so nothing is resolved and nothing unknown gets in.
    return tool({virtual_python(folder_), "-m", "pip", "install", "--require-hashes", "--no-deps",
                 "--no-input", "--disable-pip-version-check", "--progress-bar", "off", "-r",
                 (fs::path(manifest_.folder) / entry_.lock).string()});
  }

  [[nodiscard]] Done compile() const {
    if (!fs::exists(fs::path(manifest_.folder) / "CMakeLists.txt")) {
      return {};
    }
    log_("compiling the runner");
    const std::string programs = (fs::path(folder_.env) / "bin").string();
    const Done configured =
        tool({"cmake", "-S", manifest_.folder, "-B", folder_.build, "-DCMAKE_BUILD_TYPE=Release",
              "-DDLBENCH_SDK=" + places_.sdk, "-DDLBENCH_ENV=" + folder_.env,
              "-DDLBENCH_VERSION=" + entry_.version, "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=" + programs});
    const std::string jobs = std::to_string(std::max(1U, std::thread::hardware_concurrency()));
    return configured ? tool({"cmake", "--build", folder_.build, "--parallel", jobs}) : configured;
  }

  [[nodiscard]] Done describe() const {
    log_("asking the runner to describe itself");
    const auto python = python_of(entry_, folder_);
    if (!python) {
      return failure(python.error());
    }
    const Start start = start_of(places_, manifest_, entry_, folder_, *python, 1);
    process::LaunchSpec spec;
    spec.launcher = places_.launcher;
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

  const Places& places_;
  const Manifest& manifest_;
  const VersionEntry& entry_;
  Folder folder_;
  const Log& log_;
};

}  // namespace

Installed install(const Places& places, const Manifest& manifest, const std::string& version,
                  const Log& log) {
  const VersionEntry& entry = version_entry(manifest, version);
  const Folder folder = folder_of(places, manifest, entry);
  make_folders(fs::path(folder.root).parent_path());
  const FileLock lock(folder.lock, [&] { log("waiting for another installation of the same version"); });
  // Tools of an installer that was killed may still write to the folder.
  process::sweep();
  Installed before = installed(places, manifest, entry.version);
  if (before.state == State::ready) {
    return before;
  }
  std::error_code error;
  fs::remove(folder.why_not, error);
  if (const Done done = Installation(places, manifest, entry, log).run(); !done) {
    base::write_text_file(folder.why_not, done.error());
    log("failed: " + done.error());
  }
  return installed(places, manifest, entry.version);
}

}  // namespace dlbench::frameworks
