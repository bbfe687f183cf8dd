#include "optimizer.hpp"

namespace runner {

const dlbench::sdk::Table<AddUpdates>& optimizers() {
  static const dlbench::sdk::Table<AddUpdates> table("optimizer", {{"adadelta", add_adadelta},
                                                                   {"adagrad", add_adagrad},
                                                                   {"adam", add_adam},
                                                                   {"rmsprop", add_rmsprop},
                                                                   {"sgd", add_sgd}});
  return table;
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names = optimizers().names();
  names.insert(names.end(), {"nesterov", "clip=element", "clip=global_norm", "weight_ema"});
  return names;
}

}  // namespace runner
