// What `dlbench verify` was asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/runner.hpp"
#include "host/workload.hpp"

namespace dlbench::app {

struct VerifyOptions {
  std::vector<std::string> names;
  std::string runner_folder;
  std::string model = "lenet";
  std::string dataset = "fashion-mnist";
  std::string dataset_folder;
  std::string recipe_file;
  std::int64_t batch = 64;
  double rate = 0.01;
  double momentum = 0.9;
  double weight_decay = 0.0;
  int threads = 1;
  std::uint64_t seed = 1;
  bool fresh = false;
  bool operators = false;
  bool recipes = false;
  bool networks = false;
  bool faults = false;
  bool inference = false;
  std::vector<std::string> only;  // rows of a table; empty: all
  bool markdown = false;
  std::string keep_folder;
};

// Of a file, or of the options for plain sgd.
[[nodiscard]] model::Recipe recipe_of(const VerifyOptions& options);
// What is asked of this framework: inference if that was wished for, or if it does nothing else.
[[nodiscard]] record::Task task_of(const VerifyOptions& options, const host::Runner& runner);
// The model, data and recipe of the options.
[[nodiscard]] host::Workload workload_of(const VerifyOptions& options);
// The frameworks that were named, and that of the runner's folder. Throws base::UserError when there is none.
[[nodiscard]] std::vector<host::Runner> runners_of(const VerifyOptions& options,
                                                   const frameworks::Places& places);

}  // namespace dlbench::app
