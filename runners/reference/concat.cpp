// concat: in NHWC the channels of each cell lie one input after the other, as features of a sample do, and as
// its positions do with all their features.
#include <algorithm>

#include "ops.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;

struct Part {
  const Place* place;
  std::int64_t offset;  // in a row of the output
  std::int64_t width;
};

// Calls copy(row of the part, the same row of the output, width) for all rows.
template <class Copy>
void for_each_row(const Part& part, float* values, float* all, std::int64_t rows, std::int64_t width,
                  Copy copy) {
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < rows; ++r) {
    copy(values + r * part.width, all + r * width + part.offset, part.width);
  }
}

}  // namespace

Place* lower_concat(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  std::vector<Part> parts;
  std::int64_t width = 0;
  bool needs_gradient = false;
  for (Place* input : inputs) {
    const Place* place = input->shape.size() == 3 ? program.channels_last(input) : program.canonical(input);
    const std::int64_t part = place->shape.size() == 3 ? place->shape[0] : place->width();
    parts.push_back({place, width, part});
    width += part;
    needs_gradient = needs_gradient || place->gradient != nullptr;
  }
  Place* out = program.add_place(node.output_shape, needs_gradient);
  const std::int64_t rows = program.rows() * out->width() / width;
  std::vector<Task> tasks;
  for (const Part& part : parts) {
    program.forward(node.name + ".forward", [=] {
      for_each_row(part, part.place->values->data(), out->values->data(), rows, width,
                   [](const float* from, float* to, std::int64_t count) { std::copy_n(from, count, to); });
    });
    if (part.place->gradient != nullptr) {
      tasks.push_back({node.name + ".backward", [=] {
                         for_each_row(part, part.place->gradient->data(), out->gradient->data(), rows, width,
                                      [](float* to, const float* from, std::int64_t count) {
                                        std::copy_n(from, count, to);
                                      });
                       }});
    }
  }
  program.backward(tasks);
  return out;
}

}  // namespace reference
