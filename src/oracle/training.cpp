// Training runs: one evaluation and one update per batch.
#include "base/error.hpp"
#include "oracle/oracle.hpp"
#include "oracle/sgd.hpp"
#include "oracle/walk.hpp"

namespace dlbench::oracle {
namespace {

// The weights of a training run, their optimizer state, and what rounding of their change is relative to.
template <typename T>
class Training {
 public:
  Training(const model::Graph& graph, const model::Recipe& recipe, const model::Weights& weights,
           const Arithmetic& arithmetic)
      : arithmetic_(arithmetic),
        weights_(from_weights<T>(weights)),
        settings_(sgd_settings(graph, recipe, arithmetic)),
        products_(arithmetic.rounding.variation) {
    DLBENCH_ASSERT(weights_.size() == settings_.size(), "the weights are not those of graph " + graph.name);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      optimizers_.emplace_back(settings_[i]);
      SgdSettings of_scale = settings_[i];
      of_scale.decay = 0.0;  // advance_scales adds the decay's own term
      scale_optimizers_.emplace_back(of_scale);
      scale_positions_.push_back({-largest_magnitude(weights_[i].values)});
    }
  }

  // The loss before the update.
  double step(const model::Graph& graph, const model::Batch& batch, double rate) {
    std::vector<Array<T>> seen = weights_;
    for (Array<T>& array : seen) {
      products_.perturb(array);
    }
    const auto race = [&](std::size_t i, const Array<T>& gradient) {
      optimizers_[i].update(weights_[i].values, gradient.values, rate);
      seen[i] = weights_[i];
    };
    Walk<T> walk(graph, seen, batch, products_, arithmetic_.ties_all);
    const Gradients<T> gradients =
        arithmetic_.weight_race ? walk.backward(is_judge<T>, race) : walk.backward(is_judge<T>);
    advance_scales(gradients.scales, rate);
    if (!arithmetic_.weight_race) {
      for (std::size_t i = 0; i < weights_.size(); ++i) {
        optimizers_[i].update(weights_[i].values, gradients.values[i].values, rate);
      }
    }
    return walk.loss();
  }

  [[nodiscard]] std::vector<Values> weights() const { return to_doubles(weights_); }
  [[nodiscard]] std::vector<double> delta_scales() const {
    std::vector<double> result;
    for (const std::vector<double>& position : scale_positions_) {
      if constexpr (is_judge<T>) {
        result.push_back(-position[0]);
      }
    }
    return result;
  }

 private:
  // The optimizer's own formula on one number per parameter: with only non-negative terms its path length is
  // the sum of absolute terms of w_k - w_0.
  void advance_scales(const std::vector<double>& gradient_scales, double rate) {
    for (std::size_t i = 0; i < gradient_scales.size(); ++i) {
      const double decay_term = settings_[i].decay * largest_magnitude(weights_[i].values);
      scale_optimizers_[i].update(scale_positions_[i], {gradient_scales[i] + decay_term}, rate);
    }
  }

  Arithmetic arithmetic_;
  std::vector<Array<T>> weights_;
  std::vector<SgdSettings> settings_;
  Products<T> products_;
  std::vector<Sgd<T>> optimizers_;
  std::vector<Sgd<double>> scale_optimizers_;
  std::vector<std::vector<double>> scale_positions_;  // minus the scale so far; starts at the largest |w_0|
};

template <typename T>
Trajectory train_as(const model::Graph& graph, const model::Recipe& recipe, const model::Weights& weights,
                    std::span<const model::Batch> batches, std::span<const double> rates,
                    const Arithmetic& arithmetic) {
  DLBENCH_ASSERT(batches.size() == rates.size(), "one rate per batch");
  Training<T> training(graph, recipe, weights, arithmetic);
  Trajectory result;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    result.losses.push_back(training.step(graph, batches[i], rates[i]));
  }
  result.weights = training.weights();
  result.delta_scales = training.delta_scales();
  return result;
}

}  // namespace

Trajectory train(const model::Graph& graph, const model::Recipe& recipe, const model::Weights& weights,
                 std::span<const model::Batch> batches, std::span<const double> rates, Precision precision,
                 const Arithmetic& arithmetic) {
  return precision == Precision::fp64 ? train_as<double>(graph, recipe, weights, batches, rates, arithmetic)
                                      : train_as<float>(graph, recipe, weights, batches, rates, arithmetic);
}

}  // namespace dlbench::oracle
