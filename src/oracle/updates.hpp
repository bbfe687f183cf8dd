// What happens to all weights between two batches: clipping, then the recipe's optimizer on each parameter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/graph.hpp"
#include "model/recipe.hpp"
#include "oracle/array.hpp"
#include "oracle/optimizer.hpp"
#include "oracle/oracle.hpp"
#include "oracle/products.hpp"

namespace dlbench::oracle {

template <typename T>
class Updates {
 public:
  Updates(const model::Graph& graph, const model::Recipe& recipe, const Arithmetic& arithmetic);

  // One step of all parameters. `gradients` are means over `rows`; the norm is summed by `products`.
  void apply(std::vector<Array<T>>& weights, std::vector<Array<T>> gradients, std::int64_t rows, double rate,
             Products<T>& products);
  // One step of one parameter, where the other gradients are not known yet. Asserts that nothing is clipped
  // by the norm of all of them.
  void apply_alone(std::size_t parameter, Array<T>& weights, Array<T> gradient, std::int64_t rows,
                   double rate);
  // Starts one parameter's state anew.
  void forget(std::size_t parameter);

 private:
  void scale_to_sum(Array<T>& gradient, std::int64_t rows) const;
  void clip_elements(Array<T>& gradient) const;
  void clip_norm(std::vector<Array<T>>& gradients, Products<T>& products) const;

  model::Clip clip_;
  bool sum_over_batch_;
  std::vector<OptimizerSettings> settings_;
  std::vector<std::unique_ptr<Optimizer<T>>> optimizers_;
};

}  // namespace dlbench::oracle
