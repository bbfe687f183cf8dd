#include "bench/setup.hpp"

#include <fstream>
#include <ios>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "data/dataset.hpp"

namespace dlbench::bench {
namespace {

template <class T>
void write_values(std::ofstream& file, const std::vector<T>& values) {
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(T)));
}

}  // namespace

Setup make_setup(const std::string& folder) {
  model::Recipe recipe;
  recipe.batch = 64;
  recipe.rate.base = 0.01;
  recipe.optimizer.momentum = 0.9;
  Setup setup;
  setup.places = frameworks::find_places();
  setup.machine = host::this_machine();
  setup.workload = host::make_workload(
      "lenet", std::make_shared<const data::Dataset>(data::load_dataset("fashion-mnist")), recipe, 1);
  setup.slots = host::ring_slots(setup.workload, setup.machine.last_level_cache_bytes);
  setup.folder = folder;
  return setup;
}

tl::expected<host::Runner, std::string> find_runner(const Setup& setup, const std::string& name) {
  host::Runner runner = {setup.places, frameworks::find_manifest(setup.places, name), {}};
  runner.installed = frameworks::use(setup.places, runner.manifest);
  if (runner.installed.state != frameworks::State::ready) {
    return tl::unexpected("not installed: " + runner.installed.why_not);
  }
  for (frameworks::VersionEntry& entry : runner.manifest.versions) {
    for (const auto& [variable, value] : setup.variables) {
      entry.environment[variable] = value;
    }
  }
  return runner;
}

host::Launch make_launch(const Setup& setup, int threads, int process_pair) {
  host::Launch launch;
  launch.placement = host::place(setup.machine.cpus, threads);
  launch.threads = threads;
  launch.token = host::new_run_token();
  launch.folder = setup.folder;
  launch.padding_bytes = host::environment_padding_bytes(setup.workload.seed, process_pair);
  return launch;
}

void write_batch_file(const Setup& setup, const std::string& path) {
  const data::SampleSet& set = setup.workload.dataset->train;
  const std::int64_t rows = setup.workload.recipe.batch * setup.slots;
  const auto order = data::epoch_order(setup.workload.seed, 0,
                                       static_cast<std::uint32_t>(setup.workload.dataset->train.count));
  std::vector<float> inputs(static_cast<std::size_t>(rows * set.sample_elements()));
  std::vector<std::int64_t> targets(static_cast<std::size_t>(rows * set.labels_per_sample));
  data::fill_pictures(set, order.data(), rows, inputs.data(), targets.data());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  write_values(file, inputs);
  write_values(file, targets);
  for (const model::Tensor& parameter : setup.workload.weights) {
    write_values(file, parameter.values);
  }
  file.close();
  if (!file) {
    throw base::UserError("cannot write the batches", path, "is the disk full?");
  }
}

}  // namespace dlbench::bench
