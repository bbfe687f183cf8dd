// sigmoid, tanh and add: one pass over the numbers, whatever their layout.
#include "ops.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;
using dnnl::memory;

Place* like(Program& program, const Place& in, bool needs_gradient) {
  Place* out = program.add_place(in.shape, needs_gradient);
  out->channels_last = in.channels_last;
  out->flattened = in.flattened;
  return out;
}

// By oneDNN's vectorised exponential, which no compiler has.
Place* lower_by_eltwise(Program& program, const model::Node& node, Place* in, dnnl::algorithm algorithm) {
  Place* out = like(program, *in, in->gradient != nullptr);
  const memory::desc desc({program.rows() * in->width()}, memory::data_type::f32, memory::format_tag::x);
  const dnnl::eltwise_forward::desc wanted(dnnl::prop_kind::forward_inference, algorithm, desc, 0.0F, 0.0F);
  const auto chosen =
      require_fast(dnnl::eltwise_forward::primitive_desc(wanted, engine()), node.op + " " + node.name);
  memory source(desc, engine(), DNNL_MEMORY_NONE);
  if (in->values->data() == nullptr) {
    program.follow_input(source);
  } else {
    source.set_data_handle(in->values->data());
  }
  const memory target(desc, engine(), out->values->data());
  const auto call = std::make_shared<Call>(
      dnnl::eltwise_forward(chosen),
      std::vector<std::pair<int, memory>>{{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}});
  program.forward(node.name + ".forward", [call] { call->run(); });
  return out;
}

// dx = dy * slope(y)
template <class Slope>
void add_backward(Program& program, const model::Node& node, const Place* in, const Place* out, Slope slope) {
  if (in->gradient == nullptr) {
    return;
  }
  const std::int64_t count = program.rows() * in->width();
  program.backward({{node.name + ".backward", [=] {
                       const float* __restrict y = out->values->data();
                       const float* __restrict dy = out->gradient->data();
                       float* __restrict dx = in->gradient->data();
#pragma omp parallel for simd schedule(static)
                       for (std::int64_t i = 0; i < count; ++i) {
                         dx[i] = dy[i] * slope(y[i]);
                       }
                     }}});
}

// Both in the same order of elements.
void align(Program& program, Place*& left, Place*& right) {
  if (left->shape.size() == 3) {
    left = program.channels_last(left);
    right = program.channels_last(right);
    return;
  }
  const auto same = [](const Place& a, const Place& b) {
    return a.flattened.has_value() == b.flattened.has_value() &&
           (!a.flattened ||
            (a.flattened->channels == b.flattened->channels && a.flattened->height == b.flattened->height));
  };
  if (!same(*left, *right)) {
    left = program.canonical(left);
    right = program.canonical(right);
  }
}

}  // namespace

Place* lower_sigmoid(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  Place* out = lower_by_eltwise(program, node, inputs[0], dnnl::algorithm::eltwise_logistic);
  add_backward(program, node, inputs[0], out, [](float y) { return y * (1.0F - y); });
  return out;
}

Place* lower_tanh(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  Place* out = lower_by_eltwise(program, node, inputs[0], dnnl::algorithm::eltwise_tanh);
  add_backward(program, node, inputs[0], out, [](float y) { return 1.0F - y * y; });
  return out;
}

Place* lower_add(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  Place* left = inputs[0];
  Place* right = inputs[1];
  align(program, left, right);
  Place* out = like(program, *left, left->gradient != nullptr || right->gradient != nullptr);
  const std::int64_t count = program.rows() * left->width();
  program.forward(node.name + ".forward", [=] {
    const float* __restrict a = left->values->data();
    const float* __restrict b = right->values->data();
    float* __restrict y = out->values->data();
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
      y[i] = a[i] + b[i];
    }
  });
  std::vector<Task> tasks;
  for (const Place* in : {left, right}) {
    if (in->gradient != nullptr) {
      tasks.push_back({node.name + ".backward", [=] {
                         const float* __restrict from = out->gradient->data();
                         float* __restrict to = in->gradient->data();
#pragma omp parallel for simd schedule(static)
                         for (std::int64_t i = 0; i < count; ++i) {
                           to[i] = from[i];
                         }
                       }});
    }
  }
  program.backward(tasks);
  return out;
}

}  // namespace reference
