// A study file (YAML) and the ordered cases it stands for. See docs/formats/study.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/recipe.hpp"
#include "record/task.hpp"

namespace dlbench::study {

struct WindowSettings {
  double warm_up_seconds = 2.0;
  std::int64_t warm_up_steps = 50;
  double w1_seconds = 5.0;
  std::int64_t w1_steps = 200;
  double w2_seconds = 5.0;
  std::int64_t w2_steps = 200;
};

// In a list of thread counts: every CPU that the host may use; resolved when the machine is known.
inline constexpr int all_threads = 0;

// Outside causes beyond these make a run INVALID (docs/measuring.md); shares of the windows' time on the
// run's CPUs.
struct DisturbanceLimits {
  double steal_ratio = 0.02;
  double foreign_ratio = 0.03;
};

struct FrameworkChoice {
  std::string name;
  std::string version;  // "" : the manifest's default
  int line = 0;         // in the study file, for messages
};

struct Study {
  std::string name;
  std::string text;
  std::string path;
  record::Task task = record::Task::training;
  std::string model;  // zoo name, or path of a graph file
  std::string dataset;
  std::string dataset_folder;
  model::Recipe recipe;  // of inference only the batch is used
  std::vector<FrameworkChoice> frameworks;
  std::string base;            // as written: name, or name@version
  std::size_t base_index = 0;  // the framework that it means
  std::vector<int> threads;    // all_threads for "all"
  int blocks = 7;
  double alpha = 0.05;
  double margin_ratio = 0.02;
  std::vector<std::string> accepted_deviations;  // names of record/deviation.hpp
  WindowSettings windows;
  DisturbanceLimits limits;
  int convergence_epochs = 0;  // 0: none
  std::vector<int> convergence_threads;
  std::uint64_t seed = 1;
  int max_repeated_blocks = 2;
};

// Throws base::UserError with "file:line", and for an unknown key or name the nearest known one.
[[nodiscard]] Study read_study(const std::string& path);
[[nodiscard]] Study parse_study(const std::string& text, const std::string& path_for_messages);

}  // namespace dlbench::study
