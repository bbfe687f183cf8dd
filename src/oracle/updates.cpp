#include "oracle/updates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"

namespace dlbench::oracle {

template <typename T>
Updates<T>::Updates(const model::Graph& graph, const model::Recipe& recipe, const Arithmetic& arithmetic)
    : clip_(recipe.clip),
      sum_over_batch_(arithmetic.sum_over_batch),
      settings_(optimizer_settings(graph, recipe, arithmetic)) {
  for (const OptimizerSettings& settings : settings_) {
    optimizers_.push_back(make_optimizer<T>(settings));
  }
}

template <typename T>
void Updates<T>::apply(std::vector<Array<T>>& weights, std::vector<Array<T>> gradients, std::int64_t rows,
                       double rate, Products<T>& products) {
  DLBENCH_ASSERT(weights.size() == settings_.size() && gradients.size() == settings_.size(), "parameters");
  for (Array<T>& gradient : gradients) {
    scale_to_sum(gradient, rows);
    clip_elements(gradient);
  }
  clip_norm(gradients, products);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    optimizers_[i]->update(weights[i].values, gradients[i].values, rate);
  }
}

template <typename T>
void Updates<T>::apply_alone(std::size_t parameter, Array<T>& weights, Array<T> gradient, std::int64_t rows,
                             double rate) {
  DLBENCH_ASSERT(clip_.by != model::ClipBy::global_norm, "the norm of all gradients is not known here");
  scale_to_sum(gradient, rows);
  clip_elements(gradient);
  optimizers_.at(parameter)->update(weights.values, gradient.values, rate);
}

template <typename T>
void Updates<T>::forget(std::size_t parameter) {
  optimizers_.at(parameter) = make_optimizer<T>(settings_.at(parameter));
}

template <typename T>
void Updates<T>::scale_to_sum(Array<T>& gradient, std::int64_t rows) const {
  if (sum_over_batch_) {
    for (T& value : gradient.values) {
      value *= static_cast<T>(rows);
    }
  }
}

template <typename T>
void Updates<T>::clip_elements(Array<T>& gradient) const {
  if (clip_.by == model::ClipBy::element) {
    const T limit = static_cast<T>(clip_.limit);
    for (T& value : gradient.values) {
      // Not std::clamp: not-a-number stays what it is.
      value = value > limit ? limit : (value < -limit ? -limit : value);
    }
  }
}

template <typename T>
void Updates<T>::clip_norm(std::vector<Array<T>>& gradients, Products<T>& products) const {
  if (clip_.by != model::ClipBy::global_norm) {
    return;
  }
  T squares = 0;
  for (const Array<T>& gradient : gradients) {
    const auto count = static_cast<std::int64_t>(gradient.values.size());
    const T* values = gradient.values.data();
    products.multiply({values, 1, count, false}, {values, count, 1, false}, &squares, Store::add);
  }
  const T limit = static_cast<T>(clip_.limit);
  const T factor = limit / std::max(limit, std::sqrt(squares));
  for (Array<T>& gradient : gradients) {
    for (T& value : gradient.values) {
      value *= factor;
    }
  }
}

template class Updates<double>;
template class Updates<float>;

}  // namespace dlbench::oracle
