#include "dlbench/verify_options.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/text_file.hpp"
#include "frameworks/frameworks.hpp"
#include "model/json.hpp"
#include "study/study.hpp"

namespace dlbench::app {
namespace {

constexpr std::size_t recipe_max_bytes = 1U << 20U;

// An environment goes by its runner's name, so a changed copy of a runner of this tree would take the place
// of what is installed for that.
frameworks::Manifest manifest_outside(const std::string& folder, const frameworks::Places& places) {
  namespace fs = std::filesystem;
  frameworks::Manifest manifest = frameworks::read_manifest(folder);
  const fs::path own = fs::path(places.runners) / manifest.name;
  std::error_code error;
  if (fs::exists(own, error) && !fs::equivalent(own, folder, error)) {
    throw base::UserError(fmt::format("dlbench has a runner '{}' of its own", manifest.name), folder,
                          "give the folder, and `name` in its manifest, another name");
  }
  return manifest;
}

}  // namespace

model::Recipe recipe_of(const VerifyOptions& options) {
  if (options.recipe_file.ends_with(".json")) {
    return model::recipe_from_json(base::read_text_file(options.recipe_file, recipe_max_bytes));
  }
  if (!options.recipe_file.empty()) {
    return study::read_study(options.recipe_file).recipe;
  }
  model::Recipe recipe;
  recipe.batch = options.batch;
  recipe.rate.base = options.rate;
  recipe.optimizer.momentum = options.momentum;
  recipe.optimizer.weight_decay = options.weight_decay;
  recipe.initialiser.seed = options.seed;
  return recipe;
}

record::Task task_of(const VerifyOptions& options, const host::Runner& runner) {
  return options.inference || !runner.manifest.trains ? record::Task::inference : record::Task::training;
}

host::Workload workload_of(const VerifyOptions& options) {
  const auto dataset =
      host::load_data(options.dataset, options.dataset_folder, host::read_model(options.model));
  return host::make_workload(options.model, dataset, recipe_of(options), options.seed);
}

std::vector<host::Runner> runners_of(const VerifyOptions& options, const frameworks::Places& places) {
  std::vector<host::Runner> runners;
  for (const std::string& text : options.names) {
    const auto [name, version] = frameworks::split_version(text);
    host::Runner runner = {places, frameworks::find_manifest(places, name), {}};
    runner.installed = frameworks::use(places, runner.manifest, version);
    runners.push_back(std::move(runner));
  }
  if (!options.runner_folder.empty()) {
    host::Runner runner = {places, manifest_outside(options.runner_folder, places), {}};
    static_cast<void>(frameworks::install(places, runner.manifest, {},
                                          [](const std::string& line) { fmt::print(stderr, "{}\n", line); }));
    runner.installed = frameworks::use(places, runner.manifest);
    runners.push_back(std::move(runner));
  }
  if (runners.empty()) {
    throw base::UserError("nothing to verify", {},
                          "name installed frameworks, or a runner's folder with --runner");
  }
  return runners;
}

}  // namespace dlbench::app
