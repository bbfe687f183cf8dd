// dropout: oneDNN 2.6 has none. The number that decides about an element is a hash of its place and of a key
// that is new in each step: the loop has no state, and its masks do not depend on the number of threads.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "ops.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;

// The output function of SplitMix64; its states are golden apart.
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

// What one program keeps of a layer. Steps are counted for good: a put must not bring old masks back.
struct Mask {
  std::uint64_t layer;
  std::uint64_t step;
  Buffer factors;  // 0 where an element was dropped

  void draw(float rate, std::int64_t count) {
    const std::uint64_t key = mixed(layer + golden * ++step);
    const auto limit = static_cast<std::uint32_t>(std::ldexp(static_cast<double>(rate), 32));
    const float kept = 1.0F / (1.0F - rate);
    float* __restrict to = factors.data();
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
      const auto number =
          static_cast<std::uint32_t>(mixed(key + golden * static_cast<std::uint64_t>(i)) >> 32U);
      to[i] = number < limit ? 0.0F : kept;
    }
  }
};

// Different for each layer and for the full and the partial batch.
std::uint64_t layer_key(const Program& program, const model::Node& node, std::uint64_t seed) {
  const std::uint64_t name = std::hash<std::string>()(node.name);
  return mixed(mixed(seed + golden) ^ name) + static_cast<std::uint64_t>(program.rows());
}

// to = from * factors
void scale(const Buffer& from, const Buffer& factors, const Buffer& to, std::int64_t count) {
  const float* __restrict x = from.data();
  const float* __restrict f = factors.data();
  float* __restrict y = to.data();
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = x[i] * f[i];
  }
}

}  // namespace

// A program that only infers has nothing to do here.
Place* lower_dropout(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  Place* in = inputs[0];
  if (!program.trains()) {
    return in;
  }
  Place* out = program.add_place(in->shape, in->gradient != nullptr);
  out->channels_last = in->channels_last;
  out->flattened = in->flattened;
  const auto rate = static_cast<float>(model::real(node, "rate"));
  const std::int64_t count = program.rows() * in->width();
  const std::uint64_t layer = layer_key(program, node, program.network().load().recipe.initialiser.seed);
  const auto mask = std::make_shared<Mask>(Mask{mixed(layer), 0, Buffer(static_cast<std::size_t>(count))});
  const StepNumbers* numbers = &program.network().numbers();
  program.forward(node.name + ".forward", [=] {
    if (!numbers->is_training) {
      std::copy_n(in->values->data(), count, out->values->data());
      return;
    }
    mask->draw(rate, count);
    scale(*in->values, mask->factors, *out->values, count);
  });
  if (in->gradient != nullptr) {
    program.backward(
        {{node.name + ".backward", [=] { scale(*out->gradient, mask->factors, *in->gradient, count); }}});
  }
  return out;
}

}  // namespace reference
