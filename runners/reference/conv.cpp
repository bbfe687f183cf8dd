// conv2d by oneDNN's convolutions on NHWC activations, relu fused in. Weights stay in the layout that the
// forward primitive asks for. Backward primitives choose their own: pinning them to another one silently
// selects plain loops.
#include "conv_products.hpp"
#include "ops.hpp"
#include "relu.hpp"
#include "sgd.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;
using dnnl::memory;
using Arguments = std::vector<std::pair<int, memory>>;

constexpr auto f32 = memory::data_type::f32;
constexpr auto direct = dnnl::algorithm::convolution_direct;

// Everything that the three primitives of one convolution have in common.
struct Shape {
  memory::desc source;
  memory::desc any_weights;
  memory::desc plain_weights;
  memory::desc bias;  // empty when there is none
  memory::desc target;
  memory::dims stride;
  memory::dims dilation;  // oneDNN counts the cells in between
  memory::dims pads_before;
  memory::dims pads_after;
};

Shape shape_of(const model::Node& node, const Place& in, std::int64_t rows) {
  const std::int64_t groups = model::integer(node, "groups");
  const model::Shape& weight = node.parameters[0].shape;
  const auto& pads = model::integers(node, "pads");
  const auto& stride = model::integers(node, "stride");
  const auto& dilation = model::integers(node, "dilation");
  memory::dims weight_dims = {weight[0], weight[1], weight[2], weight[3]};
  auto plain = memory::format_tag::oihw;
  if (groups > 1) {
    weight_dims = {groups, weight[0] / groups, weight[1], weight[2], weight[3]};
    plain = memory::format_tag::goihw;
  }
  Shape shape;
  shape.source = {{rows, in.shape[0], in.shape[1], in.shape[2]}, f32, memory::format_tag::nhwc};
  shape.target = {{rows, node.output_shape[0], node.output_shape[1], node.output_shape[2]},
                  f32,
                  memory::format_tag::nhwc};
  shape.any_weights = {weight_dims, f32, memory::format_tag::any};
  shape.plain_weights = {weight_dims, f32, plain};
  if (model::flag(node, "bias")) {
    shape.bias = {{weight[0]}, f32, memory::format_tag::x};
  }
  shape.stride = stride;
  shape.dilation = {dilation[0] - 1, dilation[1] - 1};
  shape.pads_before = {pads[0], pads[1]};
  shape.pads_after = {pads[2], pads[3]};
  return shape;
}

// One convolution of one program while it is being built.
class Convolution {
 public:
  Convolution(Program& program, const model::Node& node, const Place* in, Place* out)
      : program_(program),
        node_(node),
        in_(in),
        out_(out),
        shape_(shape_of(node, *in, program.rows())),
        forward_(make_forward()) {}

  void build();

 private:
  [[nodiscard]] dnnl::convolution_forward::primitive_desc make_forward() const;
  void add_parameters();
  void add_forward();
  [[nodiscard]] std::vector<Task> weights_tasks();
  [[nodiscard]] std::vector<Task> data_tasks();
  [[nodiscard]] memory over(const memory::desc& desc, const Buffer& buffer) const {
    return {desc, engine(), buffer.data()};
  }
  [[nodiscard]] memory source();
  void report(const char* what, const char* implementation);

  Program& program_;
  const model::Node& node_;
  const Place* in_;
  Place* out_;
  Shape shape_;
  dnnl::convolution_forward::primitive_desc forward_;
  Weights* weight_ = nullptr;
  Weights* bias_ = nullptr;
};

std::shared_ptr<Call> call(const dnnl::primitive& primitive, const Arguments& arguments) {
  return std::make_shared<Call>(primitive, arguments);
}

Task task(std::string name, std::shared_ptr<Call> prepared) {
  return {std::move(name), [prepared = std::move(prepared)] { prepared->run(); }};
}

dnnl::convolution_forward::primitive_desc Convolution::make_forward() const {
  dnnl::primitive_attr attributes;
  attributes.set_fpmath_mode(dnnl::fpmath_mode::strict);
  if (out_->has_relu) {
    dnnl::post_ops relu;
    relu.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
    attributes.set_post_ops(relu);
  }
  const auto kind =
      program_.trains() ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  const dnnl::convolution_forward::desc desc(kind, direct, shape_.source, shape_.any_weights, shape_.bias,
                                             shape_.target, shape_.stride, shape_.dilation,
                                             shape_.pads_before, shape_.pads_after);
  return require_fast(dnnl::convolution_forward::primitive_desc(desc, attributes, engine()),
                      "conv2d " + node_.name);
}

void Convolution::report(const char* what, const char* implementation) {
  if (program_.rows() == program_.network().load().batch) {
    program_.network().choices().push_back({node_.name + "." + what, implementation, "impl_info_str"});
  }
}

void Convolution::add_parameters() {
  Network& network = program_.network();
  const sdk::Parameter& weight = node_.parameters[0];
  weight_ =
      &network.add_weights(weight, sdk::Layout(weight.shape), shape_.plain_weights, forward_.weights_desc());
  if (model::flag(node_, "bias")) {
    const sdk::Parameter& bias = node_.parameters[1];
    bias_ = &network.add_weights(bias, sdk::Layout(bias.shape), shape_.bias, shape_.bias);
  }
}

