// Prints what each task of one training step costs: reference-profile <graph.json> [rows] [threads] [steps].
// The smallest of many repeats: a profile asks where time goes when nobody disturbs, not what a run takes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <map>

#include "base/text_file.hpp"
#include "model/json.hpp"
#include "session.hpp"

namespace {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;

double now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

// Of the whole process: what a busy machine distorts least.
double cpu_us() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

// CPU time of one step, the mean of many without anything in between.
double mean_cpu_us(reference::ReferenceSession& session, const dlbench::sdk::Batch& batch, int steps) {
  const double begin_us = cpu_us();
  for (int step = 0; step < steps; ++step) {
    session.step(batch, 0.01);
  }
  return (cpu_us() - begin_us) / steps;
}

struct Data {
  std::vector<float> input;
  std::vector<std::int64_t> tokens;
  std::vector<std::int64_t> target;
};

Data data_for(const model::Graph& graph, std::int64_t rows) {
  Data data;
  for (std::int64_t i = 0; i < rows * model::element_count(graph.input_shape); ++i) {
    data.input.push_back(static_cast<float>((i * 7919) % 1000) / 1000.0F);
    data.tokens.push_back(graph.vocabulary > 0 ? i * 7919 % graph.vocabulary : 0);
  }
  for (std::int64_t r = 0; r < rows * graph.targets_per_sample; ++r) {
    data.target.push_back(r % graph.class_count);
  }
  return data;
}

void put_weights(reference::ReferenceSession& session, const sdk::Load& load) {
  const model::Weights weights = model::initial_weights(load.graph, load.recipe.initialiser);
  const std::vector<model::Parameter> parameters = model::parameters(load.graph);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    session.put(parameters[i], {weights[i].values, weights[i].shape});
  }
}

void print_profile(reference::ReferenceSession& session, const sdk::Batch& batch, int steps) {
  double best_step_us = std::numeric_limits<double>::max();
  std::map<std::string, double> best_us;
  std::vector<std::string> order;
  for (int step = 0; step < steps; ++step) {
    const double begin_us = now_us();
    session.step(batch, 0.01);
    best_step_us = std::min(best_step_us, now_us() - begin_us);
    for (const reference::Task* task : session.prepare(batch, 0.01).tasks()) {
      const double task_begin_us = now_us();
      task->run();
      const double taken_us = now_us() - task_begin_us;
      const auto [entry, is_new] = best_us.emplace(task->name, taken_us);
      if (is_new) {
        order.push_back(task->name);
      }
      entry->second = std::min(entry->second, taken_us);
    }
  }
  double sum_us = 0.0;
  for (const std::string& name : order) {
    std::printf("%-32s %10.1f us\n", name.c_str(), best_us[name]);
    sum_us += best_us[name];
  }
  std::printf("%-32s %10.1f us\n%-32s %10.1f us\n", "sum", sum_us, "whole step", best_step_us);
  std::printf("%-32s %10.1f us\n", "whole step, mean CPU time", mean_cpu_us(session, batch, steps));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s <graph.json> [rows] [threads] [steps]\n", argv[0]);
    return 2;
  }
  sdk::Load load;
  load.graph = model::graph_from_json(dlbench::base::read_text_file(argv[1], std::size_t{1} << 20U));
  load.recipe.optimizer.momentum = 0.9;
  load.batch = argc > 2 ? std::atoi(argv[2]) : 64;
  load.threads = argc > 3 ? std::atoi(argv[3]) : 1;
  reference::ReferenceSession session(load);
  put_weights(session, load);
  const Data data = data_for(load.graph, load.batch);
  for (const sdk::Setting& setting : session.effective()) {
    std::printf("%-32s %s\n", setting.name.c_str(), setting.value.c_str());
  }
  const bool has_tokens = model::input_kind(load.graph) == model::InputKind::tokens;
  print_profile(session,
                {has_tokens ? nullptr : data.input.data(), data.target.data(), load.batch, 0,
                 has_tokens ? data.tokens.data() : nullptr},
                argc > 4 ? std::atoi(argv[4]) : 100);
  return 0;
}
