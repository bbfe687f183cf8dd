// A network bound to arrays for one number of rows.
#pragma once

#include <cstdint>
#include <vector>

#include "network.hpp"

namespace runner {

// Symbols of one network.
struct Symbols {
  Symbol logits;
  Symbol loss;
};

class Executors {
 public:
  // Binds evaluation, and training where there is a loss. Weights and gradients are the network's, the rest
  // is these rows' own.
  Executors(const Network& network, const Symbols& symbols, std::int64_t rows);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  // Reals or tokens, as the network's input is.
  void load_input(const void* input);
  void load_target(const std::int64_t* target);
  // Both return before the work is done.
  void forward_backward();
  void evaluate();
  // These wait.
  [[nodiscard]] float loss() const;
  void logits(float* values, std::size_t count) const;

 private:
  struct Bound {
    Executor executor;
    Array output;  // the last one
  };

  [[nodiscard]] Bound bind(const Network& network, const Symbol& symbol, bool trains) const;

  std::int64_t rows_;
  std::size_t input_count_;
  std::size_t target_count_;
  Array input_;
  Array target_;
  Bound training_;  // empty in mode infer
  Bound evaluation_;
};

}  // namespace runner