// The input batch lies wherever the host put it; the primitive follows.
memory Convolution::source() {
  memory source(shape_.source, engine(), DNNL_MEMORY_NONE);
  if (in_->values->data() == nullptr) {
    program_.follow_input(source);
  } else {
    source.set_data_handle(in_->values->data());
  }
  return source;
}

void Convolution::add_forward() {
  report("forward", forward_.impl_info_str());
  memory weights = over(weight_->desc, weight_->values);
  if (forward_.weights_desc() != weight_->desc) {
    // Another batch size may want another layout than the one the weights are kept in.
    memory own(forward_.weights_desc(), engine());
    program_.forward(
        node_.name + ".reorder",
        task("", call(dnnl::reorder(weights, own), {{DNNL_ARG_FROM, weights}, {DNNL_ARG_TO, own}})).run);
    weights = own;
  }
  Arguments arguments = {{DNNL_ARG_SRC, source()},
                         {DNNL_ARG_WEIGHTS, weights},
                         {DNNL_ARG_DST, over(shape_.target, *out_->values)}};
  if (bias_ != nullptr) {
    arguments.emplace_back(DNNL_ARG_BIAS, over(shape_.bias, bias_->values));
  }
  program_.forward(node_.name + ".forward",
                   task("", call(dnnl::convolution_forward(forward_), arguments)).run);
}

std::vector<Task> Convolution::weights_tasks() {
  const dnnl::convolution_backward_weights::desc desc(direct, shape_.source, shape_.any_weights, shape_.bias,
                                                      shape_.target, shape_.stride, shape_.dilation,
                                                      shape_.pads_before, shape_.pads_after);
  dnnl::primitive_attr attributes;
  attributes.set_fpmath_mode(dnnl::fpmath_mode::strict);
  const auto chosen =
      require_fast(dnnl::convolution_backward_weights::primitive_desc(desc, attributes, engine(), forward_),
                   "conv2d " + node_.name);
  report("backward_weights", chosen.impl_info_str());
  const memory kept = over(weight_->desc, weight_->gradient);
  const bool fits = chosen.diff_weights_desc() == weight_->desc;
  const memory gradient = fits ? kept : memory(chosen.diff_weights_desc(), engine());
  Arguments arguments = {{DNNL_ARG_SRC, source()},
                         {DNNL_ARG_DIFF_DST, over(shape_.target, *out_->gradient)},
                         {DNNL_ARG_DIFF_WEIGHTS, gradient}};
  if (bias_ != nullptr) {
    arguments.emplace_back(DNNL_ARG_DIFF_BIAS, over(shape_.bias, bias_->gradient));
  }
  std::vector<Task> tasks = {
      task(node_.name + ".backward_weights", call(dnnl::convolution_backward_weights(chosen), arguments))};
  if (!fits) {
    tasks.push_back(
        task(node_.name + ".reorder_gradient",
             call(dnnl::reorder(gradient, kept), {{DNNL_ARG_FROM, gradient}, {DNNL_ARG_TO, kept}})));
  }
  return tasks;
}

std::vector<Task> Convolution::data_tasks() {
  const dnnl::convolution_backward_data::desc desc(direct, shape_.source, shape_.any_weights, shape_.target,
                                                   shape_.stride, shape_.dilation, shape_.pads_before,
                                                   shape_.pads_after);
  dnnl::primitive_attr attributes;
  attributes.set_fpmath_mode(dnnl::fpmath_mode::strict);
  const auto chosen =
      require_fast(dnnl::convolution_backward_data::primitive_desc(desc, attributes, engine(), forward_),
                   "conv2d " + node_.name);
  report("backward_data", chosen.impl_info_str());
  std::vector<Task> tasks;
  memory weights = over(weight_->desc, weight_->values);
  if (chosen.weights_desc() != weight_->desc) {
    const memory own(chosen.weights_desc(), engine());
    tasks.push_back(task(node_.name + ".reorder_weights",
                         call(dnnl::reorder(weights, own), {{DNNL_ARG_FROM, weights}, {DNNL_ARG_TO, own}})));
    weights = own;
  }
  tasks.push_back(
      task(node_.name + ".backward_data", call(dnnl::convolution_backward_data(chosen),
                                               {{DNNL_ARG_DIFF_DST, over(shape_.target, *out_->gradient)},
                                                {DNNL_ARG_WEIGHTS, weights},
                                                {DNNL_ARG_DIFF_SRC, over(shape_.source, *in_->gradient)}})));
  return tasks;
}

void Convolution::build() {
  add_parameters();
  add_forward();
  if (!program_.trains()) {
    return;
  }
  std::vector<Task> tasks;
  if (out_->has_relu) {
    tasks.push_back(make_mask(out_, program_.rows() * out_->width(), node_.name));
  }
  const auto append = [&](const std::vector<Task>& more) {
    tasks.insert(tasks.end(), more.begin(), more.end());
  };
  append(weights_tasks());
  if (in_->gradient != nullptr) {
    append(data_tasks());
  }
  tasks.push_back(make_update(program_.network(), *weight_));
  if (bias_ != nullptr) {
    tasks.push_back(make_update(program_.network(), *bias_));
  }
  program_.backward(tasks);
}

}  // namespace

Place* lower_conv2d(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  const Place* in = program.channels_last(inputs[0]);
  Place* out = program.add_place(node.output_shape, true);
  out->has_relu = program.relu_follows(node);
  if (prefers_products(node, *in)) {
    build_product_convolution(program, node, in, out);
  } else {
    Convolution(program, node, in, out).build();
  }
  return out;
}

}  // namespace reference
