// The numbers behind every limit of the gate; docs/gate.md says where each comes from.
#pragma once

#include <array>
#include <cstdint>

namespace dlbench::gate {

// Half the distance of floats around 1: what one rounding can do, relatively.
inline constexpr double round_off = 0x1.0p-24;
// No limit is below this many round-offs: an envelope of lucky roundings must not fail an honest framework.
inline constexpr double floor_units = 16.0;
// A limit is the envelope times this; fewer evaluations see less of the envelope and get the wider factor.
inline constexpr int full_evaluations = 32;
inline constexpr int reduced_evaluations = 8;
inline constexpr double full_factor = 8.0;
inline constexpr double reduced_factor = 16.0;

// Where a runner declares functions that are less exact than single precision (vectorised exponentials):
// three bits of the mantissa.
inline constexpr double coarse_factor = 8.0;

// Samples whose classes are compared where a case is inference.
inline constexpr std::int64_t least_inference_samples = 256;

// Rows of a verification batch: few, so that no relu or pool decision hangs on rounding.
inline constexpr std::int64_t verification_rows = 8;
inline constexpr int most_candidates = 32;
inline constexpr float largest_noise = 0.02F;
inline constexpr int step_candidates = 16;  // per step of a trajectory
inline constexpr int ties_candidates = 24;  // six sizes of the window whose background stays flat
// A relu input or a pool maximum nearer than this to its rival (relative to its tensor's largest value in the
// batch) may flip in single precision. Pools have the narrower margin because most of their near ties lie in
// flat regions, where rounding is small too.
inline constexpr double relu_margin = 32.0 * round_off;
inline constexpr double pool_margin = 16.0 * round_off;

// function.gradient: the step must be this many times larger than the weights that it is read through.
inline constexpr double gradient_dominance = 1024.0;
// A step beyond this would leave the range of floats on the way.
inline constexpr double largest_step = 0x1.0p100;

// steps: the longest run that single precision does not turn into chaos.
inline constexpr double chaos_limit = 1e-3;
// Where near ties are left, errors are Euclidean and single precision parts from itself by the units that it
// switches. A fault that changes half of a step is still seen at ten limits.
inline constexpr double euclidean_chaos_limit = 0.05;
inline constexpr std::int64_t most_steps = 10;
inline constexpr std::int64_t fewest_steps = 3;
// The lengths that are tried, the longest first: each costs all trajectories.
inline constexpr std::array<std::int64_t, 5> run_lengths = {most_steps, 7, 5, 4, fewest_steps};

// The same for timed.steps, which may have to be shorter: one step at least.
inline constexpr std::array<std::int64_t, 6> timed_lengths = {most_steps, 7, 5, 4, fewest_steps, 1};
// Shares of the recipe's rate that are tried. Where a step turns rounding into another network, a smaller one
// does not.
inline constexpr std::array<double, 4> slowed_rates = {1.0, 0x1.0p-4, 0x1.0p-8, 0x1.0p-12};
// Single-precision evaluations that look whether more are worth while.
inline constexpr int probing_evaluations = 2;

// An element that errs by more than this share of chaos_limit, once the factor is taken off, is undetermined.
inline constexpr double undetermined_share = 0.25;

// A simulated fault below this many limits is not provable.
inline constexpr double provable_effect = 10.0;

// A loss near zero carries the rounding of the logits, which are of order one.
inline constexpr double smallest_loss_scale = 1e-3;

}  // namespace dlbench::gate
