// overhead: what dlbench itself costs, measured. See docs/overhead.md.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "bench/hand_program.hpp"
#include "bench/print.hpp"
#include "probes/machine.hpp"
#include "process/process.hpp"

namespace dlbench::bench {
namespace {

struct Options {
  LoopOptions loop;
  std::vector<int> threads;  // empty: 1 and all
  std::vector<std::string> frameworks = hand_frameworks();
  std::string parts = "abcd";
  std::vector<std::string> variables;  // NAME=VALUE
  bool control = false;
  bool json = false;
};

// Removed with everything in it at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "dlbench-overhead-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      throw base::UserError("cannot make a scratch folder", pattern, "set TMPDIR to a folder with 100 MB");
    }
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void note(const std::string& what) {
  fmt::print(stderr, "{} …\n", what);
}

std::vector<int> thread_counts(const Options& options, const host::Machine& machine) {
  if (!options.threads.empty()) {
    return options.threads;
  }
  const int all = static_cast<int>(machine.cpus.size());
  return all > 1 ? std::vector<int>{1, all} : std::vector<int>{1};
}

void measure_loops(const Setup& setup, const Options& options, Figures& figures) {
  for (const std::string& framework : options.frameworks) {
    for (const int threads : thread_counts(options, setup.machine)) {
      for (const bool control : {false, true}) {
        if (control && !options.control) {
          continue;
        }
        LoopOptions loop = options.loop;
        loop.control = control;
        const std::string name =
            fmt::format("{}{}, {} threads", framework, control ? " (control)" : "", threads);
        note("(a) " + name);
        figures.loops.push_back({name, measure_loop(setup, framework, threads, loop)});
      }
    }
  }
}

void measure_rest(const Setup& setup, const Options& options, Figures& figures) {
  const auto wants = [&](char part) { return options.parts.find(part) != std::string::npos; };
  for (const char* runner : {"null-cpp", "null-python", "null-lua"}) {
    if (wants('b')) {
      note(fmt::format("(b) {}", runner));
      figures.null_steps.push_back({runner, measure_null_step(setup, runner)});
    }
  }
  for (const std::string& framework : options.frameworks) {
    if (wants('c')) {
      note("(c) " + framework);
      figures.hosts.push_back({framework, measure_host(setup, framework)});
    }
    if (wants('d')) {
      note("(d) " + framework);
      figures.studies.push_back({framework, measure_study(setup, framework)});
    }
  }
}

std::map<std::string, std::string> variables_of(const Options& options) {
  std::map<std::string, std::string> variables;
  for (const std::string& text : options.variables) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw base::UserError(fmt::format("--variable: '{}' is not NAME=VALUE", text), {}, {});
    }
    variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

int measure(const Options& options) {
  if (std::string(DLBENCH_BUILD_TYPE) != "Release") {
    throw base::UserError("this build is " DLBENCH_BUILD_TYPE ", its times mean nothing", {},
                          "build with CMAKE_BUILD_TYPE=Release");
  }
  process::become_reaper();
  process::sweep();
  const probes::MachineState state = probes::read_machine();
  Figures figures;
  figures.cpu_model = state.cpu_model;
  figures.cpus = state.online_cpus;
  figures.begun = base::utc_now();
  figures.load_before = state.load_1min.value_or(0.0);
  const ScratchFolder folder;
  Setup setup = make_setup(folder.path());
  setup.variables = variables_of(options);
  measure_rest(setup, options, figures);
  if (options.parts.find('a') != std::string::npos) {
    measure_loops(setup, options, figures);
  }
  fmt::print("{}", options.json ? to_json(figures) : to_table(figures));
  return 0;
}

int run(int count, char** arguments) {
  CLI::App app("Measures what dlbench itself costs. Every figure is explained in docs/overhead.md.",
               "overhead");
  Options options;
  app.add_option("--steps", options.loop.steps, "steps of a chunk in (a); 0: as many as take 0.3 s")
      ->check(CLI::Range(std::int64_t{0}, step_capacity));
  app.add_option("--pairs", options.loop.chunk_pairs, "chunk pairs in (a), of all process pairs together")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--processes", options.loop.process_pairs, "process pairs in (a); 95 % intervals need 6")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "thread counts in (a); default: 1 and all")
      ->check(CLI::Range(1, 4096));
  app.add_option("--frameworks", options.frameworks, "frameworks in (a), (c) and (d)")->capture_default_str();
  app.add_option("--parts", options.parts, "letters of the parts to measure")
      ->check([](const std::string& text) {
        return text.find_first_not_of("abcd") == std::string::npos ? std::string()
                                                                   : "only a, b, c and d exist";
      })
      ->capture_default_str();
  app.add_option("--variable", options.variables,
                 "NAME=VALUE in the environment of the runner and of the program written by hand");
  app.add_flag("--control", options.control, "in (a) also the hand-written program against itself");
  app.add_flag("--json", options.json, "JSON instead of the table");
  CLI11_PARSE(app, count, arguments);
  return measure(options);
}

}  // namespace
}  // namespace dlbench::bench

int main(int count, char** arguments) {
  using namespace dlbench;
  try {
    return bench::run(count, arguments);
  } catch (const base::UserError& error) {
    fmt::print(stderr, "overhead: {}{}{}\n", error.where(), error.where().empty() ? "" : ": ", error.what());
    if (!error.hint().empty()) {
      fmt::print(stderr, "  hint: {}\n", error.hint());
    }
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "overhead: bug: {}\n", error.what());
    return 70;
  }
}
