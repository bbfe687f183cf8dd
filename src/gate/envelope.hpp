// The right result of an experiment, and how far honest single precision may be from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/gate.hpp"

namespace dlbench::gate {

// The experiment on the oracle in fp64, with the scales that rounding in each tensor is relative to. Limits
// are empty.
[[nodiscard]] Expectation expect(Experiment experiment);

// Largest error per tensor and per loss over several single-precision evaluations, each rounding differently.
struct Envelope {
  std::vector<double> tensors;
  std::vector<double> losses;
};
// Variations 0 … evaluations - 1. Runs on several threads.
[[nodiscard]] Envelope measure_envelope(const Expectation& expectation, int evaluations);

// Sets the limits to max(envelope * factor, floor * floor_scale).
void set_limits(Expectation& expectation, const Envelope& envelope, double factor, double floor_scale = 1.0);

// All of the above: the truth, and limits from so many evaluations.
[[nodiscard]] Expectation expect_within(Experiment experiment, int evaluations, double factor);

// Whether single precision parts from the truth by more than storing its weights explains: the limit of some
// tensor is 1e-3 or more; where errors are Euclidean, those of most learnt tensors are 0.05 or more. Units
// that are switched weigh most in small tensors whose terms cancel, which then have a wide limit of their
// own.
[[nodiscard]] bool is_chaotic(const Expectation& expectation);

// Where units switch, a small tensor may get a limit so wide that it proves little: whoever reads PASS must
// know. nullopt: no limit is that wide.
[[nodiscard]] std::optional<std::string> wide_limits_note(const Expectation& expectation);

}  // namespace dlbench::gate
