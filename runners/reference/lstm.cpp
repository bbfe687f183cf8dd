// lstm by oneDNN's primitives. Their activations have positions outermost (tag `tnc`) and are turned on the
// way in and out. Weights stay in the layout that the forward primitive asks for, and its gates have the
// order of ours: i, f, g, o. The backward primitive reads them transposed, so they are reordered once in each
// step. The zeros that a layer starts from are given: where they are left out, oneDNN 2.6.3 takes something
// else for them in the gradient of the recurrent weights.
#include <algorithm>
#include <array>
#include <memory>

#include "ops.hpp"
#include "sgd.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;
using dnnl::memory;
using Arguments = std::vector<std::pair<int, memory>>;
using Forward = dnnl::lstm_forward;
using Backward = dnnl::lstm_backward;
using Tag = memory::format_tag;

constexpr std::int64_t gates = 4;
constexpr auto left_to_right = dnnl::rnn_direction::unidirectional_left2right;

memory::desc described(const memory::dims& extents, Tag tag) {
  return {extents, memory::data_type::f32, tag};
}

std::shared_ptr<Buffer> buffer_for(const memory::desc& desc) {
  return std::make_shared<Buffer>(desc.get_size() / sizeof(float));
}

memory over(const memory::desc& desc, const Buffer& buffer) {
  return {desc, engine(), buffer.data()};
}

Task task(std::string name, const dnnl::primitive& primitive, const Arguments& arguments) {
  const auto call = std::make_shared<Call>(primitive, arguments);
  return {std::move(name), [call] { call->run(); }};
}

// One layer of one program while it is being built.
class Lstm {
 public:
  Lstm(Program& program, const model::Node& node, const Place* in);

  void add_forward();
  void add_backward();
  [[nodiscard]] Place* out() const { return out_; }

 private:
  [[nodiscard]] memory::desc matrix(std::size_t parameter, Tag tag) const;
  [[nodiscard]] Forward::primitive_desc choose_forward(Tag weights) const;
  [[nodiscard]] Forward::primitive_desc choose_forward() const;
  [[nodiscard]] Backward::primitive_desc choose_backward() const;
  void give_last_state();
  void add_parameters();
  [[nodiscard]] memory source();
  [[nodiscard]] Task turn(const std::string& name, const memory& from, const memory& to) const;
  [[nodiscard]] memory fitted(const Weights& kept, const memory::desc& wanted,
                              std::vector<Task>& tasks) const;
  [[nodiscard]] Task clear_gradients() const;
  [[nodiscard]] Arguments backward_arguments(const Backward::primitive_desc& chosen,
                                             std::vector<Task>& tasks) const;
  void report(const char* what, const char* implementation);

  Program& program_;
  const model::Node& node_;
  const Place* in_;
  Place* out_;
  bool last_only_;
  std::int64_t positions_;
  std::int64_t hidden_;
  memory::desc source_;  // positions outermost
  memory::desc target_;
  memory::desc bias_row_;
  memory::desc start_;         // of h and of c
  std::shared_ptr<Buffer> x_;  // of all positions, as are the next three
  std::shared_ptr<Buffer> dx_;
  std::shared_ptr<Buffer> h_;
  std::shared_ptr<Buffer> dh_;
  std::shared_ptr<Buffer> zeros_;                  // h and c before the first position
  std::array<std::shared_ptr<Buffer>, 2> unread_;  // their gradients
  Forward::primitive_desc forward_;
  memory workspace_;
  Weights* weight_ = nullptr;
  Weights* recurrent_ = nullptr;
  Weights* bias_ = nullptr;
};

Lstm::Lstm(Program& program, const model::Node& node, const Place* in)
    : program_(program),
      node_(node),
      in_(in),
      out_(program.add_place(node.output_shape, true)),
      last_only_(model::flag(node, "last_only")),
      positions_(in->shape[0]),
      hidden_(model::integer(node, "hidden")),
      source_(described({positions_, program.rows(), in->shape[1]}, Tag::tnc)),
      target_(described({positions_, program.rows(), hidden_}, Tag::tnc)),
      bias_row_(described({1, 1, gates, hidden_}, Tag::ldgo)),
      start_(described({1, 1, program.rows(), hidden_}, Tag::ldnc)),
      x_(buffer_for(source_)),
      h_(buffer_for(target_)),
      zeros_(buffer_for(start_)),
      forward_(choose_forward()) {
  if (program.trains()) {
    dx_ = buffer_for(source_);
    dh_ = buffer_for(target_);
    unread_ = {buffer_for(start_), buffer_for(start_)};
  }
  if (last_only_) {
    give_last_state();
  }
  add_parameters();
}

