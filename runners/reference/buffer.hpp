// Memory of activations and weights: allocated once, zeroed and thereby present before anything is timed.
#pragma once

#include <cstddef>
#include <memory>

namespace reference {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t count);

  [[nodiscard]] float* data() const { return data_; }
  // Memory of somebody else, such as a batch in the arena.
  void alias(float* data) { data_ = data; }

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  std::unique_ptr<void, Free> owned_;
  float* data_ = nullptr;
};

}  // namespace reference
