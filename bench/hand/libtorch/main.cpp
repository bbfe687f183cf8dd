// LeNet's training loop in libtorch as one writes it by hand, without anything of dlbench.
//
//   hand_libtorch FILE BATCHES THREADS
//
// FILE holds the inputs of all batches, then their targets, then the initial parameters. Each line "n" on
// descriptor 3 asks for n steps; the answer is one line with the nanoseconds they took and the last loss.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <torch/torch.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t batch_size = 64;

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

char* map_file(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info = {};
  if (file < 0 || fstat(file, &info) != 0) {
    throw std::runtime_error(std::string("cannot open ") + path);
  }
  void* bytes = mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_POPULATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED) {
    throw std::runtime_error(std::string("cannot map ") + path);
  }
  return static_cast<char*>(bytes);
}

std::vector<Batch> read_batches(char* bytes, std::int64_t count) {
  auto* input = reinterpret_cast<float*>(bytes);
  auto* target = reinterpret_cast<std::int64_t*>(input + count * batch_size * 28 * 28);
  std::vector<Batch> batches;
  for (std::int64_t i = 0; i < count; ++i) {
    batches.push_back({torch::from_blob(input + i * batch_size * 28 * 28, {batch_size, 1, 28, 28}),
                       torch::from_blob(target + i * batch_size, {batch_size}, torch::kInt64)});
  }
  return batches;
}

void read_parameters(char* bytes, std::int64_t batches, LeNet& model) {
  const torch::NoGradGuard no_grad;
  auto* values = reinterpret_cast<float*>(
      bytes +
      batches * batch_size * static_cast<std::int64_t>(28 * 28 * sizeof(float) + sizeof(std::int64_t)));
  for (torch::Tensor& parameter : model.parameters()) {
    parameter.copy_(torch::from_blob(values, parameter.sizes()));
    values += parameter.numel();
  }
}

void serve(LeNet& model, const std::vector<Batch>& batches) {
  torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  FILE* requests = fdopen(3, "r");
  std::int64_t steps = 0;
  while (requests != nullptr && std::fscanf(requests, "%ld", &steps) == 1) {
    torch::Tensor loss;
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < steps; ++i) {
      const Batch& batch = batches[static_cast<std::size_t>(i) % batches.size()];
      optimizer.zero_grad();
      loss = torch::nn::functional::cross_entropy(model.forward(batch.data), batch.target);
      loss.backward();
      optimizer.step();
    }
    const auto end = std::chrono::steady_clock::now();
    const std::int64_t elapsed_ns = std::chrono::nanoseconds(end - begin).count();
    dprintf(3, "%ld %.9g\n", elapsed_ns, loss.item<double>());
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: hand_libtorch FILE BATCHES THREADS\n");
    return 2;
  }
  const std::int64_t batches = std::atol(arguments[2]);
  torch::set_num_threads(std::atoi(arguments[3]));
  char* bytes = map_file(arguments[1]);
  LeNet model;
  read_parameters(bytes, batches, model);
  model.train();
  serve(model, read_batches(bytes, batches));
  return 0;
}
