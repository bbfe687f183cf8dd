// LeNet's training loop in libtorch as one writes it by hand, without anything of dlbench.
#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "../hand.hpp"

namespace {

using hand::batch_size;

struct LeNet : torch::nn::Module {
  torch::nn::Conv2d conv1 = register_module("conv1", torch::nn::Conv2d(1, 20, 5));
  torch::nn::Conv2d conv2 = register_module("conv2", torch::nn::Conv2d(20, 50, 5));
  torch::nn::Linear fc1 = register_module("fc1", torch::nn::Linear(800, 500));
  torch::nn::Linear fc2 = register_module("fc2", torch::nn::Linear(500, 10));

  torch::Tensor forward(torch::Tensor x) {
    x = torch::max_pool2d(conv1->forward(x), 2);
    x = torch::max_pool2d(conv2->forward(x), 2);
    x = torch::flatten(x, 1);
    x = torch::relu(fc1->forward(x));
    return fc2->forward(x);
  }
};

struct Batch {
  torch::Tensor data;
  torch::Tensor target;
};

std::vector<Batch> wrap_batches(const hand::Arguments& arguments) {
  std::vector<Batch> batches;
  for (std::int64_t i = 0; i < arguments.batches; ++i) {
    batches.push_back(
        {torch::from_blob(arguments.inputs + i * batch_size * hand::picture_values, {batch_size, 1, 28, 28}),
         torch::from_blob(arguments.targets + i * batch_size, {batch_size}, torch::kInt64)});
  }
  return batches;
}

void set_parameters(LeNet& model, float* values) {
  const torch::NoGradGuard no_grad;
  for (torch::Tensor& parameter : model.parameters()) {
    parameter.copy_(torch::from_blob(values, parameter.sizes()));
    values += parameter.numel();
  }
}

}  // namespace

int main(int count, char** words) {
  const hand::Arguments arguments = hand::read_arguments(count, words);
  torch::set_num_threads(arguments.threads);
  LeNet model;
  set_parameters(model, arguments.parameters);
  model.train();
  const std::vector<Batch> batches = wrap_batches(arguments);
  torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  torch::Tensor loss;
  const auto train = [&](std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i) {
      const Batch& batch = batches[static_cast<std::size_t>(i) % batches.size()];
      optimizer.zero_grad();
      loss = torch::nn::functional::cross_entropy(model.forward(batch.data), batch.target);
      loss.backward();
      optimizer.step();
    }
  };
  hand::serve(train, [&] { return loss.item<double>(); });
  return 0;
}