// The last h of all rows is one piece of memory, which the reader is given as it lies. The gradients of the
// others are never written and stay zero.
void Lstm::give_last_state() {
  const std::int64_t before = (positions_ - 1) * program_.rows() * hidden_;
  out_->values->alias(h_->data() + before);
  if (program_.trains()) {
    out_->gradient->alias(dh_->data() + before);
  }
}

// Of a weight as oneDNN sees it: [layer, direction, in, gate, out].
memory::desc Lstm::matrix(std::size_t parameter, Tag tag) const {
  return described({1, 1, node_.parameters[parameter].shape[1], gates, hidden_}, tag);
}

Forward::primitive_desc Lstm::choose_forward(Tag weights) const {
  const memory::desc none;  // the last states are not wanted apart
  const auto kind =
      program_.trains() ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  const Forward::desc wanted(kind, left_to_right, source_, start_, start_, matrix(0, weights),
                             matrix(1, weights), bias_row_, target_, none, none);
  return {wanted, engine()};
}

// oneDNN has packed weights too, for inference of one position, but cannot unpack them for a `get`.
Forward::primitive_desc Lstm::choose_forward() const {
  Forward::primitive_desc chosen = choose_forward(Tag::any);
  const auto is_blocked = [](const memory::desc& desc) { return desc.data.format_kind == dnnl_blocked; };
  return is_blocked(chosen.weights_layer_desc()) && is_blocked(chosen.weights_iter_desc())
             ? chosen
             : choose_forward(Tag::ldigo);
}

Backward::primitive_desc Lstm::choose_backward() const {
  const memory::desc none;
  const Backward::desc wanted(dnnl::prop_kind::backward, left_to_right, source_, start_, start_,
                              matrix(0, Tag::any), matrix(1, Tag::any), bias_row_, target_, none, none,
                              source_, start_, start_, weight_->desc, recurrent_->desc, bias_row_, target_,
                              none, none);
  return {wanted, engine(), forward_};
}

void Lstm::add_parameters() {
  const auto matrix_of = [&](std::size_t index, const memory::desc& desc) {
    const sdk::Parameter& parameter = node_.parameters[index];
    return &program_.network().add_weights(parameter, sdk::Layout(parameter.shape).transpose(),
                                           matrix(index, Tag::ldigo), desc);
  };
  weight_ = matrix_of(0, forward_.weights_layer_desc());
  recurrent_ = matrix_of(1, forward_.weights_iter_desc());
  const sdk::Parameter& bias = node_.parameters[2];
  bias_ = &program_.network().add_weights(bias, sdk::Layout(bias.shape), bias_row_, bias_row_);
}

void Lstm::report(const char* what, const char* implementation) {
  if (program_.rows() == program_.network().load().batch) {
    program_.network().choices().push_back({node_.name + "." + what, implementation, "impl_info_str"});
  }
}

// The input as it lies.
memory Lstm::source() {
  memory source(described(source_.dims(), Tag::ntc), engine(), DNNL_MEMORY_NONE);
  if (in_->values->data() == nullptr) {
    program_.follow_input(source);
  } else {
    source.set_data_handle(in_->values->data());
  }
  return source;
}

