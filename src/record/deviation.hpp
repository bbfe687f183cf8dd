// The deviations that a certificate may name.
#pragma once

#include <array>
#include <string_view>

namespace dlbench::record {

struct DeviationName {
  std::string_view name;
  // Another formula than the recipe's, so another training: ranked only where the study accepts it by name.
  // The others reach the recipe's own numbers.
  bool is_other_formula = true;
};

inline constexpr std::array deviation_names = {
    DeviationName{"ties_all"},
    DeviationName{"momentum=rate_inside"},
    DeviationName{"ema_biased"},
    DeviationName{"double_bias"},
    DeviationName{.name = "coarse_rounding", .is_other_formula = false},
    DeviationName{.name = "assisted", .is_other_formula = false},
};

// nullptr: there is none of this name.
[[nodiscard]] constexpr const DeviationName* find_deviation_name(std::string_view name) {
  for (const DeviationName& known : deviation_names) {
    if (known.name == name) {
      return &known;
    }
  }
  return nullptr;
}

}  // namespace dlbench::record
