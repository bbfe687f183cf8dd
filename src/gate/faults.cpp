#include "gate/faults/faults.hpp"

namespace dlbench::gate {

const std::vector<Fault>& builtin_faults() {
  static const std::vector<Fault> faults = {
      rate_times_ten(),        rate_ignored(),
      rate_silently_decayed(), sum_for_mean(),
      decay_missing(),         decay_doubled(),
      decay_as_rate_decay(),   dampening(),
      other_momentum_form(),   nesterov_ignored(),
      clip_ignored(),          average_ignored(),
      stale_evaluation(),      bias_correction_missing(),
      epsilon_misplaced(),     dropout_never(),
      dropout_swapped(),       dropout_in_evaluation(),
      dropout_one_mask(),      batch_statistics_in_evaluation(),
      statistics_frozen(),     double_bias(),
      forget_bias_added(),     swapped_gates(),
      relu_on_logits(),        ceil_pooling(),
      swapped_hidden_sizes(),  transposed_weight(),
      flipped_kernel(),        scrambled_planes(),
      wrong_order(),           subset_2000(),
      ties_to_all(),           weight_race(),
      reduced_precision(),
  };
  return faults;
}

}  // namespace dlbench::gate
