// MXNet's running variance takes the batch's biased variance; the graph's takes the unbiased one.
#pragma once

#include <cstdint>
#include <vector>

#include "network.hpp"

namespace runner {

// Makes one step's running variance that of the graph, exactly. With k the share of the past and u = n / (n -
// 1) MXNet has made v = k * old + (1 - k) * b, so that k * old + (1 - k) * u * b is u * v - (u - 1) * k *
// old.
class Correction {
 public:
  Correction(const Norm& norm, std::int64_t rows);

  // Returns before the work is done.
  void run();

 private:
  Invocation unbias_;
  Invocation remember_;
};

[[nodiscard]] std::vector<Correction> corrections(const Network& network, std::int64_t rows);

}  // namespace runner
