// dense as three matrix products. Weights stay [out, in]: for a layer behind a flatten the columns are
// permuted once, when they are put, so that nothing has to be reordered in the loop.
#include "ops.hpp"
#include "relu.hpp"
#include "sgd.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;
using dnnl::memory;

void multiply(char transpose_a, char transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
              const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
              std::int64_t ldc) {
  dnnl::error::wrap_c_api(static_cast<dnnl_status_t>(dnnl::sgemm(transpose_a, transpose_b, m, n, k, alpha, a,
                                                                 lda, b, ldb, beta, c, ldc)),
                          "a matrix product failed");
}

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

void sum_rows(const float* __restrict dy, float* __restrict sums, std::int64_t rows, std::int64_t width) {
  for (std::int64_t i = 0; i < width; ++i) {
    sums[i] = dy[i];
  }
  for (std::int64_t r = 1; r < rows; ++r) {
    for (std::int64_t i = 0; i < width; ++i) {
      sums[i] += dy[r * width + i];
    }
  }
}

memory::desc plain_matrix(const sdk::Parameter& parameter) {
  return {{parameter.shape[0], parameter.shape[1]}, memory::data_type::f32, memory::format_tag::ab};
}

Weights& matrix_of(Program& program, const Place& in, const sdk::Parameter& parameter) {
  sdk::Layout layout(parameter.shape);
  if (in.flattened) {
    layout = layout.channels_last(1, *in.flattened);
  }
  Weights& weights =
      program.network().add_weights(parameter, layout, plain_matrix(parameter), plain_matrix(parameter));
  weights.velocity_in_product = true;
  return weights;
}

Weights& bias_of(Program& program, const sdk::Parameter& parameter) {
  const memory::desc plain({parameter.shape[0]}, memory::data_type::f32, memory::format_tag::x);
  return program.network().add_weights(parameter, sdk::Layout(parameter.shape), plain, plain);
}

// y = x Wᵀ + b, row-major: x [rows, in], W [out, in].
void add_forward(Program& program, const std::string& name, const Place* in, const Place* out,
                 const Weights* weight, const Weights* bias) {
  const std::int64_t rows = program.rows();
  const std::int64_t ins = in->width();
  const std::int64_t outs = out->width();
  program.forward(name + ".forward", [=] {
    multiply('N', 'T', rows, outs, ins, 1.0F, in->values->data(), ins, weight->values.data(), ins, 0.0F,
             out->values->data(), outs);
  });
  if (bias != nullptr) {
    program.forward(name + ".bias",
                    [=] { add_bias(out->values->data(), bias->values.data(), rows, outs, out->has_relu); });
  }
}

std::vector<Task> backward_tasks(Program& program, const std::string& name, const Place* in, const Place* out,
                                 Weights* weight, Weights* bias) {
  const std::int64_t rows = program.rows();
  const std::int64_t ins = in->width();
  const std::int64_t outs = out->width();
  const StepNumbers* numbers = &program.network().numbers();
  std::vector<Task> tasks;
  if (out->has_relu) {
    tasks.push_back(make_mask(out, rows * outs, name));
  }
  // V <- momentum * V + into * dYᵀ X: the gradient never exists on its own.
  tasks.push_back({name + ".backward_weights", [=] {
                     multiply('T', 'N', outs, ins, rows, numbers->into_velocity(), out->gradient->data(),
                              outs, in->values->data(), ins, numbers->momentum, weight->velocity.data(), ins);
                   }});
  if (in->gradient != nullptr) {
    tasks.push_back({name + ".backward_data", [=] {
                       multiply('N', 'N', rows, ins, outs, 1.0F, out->gradient->data(), outs,
                                weight->values.data(), ins, 0.0F, in->gradient->data(), ins);
                     }});
  }
  tasks.push_back(make_update(program.network(), *weight));
  if (bias != nullptr) {
    tasks.push_back({name + ".backward_bias",
                     [=] { sum_rows(out->gradient->data(), bias->gradient.data(), rows, outs); }});
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
