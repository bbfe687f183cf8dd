// embedding: rows of W are gathered, and gradients added to the rows that they came from. oneDNN has neither,
// so both are own loops.
#include <algorithm>

#include "ops.hpp"
#include "sgd.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;
using dnnl::memory;

// Floats of a cache line: threads that add to neighbouring columns do not share one.
constexpr std::int64_t line = 16;

struct Table {
  Weights* weight;
  std::int64_t vocabulary;
  std::int64_t features;
};

Table table_of(Program& program, const model::Node& node) {
  const sdk::Parameter& parameter = node.parameters[0];
  const memory::desc flat({model::element_count(parameter.shape)}, memory::data_type::f32,
                          memory::format_tag::x);
  Weights& weights = program.network().add_weights(parameter, sdk::Layout(parameter.shape), flat, flat);
  weights.velocity_in_product = may_fold_velocity(program.network().load().recipe);
  return {&weights, parameter.shape[0], parameter.shape[1]};
}

void gather(const Table& table, const std::int64_t* tokens, std::int64_t count, float* out) {
#pragma omp parallel for schedule(static) if (count * table.features > 8192)
  for (std::int64_t i = 0; i < count; ++i) {
    std::copy_n(table.weight->values.data() + tokens[i] * table.features, table.features,
                out + i * table.features);
  }
}

void scale(float* values, std::int64_t count, float factor) {
  if (factor == 0.0F) {
    std::fill_n(values, count, 0.0F);
    return;
  }
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] *= factor;
  }
}

// Threads share out columns: no two write to one element, a frequent token is no burden to one thread alone,
// and the order of additions is that of the tokens whatever the number of threads.
void scatter(const Table& table, const std::int64_t* tokens, std::int64_t count, float factor,
             const float* __restrict gradient, float* __restrict sums) {
  const std::int64_t features = table.features;
  const std::int64_t lines = (features + line - 1) / line;
#pragma omp parallel for schedule(static) if (count * features > 8192)
  for (std::int64_t l = 0; l < lines; ++l) {
    const std::int64_t end = std::min(features, (l + 1) * line);
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = l * line; j < end; ++j) {
        sums[tokens[i] * features + j] += factor * gradient[i * features + j];
      }
    }
  }
}

}  // namespace

Place* lower_embedding(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  const Table table = table_of(program, node);
  const std::int64_t count = program.rows() * inputs[0]->width();
  Place* out = program.add_place(node.output_shape, true);
  const StepNumbers* numbers = &program.network().numbers();
  program.forward(node.name + ".forward",
                  [=] { gather(table, numbers->tokens, count, out->values->data()); });
  if (!program.trains()) {
    return out;
  }
  // As in a dense layer the gradient may go straight into the velocity; rows that no token names are in it
  // too.
  program.backward({{node.name + ".backward",
                     [=] {
                       const bool folded = table.weight->velocity_in_product;
                       float* sums = (folded ? table.weight->velocity : table.weight->gradient).data();
                       scale(sums, table.vocabulary * table.features, folded ? numbers->momentum : 0.0F);
                       scatter(table, numbers->tokens, count, folded ? numbers->into_velocity() : 1.0F,
                               out->gradient->data(), sums);
                     }},
                    make_update(program.network(), *table.weight)});
  return out;
}

}  // namespace reference
