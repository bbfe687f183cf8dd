// LeNet's training loop in TensorFlow's C API as one writes it by hand, without anything of dlbench: a graph,
// and one TF_SessionRun for each step on tensors made before.
#include <tensorflow/c/c_api.h>

#include <array>
#include <cstdint>
#include <vector>

#include "../hand.hpp"
#include "lenet.hpp"

namespace {

using hand::batch_size;
using Batch = std::array<TF_Tensor*, 2>;  // input, target

// A ConfigProto: intra_op_parallelism_threads (below 128), inter_op_parallelism_threads 1,
// use_per_session_threads.
TF_Session* start(TF_Graph* graph, int threads) {
  const std::array<unsigned char, 6> config{0x10, static_cast<unsigned char>(threads), 0x28, 1, 0x48, 1};
  TF_Status* status = TF_NewStatus();
  TF_SessionOptions* options = TF_NewSessionOptions();
  TF_SetConfig(options, config.data(), config.size(), status);
  hand::check(status);
  TF_Session* session = TF_NewSession(graph, options, status);
  hand::check(status);
  TF_DeleteSessionOptions(options);
  TF_DeleteStatus(status);
  return session;
}

std::vector<Batch> wrap_batches(const hand::Arguments& arguments) {
  std::vector<Batch> batches;
  for (std::int64_t i = 0; i < arguments.batches; ++i) {
    batches.push_back({hand::wrapped(TF_FLOAT, {batch_size, 28, 28, 1},
                                     arguments.inputs + i * batch_size * hand::picture_values),
                       hand::wrapped(TF_INT64, {batch_size}, arguments.targets + i * batch_size)});
  }
  return batches;
}

}  // namespace

int main(int count, char** words) {
  const hand::Arguments arguments = hand::read_arguments(count, words);
  hand::LeNet model;
  TF_Session* session = start(model.graph(), arguments.threads);
  model.initialise(session, arguments.parameters);
  const std::vector<Batch> batches = wrap_batches(arguments);
  const std::array<TF_Output, 2> feeds{model.input(), model.target()};
  const TF_Output fetch = model.loss();
  TF_Status* status = TF_NewStatus();
  TF_Tensor* loss = nullptr;
  const auto train = [&](std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i) {
      const Batch& batch = batches[static_cast<std::size_t>(i) % batches.size()];
      TF_DeleteTensor(loss);
      TF_SessionRun(session, nullptr, feeds.data(), batch.data(), 2, &fetch, &loss, 1, model.updates().data(),
                    static_cast<int>(model.updates().size()), nullptr, status);
      hand::check(status);
    }
  };
  hand::serve(train, [&] { return *static_cast<float*>(TF_TensorData(loss)); });
  return 0;
}
