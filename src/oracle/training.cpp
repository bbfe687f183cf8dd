// Training runs: one evaluation and one update per batch.
#include <algorithm>

#include "base/error.hpp"
#include "oracle/averages.hpp"
#include "oracle/oracle.hpp"
#include "oracle/updates.hpp"
#include "oracle/walk.hpp"

namespace dlbench::oracle {
namespace {

// Sums of absolute terms of w_k - w_0: the optimizer's own formula on one number per parameter. With only
// non-negative terms its path length is that sum. Clipping could only shorten it.
class DeltaScales {
 public:
  DeltaScales(const model::Graph& graph, const model::Recipe& recipe, const Arithmetic& arithmetic)
      : settings_(optimizer_settings(graph, recipe, arithmetic)) {
    for (const model::Parameter& parameter : model::parameters(graph)) {
      is_statistic_.push_back(model::is_statistic(parameter.role));
    }
    for (const OptimizerSettings& settings : settings_) {
      OptimizerSettings of_scale = settings;
      of_scale.values.weight_decay = 0.0;  // advance adds the decay's own term
      optimizers_.push_back(make_optimizer<double>(of_scale));
    }
  }

  // Before the first step.
  void start(const std::vector<double>& largest_weights) {
    for (const double largest : largest_weights) {
      positions_.push_back({-largest});
    }
  }

  void advance(const std::vector<double>& gradient_scales, const std::vector<double>& largest_weights,
               double rate) {
    for (std::size_t i = 0; i < gradient_scales.size(); ++i) {
      if (is_statistic_[i]) {
        positions_[i][0] -= gradient_scales[i];  // the scale of its change in this step
        continue;
      }
      const double decay_term = settings_[i].values.weight_decay * largest_weights[i];
      optimizers_[i]->update(positions_[i], {gradient_scales[i] + decay_term}, rate);
    }
  }

  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> result;
    result.reserve(positions_.size());
    for (const std::vector<double>& position : positions_) {
      result.push_back(-position[0]);
    }
    return result;
  }

 private:
  std::vector<OptimizerSettings> settings_;
  std::vector<bool> is_statistic_;
  std::vector<std::unique_ptr<Optimizer<double>>> optimizers_;
  std::vector<std::vector<double>> positions_;  // minus the scale so far; starts at the largest |w_0|
};

// The weights of a training run, their optimizer state, and what rounding of their change is relative to.
template <typename T>
class Training {
 public:
  Training(const model::Graph& graph, const model::Recipe& recipe, const model::Weights& weights,
           const Arithmetic& arithmetic)
      : arithmetic_(arithmetic),
        weights_(from_weights<T>(weights)),
        averages_(graph, recipe.weight_ema, weights_),
        initial_(arithmetic.stale_evaluation ? weights_ : std::vector<Array<T>>{}),
        updates_(graph, recipe, arithmetic),
        scales_(graph, recipe, arithmetic),
        products_(arithmetic.rounding.variation) {
    DLBENCH_ASSERT(weights_.size() == model::parameters(graph).size(),
                   "the weights are not those of graph " + graph.name);
    scales_.start(largest_weights());
  }

  // The loss before the update.
  double step(const model::Graph& graph, const model::Batch& batch, double rate) {
    std::vector<Array<T>> seen = weights_;
    for (Array<T>& array : seen) {
      products_.perturb(array);
    }
    const std::int64_t rows = batch.input.shape.at(0);
    const auto race = [&](std::size_t i, const Array<T>& gradient) {
      updates_.apply_alone(i, weights_[i], gradient, rows, rate);
      if (races(i)) {
        seen[i] = weights_[i];
      }
    };
    const Conditions conditions{.training = true, .step = step_++, .arithmetic = &arithmetic_};
    Walk<T> walk(graph, seen, batch, products_, conditions);
    Gradients<T> gradients =
        arithmetic_.weight_race ? walk.backward(is_judge<T>, race) : walk.backward(is_judge<T>);
    if constexpr (is_judge<T>) {
      scales_.advance(gradients.scales, largest_weights(), rate);
    }
    if (!arithmetic_.weight_race) {
      updates_.apply(weights_, std::move(gradients.values), rows, rate, products_);
    }
    walk.update_statistics(weights_);
    averages_.follow(weights_);
    return walk.loss();
  }

  // In evaluation mode, as after the last step.
  void evaluate(const model::Graph& graph, const model::Batch& batch, Trajectory& result) {
    std::vector<Array<T>> seen = arithmetic_.stale_evaluation ? initial_ : averages_.over(weights_);
    for (Array<T>& array : seen) {
      products_.perturb(array);
    }
    const Walk<T> walk(graph, seen, batch, products_,
                       {.training = false, .step = step_, .arithmetic = &arithmetic_});
    result.logits = to_doubles(walk.logits().values);
    if constexpr (is_judge<T>) {
      result.logits_scale = walk.logits_scale();
    }
  }

  [[nodiscard]] std::vector<Values> weights() const { return to_doubles(weights_); }
  [[nodiscard]] std::vector<double> delta_scales() const {
    return is_judge<T> ? scales_.values() : std::vector<double>{};
  }

 private:
  [[nodiscard]] bool races(std::size_t parameter) const {
    const std::vector<std::size_t>& only = arithmetic_.racing_parameters;
    return only.empty() || std::ranges::find(only, parameter) != only.end();
  }
  [[nodiscard]] std::vector<double> largest_weights() const {
    std::vector<double> result;
    result.reserve(weights_.size());
    for (const Array<T>& array : weights_) {
      result.push_back(largest_magnitude(array.values));
    }
    return result;
  }

  Arithmetic arithmetic_;
  std::uint64_t step_ = 0;
  std::vector<Array<T>> weights_;
  Averages<T> averages_;
  std::vector<Array<T>> initial_;  // only for stale evaluation
  Updates<T> updates_;
  DeltaScales scales_;
  Products<T> products_;
};

template <typename T>
Trajectory train_as(const model::Graph& graph, const model::Recipe& recipe, const model::Weights& weights,
                    std::span<const model::Batch> batches, std::span<const double> rates,
                    const Arithmetic& arithmetic, const model::Batch* evaluated) {
  DLBENCH_ASSERT(batches.size() == rates.size(), "one rate per batch");
  Training<T> training(graph, recipe, weights, arithmetic);
  Trajectory result;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    result.losses.push_back(training.step(graph, batches[i], rates[i]));
  }
  result.weights = training.weights();
  result.delta_scales = training.delta_scales();
  if (evaluated != nullptr) {
    training.evaluate(graph, *evaluated, result);
  }
  return result;
}

}  // namespace

Trajectory train(const model::Graph& graph, const model::Recipe& recipe, const model::Weights& weights,
                 std::span<const model::Batch> batches, std::span<const double> rates, Precision precision,
                 const Arithmetic& arithmetic, const model::Batch* evaluated) {
  return precision == Precision::fp64
             ? train_as<double>(graph, recipe, weights, batches, rates, arithmetic, evaluated)
             : train_as<float>(graph, recipe, weights, batches, rates, arithmetic, evaluated);
}

}  // namespace dlbench::oracle
