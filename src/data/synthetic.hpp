// Made-up pictures and sequences of any shape, for networks whose data are not at hand: they can be proved
// and timed, but their accuracy says nothing about anything else.
#pragma once

#include <cstdint>

#include "data/dataset.hpp"

namespace dlbench::data {

inline constexpr const char* synthetic_name = "synthetic";

struct Picture {
  std::int64_t channels = 1;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

// 4128 training and 512 test samples, a pure function of shape and class count. Each class has a bright blob
// of its own in each plane, with noise in place and height; everything else is exactly zero, as in pictures
// of digits.
[[nodiscard]] Dataset make_synthetic(const Picture& picture, std::int64_t classes);

struct Sequences {
  std::int64_t positions = 0;
  std::int64_t vocabulary = 0;
  bool label_each = false;  // a label for each position, the next token; else one for a sample
};

// As many sequences, about half of whose tokens follow from the token before.
[[nodiscard]] Dataset make_synthetic(const Sequences& sequences, std::int64_t classes);

}  // namespace dlbench::data
