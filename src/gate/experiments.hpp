// The experiments of a plan, without their results: what is run, on which batches, at which rates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/gate.hpp"

namespace dlbench::gate {

// Everything that the experiments of one work share.
struct Material {
  model::Weights weights;    // initial weights, biases nudged off zero
  std::int64_t rows = 0;     // of a verification batch
  model::Batch raw;          // real samples without noise: flat background, ties
  model::Batch batch;        // the same with noise, chosen at these weights
  std::int64_t margins = 0;  // see VerificationBatch
};
[[nodiscard]] Material gather_material(const Work& work, std::int64_t rows);

[[nodiscard]] Experiment logits_experiment(const Work& work, const Material& material);
// Logits of one batch from the front of the epoch and of all distant ones. Asserts that there are any.
[[nodiscard]] Experiment order_experiment(const Work& work, const Material& material);

// One SGD step from zero momentum per group of parameters that share a rate 2^r; `judged` says which they
// are. `norm`: euclidean where near ties are left in the batch.
struct GradientExperiment {
  Experiment experiment;
  std::vector<bool> judged;  // per parameter
};
[[nodiscard]] std::vector<GradientExperiment> gradient_experiments(const std::string& id, const Work& work,
                                                                   const Material& material,
                                                                   const model::Batch& batch,
                                                                   Norm norm = Norm::largest);

// k steps on verification batches that are chosen for this very trajectory: at the recipe's first rate, at a
// rate that halves every two steps, and with a decay that binds.
[[nodiscard]] Experiment constant_steps(const Work& work, const Material& material, std::int64_t k);
[[nodiscard]] Experiment changing_steps(const Work& work, const Material& material, std::int64_t k);
[[nodiscard]] Experiment stress_steps(const Work& work, const Material& material, std::int64_t k);
// k steps of the recipe as it will be timed, on full batches, three times; each batch is the best of so many.
[[nodiscard]] Experiment timed_steps(const Work& work, const Material& material, std::int64_t k,
                                     int candidates);
// The first k steps of an experiment.
[[nodiscard]] Experiment shortened(Experiment experiment, std::int64_t k);

}  // namespace dlbench::gate
