// The tables of `dlbench verify`: operators, recipes, networks or known faults by frameworks. Without names:
// every installed framework. Exit code 1 when a framework is not there or a cell is not sound.
#pragma once

#include "dlbench/verify_options.hpp"

namespace dlbench::app {

// Sound: it computes the same, or the framework has not what it needs.
[[nodiscard]] int verify_operators(const VerifyOptions& options);
// The same for the recipes of gate/sample_recipes.hpp on one small network.
[[nodiscard]] int verify_recipes(const VerifyOptions& options);
// The same for every built-in network, on the options' data where they fit, else on synthetic ones;
// certificates are stored.
[[nodiscard]] int verify_networks(const VerifyOptions& options);
// Sound: every fault that could be tried was noticed.
[[nodiscard]] int verify_known_faults(const VerifyOptions& options);

}  // namespace dlbench::app