Task Lstm::turn(const std::string& name, const memory& from, const memory& to) const {
  return task(node_.name + name, dnnl::reorder(from, to), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
}

// The weights in the layout that a primitive wants; adds the reorder where they are kept in another one.
memory Lstm::fitted(const Weights& kept, const memory::desc& wanted, std::vector<Task>& tasks) const {
  const memory values = over(kept.desc, kept.values);
  if (kept.desc == wanted) {
    return values;
  }
  const memory own(wanted, engine());
  tasks.push_back(task(kept.parameter.name + ".reorder", dnnl::reorder(values, own),
                       {{DNNL_ARG_FROM, values}, {DNNL_ARG_TO, own}}));
  return own;
}

void Lstm::add_forward() {
  report("forward", forward_.impl_info_str());
  const memory x = over(source_, *x_);
  const memory h = over(target_, *h_);
  std::vector<Task> tasks = {turn(".turn_input", source(), x)};
  const memory zeros = over(start_, *zeros_);
  Arguments arguments = {{DNNL_ARG_SRC_LAYER, x},
                         {DNNL_ARG_SRC_ITER, zeros},
                         {DNNL_ARG_SRC_ITER_C, zeros},
                         {DNNL_ARG_WEIGHTS_LAYER, fitted(*weight_, forward_.weights_layer_desc(), tasks)},
                         {DNNL_ARG_WEIGHTS_ITER, fitted(*recurrent_, forward_.weights_iter_desc(), tasks)},
                         {DNNL_ARG_BIAS, over(bias_row_, bias_->values)},
                         {DNNL_ARG_DST_LAYER, h}};
  if (program_.trains()) {
    workspace_ = memory(forward_.workspace_desc(), engine());
    arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_);
  }
  tasks.push_back(task(node_.name + ".forward", Forward(forward_), arguments));
  if (!last_only_) {
    const memory out = over(described(target_.dims(), Tag::ntc), *out_->values);
    tasks.push_back(turn(".turn_output", h, out));
  }
  for (const Task& each : tasks) {
    // Tasks hold what the primitives' memory objects only point to.
    program_.forward(each.name, [run = each.run, x = x_, h = h_, zeros = zeros_] { run(); });
  }
}

// oneDNN adds to the gradients of weights.
Task Lstm::clear_gradients() const {
  return {node_.name + ".clear_gradients", [weights = std::array{weight_, recurrent_, bias_}] {
            for (const Weights* each : weights) {
              std::fill_n(each->gradient.data(), each->buffer_count(), 0.0F);
            }
          }};
}

Arguments Lstm::backward_arguments(const Backward::primitive_desc& chosen, std::vector<Task>& tasks) const {
  const memory zeros = over(start_, *zeros_);
  return {{DNNL_ARG_SRC_LAYER, over(source_, *x_)},
          {DNNL_ARG_SRC_ITER, zeros},
          {DNNL_ARG_SRC_ITER_C, zeros},
          {DNNL_ARG_WEIGHTS_LAYER, fitted(*weight_, chosen.weights_layer_desc(), tasks)},
          {DNNL_ARG_WEIGHTS_ITER, fitted(*recurrent_, chosen.weights_iter_desc(), tasks)},
          {DNNL_ARG_BIAS, over(bias_row_, bias_->values)},
          {DNNL_ARG_DST_LAYER, over(target_, *h_)},
          {DNNL_ARG_WORKSPACE, workspace_},
          {DNNL_ARG_DIFF_DST_LAYER, over(target_, *dh_)},
          {DNNL_ARG_DIFF_SRC_LAYER, over(source_, *dx_)},
          {DNNL_ARG_DIFF_SRC_ITER, over(start_, *unread_[0])},
          {DNNL_ARG_DIFF_SRC_ITER_C, over(start_, *unread_[1])},
          {DNNL_ARG_DIFF_WEIGHTS_LAYER, over(weight_->desc, weight_->gradient)},
          {DNNL_ARG_DIFF_WEIGHTS_ITER, over(recurrent_->desc, recurrent_->gradient)},
          {DNNL_ARG_DIFF_BIAS, over(bias_row_, bias_->gradient)}};
}

// The primitive computes the input's gradient even where nobody asks for it.
void Lstm::add_backward() {
  const Backward::primitive_desc chosen = choose_backward();
  report("backward", chosen.impl_info_str());
  std::vector<Task> tasks = {clear_gradients()};
  if (!last_only_) {
    const memory dy = over(described(target_.dims(), Tag::ntc), *out_->gradient);
    tasks.push_back(turn(".turn_output_gradient", dy, over(target_, *dh_)));
  }
  const Arguments arguments = backward_arguments(chosen, tasks);
  const Task run = task("", Backward(chosen), arguments);
  tasks.push_back(
      {node_.name + ".backward", [run = run.run, dx = dx_, dh = dh_, unread = unread_] { run(); }});
  if (in_->gradient != nullptr) {
    const memory to = over(described(source_.dims(), Tag::ntc), *in_->gradient);
    tasks.push_back(turn(".turn_input_gradient", over(source_, *dx_), to));
  }
  for (Weights* weights : {weight_, recurrent_, bias_}) {
    tasks.push_back(make_update(program_.network(), *weights));
  }
  program_.backward(tasks);
}

}  // namespace

Place* lower_lstm(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  Lstm layer(program, node, inputs[0]);
  layer.add_forward();
  if (program.trains()) {
    layer.add_backward();
  }
  return layer.out();
}

}  // namespace reference
