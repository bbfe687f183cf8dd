#include "relu.hpp"

#include <algorithm>

#include "ops.hpp"

namespace reference {

Task make_mask(const Place* place, std::int64_t count, const std::string& node) {
  return {node + ".mask", [=] {
            if (place->masked_by_reader) {
              return;
            }
            const float* __restrict values = place->values->data();
            float* __restrict gradient = place->gradient->data();
#pragma omp parallel for simd schedule(static)
            for (std::int64_t i = 0; i < count; ++i) {
              gradient[i] = values[i] > 0.0F ? gradient[i] : 0.0F;
            }
          }};
}

// Where the producer has taken the relu in, nothing is left to do.
Place* lower_relu(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs) {
  Place* in = inputs[0];
  if (in->has_relu) {
    return in;
  }
  Place* out = program.add_place(in->shape, in->gradient != nullptr);
  out->channels_last = in->channels_last;
  out->flattened = in->flattened;
  const std::int64_t count = program.rows() * in->width();
  program.forward(node.name + ".forward", [=] {
    const float* __restrict x = in->values->data();
    float* __restrict y = out->values->data();
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
      y[i] = x[i] > 0.0F ? x[i] : 0.0F;
    }
  });
  if (in->gradient != nullptr) {
    program.backward({{node.name + ".backward", [=] {
                         const float* __restrict y = out->values->data();
                         const float* __restrict dy = out->gradient->data();
                         float* __restrict dx = in->gradient->data();
#pragma omp parallel for simd schedule(static)
                         for (std::int64_t i = 0; i < count; ++i) {
                           dx[i] = y[i] > 0.0F ? dy[i] : 0.0F;
                         }
                       }}});
  }
  return out;
}

}  // namespace reference
