// What the C++ programs written by hand have in common: the file they read, the requests they answer.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace hand {

constexpr std::int64_t batch_size = 64;
constexpr std::int64_t picture_values = 28 * 28;
constexpr float rate = 0.01F;
constexpr float momentum = 0.9F;

struct Arguments {
  std::int64_t batches = 0;
  int threads = 0;
  float* inputs = nullptr;          // [batches, batch_size, 1, 28, 28]
  std::int64_t* targets = nullptr;  // [batches, batch_size]
  float* parameters = nullptr;      // in the network's order, weight [out, in, …] before bias
};

// The file's pages, private to this process until it ends.
inline void* map_file(const char* path) {
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
  return bytes;
}

// PROGRAM FILE BATCHES THREADS. FILE holds the inputs of all batches, their targets, the initial parameters.
inline Arguments read_arguments(int count, char** arguments) {
  if (count != 4) {
    throw std::runtime_error("wanted: FILE BATCHES THREADS");
  }
  Arguments read;
  read.batches = std::atol(arguments[2]);
  read.threads = std::atoi(arguments[3]);
  read.inputs = static_cast<float*>(map_file(arguments[1]));
  read.targets = reinterpret_cast<std::int64_t*>(read.inputs + read.batches * batch_size * picture_values);
  read.parameters = reinterpret_cast<float*>(read.targets + read.batches * batch_size);
  return read;
}

// Each line "n" on descriptor 3 asks for n steps; the answer is one line with the nanoseconds that they took
// and the last loss. `train(n)` returns when its steps are done.
template <class Train, class Loss>
void serve(const Train& train, const Loss& loss) {
  FILE* requests = fdopen(3, "r");
  std::int64_t steps = 0;
  while (requests != nullptr && std::fscanf(requests, "%ld", &steps) == 1) {
    const auto begin = std::chrono::steady_clock::now();
    train(steps);
    const auto end = std::chrono::steady_clock::now();
    const std::int64_t elapsed_ns = std::chrono::nanoseconds(end - begin).count();
    dprintf(3, "%ld %.9g\n", elapsed_ns, static_cast<double>(loss()));
  }
}

}  // namespace hand
