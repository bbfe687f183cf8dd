// The recipe's moving averages of the weights: evaluation reads them, training does not.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "buffer.hpp"
#include "model/recipe.hpp"
#include "network.hpp"

namespace reference {

// Averages lie beside the weights; while a program evaluates, the two have changed places, because the
// primitives know one address only.
class Averages {
 public:
  explicit Averages(const dlbench::model::WeightEma& ema) : ema_(ema) {}

  [[nodiscard]] bool exist() const { return ema_.decay > 0.0; }
  // The average of these weights starts anew, at what they are now.
  void restart(const std::string& name, const Weights& weights);
  // After the update of step `step`, from 1.
  void follow(std::map<std::string, Weights>& weights, std::int64_t step);
  // Changes places, unless they already stand so.
  void show(std::map<std::string, Weights>& weights, bool averages);

 private:
  dlbench::model::WeightEma ema_;
  bool shown_ = false;
  std::map<std::string, Buffer> values_;  // of what is trained
};

}  // namespace reference
