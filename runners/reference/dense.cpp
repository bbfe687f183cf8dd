// dense as three matrix products. Weights are kept [in, out], for a layer behind a flatten with the rows
// permuted to the order of NHWC: both once, when they are put, so that nothing has to be reordered in the
// loop. Positions, where there are several, are rows like those of the batch.
#include "ops.hpp"
#include "products.hpp"
#include "relu.hpp"
#include "sgd.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;
using dnnl::memory;

void add_bias(float* __restrict y, const float* __restrict bias, std::int64_t rows, std::int64_t width,
              bool relu) {
#pragma omp parallel for schedule(static) if (rows * width > 8192)
  for (std::int64_t r = 0; r < rows; ++r) {
    float* row = y + r * width;
    if (relu) {
      for (std::int64_t i = 0; i < width; ++i) {
        const float sum = row[i] + bias[i];
        row[i] = sum > 0.0F ? sum : 0.0F;
      }
    } else {
      for (std::int64_t i = 0; i < width; ++i) {
        row[i] += bias[i];
      }
    }
  }
}

memory::desc flat(const sdk::Parameter& parameter) {
  return {{model::element_count(parameter.shape)}, memory::data_type::f32, memory::format_tag::x};
}

Weights& matrix_of(Program& program, const Place& in, const sdk::Parameter& parameter) {
  sdk::Layout layout(parameter.shape);
  if (in.flattened) {
    layout = layout.channels_last(1, *in.flattened);
  }
  Weights& weights =
      program.network().add_weights(parameter, layout.transpose(), flat(parameter), flat(parameter));
  weights.velocity_in_product = may_fold_velocity(program.network().load().recipe);
  return weights;
}

Weights& bias_of(Program& program, const sdk::Parameter& parameter) {
  return program.network().add_weights(parameter, sdk::Layout(parameter.shape), flat(parameter),
                                       flat(parameter));
}

// y = x Wᵀ + b, row-major: x [rows, in], weights [in, out].
void add_forward(Program& program, const std::string& name, const Place* in, const Place* out,
                 const Weights* weight, const Weights* bias) {
  const std::int64_t ins = in->shape.back();
  const std::int64_t outs = out->shape.back();
  const std::int64_t rows = program.rows() * out->width() / outs;
  program.forward(name + ".forward", [=] {
    multiply('N', 'N', rows, outs, ins, 1.0F, in->values->data(), ins, weight->values.data(), outs, 0.0F,
             out->values->data(), outs);
  });
  if (bias != nullptr) {
    program.forward(name + ".bias",
                    [=] { add_bias(out->values->data(), bias->values.data(), rows, outs, out->has_relu); });
  }
}

std::vector<Task> backward_tasks(Program& program, const std::string& name, const Place* in, const Place* out,
                                 Weights* weight, Weights* bias) {
  const std::int64_t ins = in->shape.back();
  const std::int64_t outs = out->shape.back();
  const std::int64_t rows = program.rows() * out->width() / outs;
  const StepNumbers* numbers = &program.network().numbers();
  std::vector<Task> tasks;
  if (out->has_relu) {
    tasks.push_back(make_mask(out, rows * outs, name));
  }
  tasks.push_back({name + ".backward_weights", [=] {
                     const bool folded = weight->velocity_in_product;
                     // V <- momentum * V + into * Xᵀ dY: the gradient never exists on its own.
                     multiply('T', 'N', ins, outs, rows, folded ? numbers->into_velocity() : 1.0F,
                              in->values->data(), ins, out->gradient->data(), outs,
                              folded ? numbers->momentum : 0.0F,
                              folded ? weight->velocity.data() : weight->gradient.data(), outs);
                   }});
  if (in->gradient != nullptr) {
    tasks.push_back({name + ".backward_data", [=] {
                       multiply('N', 'T', rows, ins, outs, 1.0F, out->gradient->data(), outs,
                                weight->values.data(), outs, 0.0F, in->gradient->data(), ins);
                     }});
  }
  tasks.push_back(make_update(program.network(), *weight));
  if (bias != nullptr) {
    tasks.push_back({name + ".backward_bias",
                     [=] { sum_columns(out->gradient->data(), bias->gradient.data(), rows, outs); }});
    tasks.push_back(make_update(program.network(), *bias));
  }
  return tasks;
}

}  // namespace

Place* lower_dense(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  const Place* in = inputs[0];
  const bool has_bias = model::flag(node, "bias");
  Weights* weight = &matrix_of(program, *in, node.parameters[0]);
  Weights* bias = has_bias ? &bias_of(program, node.parameters[1]) : nullptr;
  Place* out = program.add_place(node.output_shape, true);
  // The relu shares the pass that adds the bias.
  out->has_relu = has_bias && program.relu_follows(node);
  add_forward(program, node.name, in, out, weight, bias);
  if (program.trains()) {
    program.backward(backward_tasks(program, node.name, in, out, weight, bias));
  }
  return out;
}

}  // namespace reference
