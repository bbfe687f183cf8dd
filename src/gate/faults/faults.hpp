// One function per known fault, each defined in the file of its name.
#pragma once

#include "gate/fault.hpp"

namespace dlbench::gate {

[[nodiscard]] Fault average_ignored();
[[nodiscard]] Fault batch_statistics_in_evaluation();
[[nodiscard]] Fault bias_correction_missing();
[[nodiscard]] Fault ceil_pooling();
[[nodiscard]] Fault clip_ignored();
[[nodiscard]] Fault dampening();
[[nodiscard]] Fault decay_as_rate_decay();
[[nodiscard]] Fault decay_doubled();
[[nodiscard]] Fault decay_missing();
[[nodiscard]] Fault double_bias();
[[nodiscard]] Fault dropout_in_evaluation();
[[nodiscard]] Fault dropout_never();
[[nodiscard]] Fault dropout_one_mask();
[[nodiscard]] Fault dropout_swapped();
[[nodiscard]] Fault epsilon_misplaced();
[[nodiscard]] Fault flipped_kernel();
[[nodiscard]] Fault forget_bias_added();
[[nodiscard]] Fault nesterov_ignored();
[[nodiscard]] Fault other_momentum_form();
[[nodiscard]] Fault rate_ignored();
[[nodiscard]] Fault rate_silently_decayed();
[[nodiscard]] Fault rate_times_ten();
[[nodiscard]] Fault reduced_precision();
[[nodiscard]] Fault relu_on_logits();
[[nodiscard]] Fault scrambled_planes();
[[nodiscard]] Fault stale_evaluation();
[[nodiscard]] Fault statistics_frozen();
[[nodiscard]] Fault subset_2000();
[[nodiscard]] Fault sum_for_mean();
[[nodiscard]] Fault swapped_gates();
[[nodiscard]] Fault swapped_hidden_sizes();
[[nodiscard]] Fault ties_to_all();
[[nodiscard]] Fault transposed_weight();
[[nodiscard]] Fault weight_race();
[[nodiscard]] Fault wrong_order();

}  // namespace dlbench::gate
