// LeNet's training loop in MXNet's C API as one writes it by hand, without anything of dlbench. THREADS is in
// force through OMP_NUM_THREADS in the environment.
#include <cstdint>

#include "../hand.hpp"
#include "lenet.hpp"

int main(int count, char** words) {
  const hand::Arguments arguments = hand::read_arguments(count, words);
  hand::LeNet model(arguments.parameters);
  const auto train = [&](std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i) {
      const std::int64_t first = i % arguments.batches * hand::batch_size;
      model.step(arguments.inputs + first * hand::picture_values, arguments.targets + first);
    }
    hand::check(MXNDArrayWaitAll());
  };
  hand::serve(train, [&] { return model.loss(); });
  return 0;
}
