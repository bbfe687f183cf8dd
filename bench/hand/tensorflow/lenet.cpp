#include "lenet.hpp"

#include "../hand.hpp"

namespace hand {

namespace {

// A weight [out, in, height, width] as [height, width, in, out]. A dense one is a kernel as high and wide as
// the picture that it reads, so its rows get the order in which an NHWC picture is flattened.
std::vector<float> to_hwio(const float* values, const Shape& hwio) {
  const std::int64_t height = hwio[0], width = hwio[1], in = hwio[2], out = hwio[3];
  std::vector<float> result;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      for (std::int64_t i = 0; i < in; ++i) {
        for (std::int64_t o = 0; o < out; ++o) {
          result.push_back(values[((o * in + i) * height + y) * width + x]);
        }
      }
    }
  }
  return result;
}

}  // namespace

LeNet::LeNet() {
  input_ = Op(graph_, "Placeholder").type("dtype", TF_FLOAT).shape("shape", {-1, 28, 28, 1}).result();
  target_ = Op(graph_, "Placeholder").type("dtype", TF_INT64).shape("shape", {-1}).result();
  rate_ = scalar(rate);
  momentum_ = scalar(momentum);
  const Shape weights[] = {{5, 5, 1, 20}, {5, 5, 20, 50}, {800, 500}, {500, 10}};
  for (const Shape& shape : weights) {
    add_variable("weight", shape);
    add_variable("bias", {shape.back()});
  }
  const TF_Output conv1 = convolve(input_, 0);
  const TF_Output pool1 = max_pool(conv1);
  const TF_Output conv2 = convolve(pool1, 2);
  const TF_Output pool2 = max_pool(conv2);
  const TF_Output flat = apply("Reshape", {pool2, integers({-1, 800})});
  const TF_Output hidden = apply("Relu", {dense(flat, 4)});
  const TF_Output logits = dense(hidden, 6);
  TF_Operation* rows = Op(graph_, "SparseSoftmaxCrossEntropyWithLogits", {logits, target_}).finish();
  loss_ = apply("Mean", {{rows, 0}, integers({0})});

  const TF_Output count = Op(graph_, "Cast", {apply("Size", {target_})}).type("DstT", TF_FLOAT).result();
  TF_Output gradient = apply("RealDiv", {{rows, 1}, count});
  gradient = dense_gradient(hidden, 6, gradient);
  gradient = dense_gradient(flat, 4, apply("ReluGrad", {gradient, hidden}));
  gradient = apply("Reshape", {gradient, apply("Shape", {pool2})});
  gradient = max_pool_gradient(conv2, pool2, gradient);
  convolve_gradient(pool1, 2, gradient);
  gradient = max_pool_gradient(conv1, pool1, convolve_input_gradient(pool1, 2, gradient));
  convolve_gradient(input_, 0, gradient);
}

TF_Output LeNet::apply(const char* type, std::initializer_list<TF_Output> inputs) {
  return Op(graph_, type, inputs).result();
}

TF_Output LeNet::integers(const std::vector<std::int32_t>& values) {
  TF_Tensor* tensor = copied(TF_INT32, {static_cast<std::int64_t>(values.size())}, values.data());
  return Op(graph_, "Const").type("dtype", TF_INT32).tensor("value", tensor).result();
}

TF_Output LeNet::scalar(float value) {
  TF_Tensor* tensor = copied(TF_FLOAT, {}, &value);
  return Op(graph_, "Const").type("dtype", TF_FLOAT).tensor("value", tensor).result();
}

TF_Output LeNet::variable(const std::string& name, const Shape& shape) {
  return Op(graph_, "VarHandleOp")
      .text("shared_name", name)
      .type("dtype", TF_FLOAT)
      .shape("shape", shape)
      .result();
}

void LeNet::add_variable(const std::string& name, const Shape& shape) {
  const std::string own = name + std::to_string(variables_.size());
  const TF_Output handle = variable(own, shape);
  const TF_Output value = Op(graph_, "ReadVariableOp", {handle}).type("dtype", TF_FLOAT).result();
  variables_.push_back({shape, handle, value, variable(own + "_velocity", shape)});
}

TF_Output LeNet::convolve(TF_Output x, std::size_t weight) {
  const TF_Output y = Op(graph_, "Conv2D", {x, variables_[weight].value})
                          .integers("strides", {1, 1, 1, 1})
                          .text("padding", "VALID")
                          .result();
  return apply("BiasAdd", {y, variables_[weight + 1].value});
}

TF_Output LeNet::dense(TF_Output x, std::size_t weight) {
  return apply("BiasAdd", {apply("MatMul", {x, variables_[weight].value}), variables_[weight + 1].value});
}

TF_Output LeNet::max_pool(TF_Output x) {
  return Op(graph_, "MaxPool", {x})
      .integers("ksize", {1, 2, 2, 1})
      .integers("strides", {1, 2, 2, 1})
      .text("padding", "VALID")
      .result();
}

TF_Output LeNet::max_pool_gradient(TF_Output x, TF_Output y, TF_Output gradient) {
  return Op(graph_, "MaxPoolGrad", {x, y, gradient})
      .integers("ksize", {1, 2, 2, 1})
      .integers("strides", {1, 2, 2, 1})
      .text("padding", "VALID")
      .result();
}

void LeNet::convolve_gradient(TF_Output x, std::size_t weight, TF_Output gradient) {
  const Shape& shape = variables_[weight].shape;
  update(weight + 1, apply("BiasAddGrad", {gradient}));
  update(weight, Op(graph_, "Conv2DBackpropFilter", {x, integers({shape.begin(), shape.end()}), gradient})
                     .integers("strides", {1, 1, 1, 1})
                     .text("padding", "VALID")
                     .result());
}

TF_Output LeNet::convolve_input_gradient(TF_Output x, std::size_t weight, TF_Output gradient) {
  return Op(graph_, "Conv2DBackpropInput", {apply("Shape", {x}), variables_[weight].value, gradient})
      .integers("strides", {1, 1, 1, 1})
      .text("padding", "VALID")
      .result();
}

TF_Output LeNet::dense_gradient(TF_Output x, std::size_t weight, TF_Output gradient) {
  update(weight + 1, apply("BiasAddGrad", {gradient}));
  update(weight, Op(graph_, "MatMul", {x, gradient}).flag("transpose_a").result());
  return Op(graph_, "MatMul", {gradient, variables_[weight].value}).flag("transpose_b").result();
}

void LeNet::update(std::size_t place, TF_Output gradient) {
  const Variable& own = variables_[place];
  updates_.push_back(
      Op(graph_, "ResourceApplyMomentum", {own.handle, own.velocity, rate_, gradient, momentum_}).finish());
}

void LeNet::assign(TF_Session* session, TF_Output handle, const Shape& shape, const float* values) {
  const TF_Output given = Op(graph_, "Placeholder").type("dtype", TF_FLOAT).shape("shape", shape).result();
  const TF_Operation* store =
      Op(graph_, "AssignVariableOp", {handle, given}).type("dtype", TF_FLOAT).finish();
  TF_Tensor* tensor = copied(TF_FLOAT, shape, values);
  TF_Status* status = TF_NewStatus();
  TF_SessionRun(session, nullptr, &given, &tensor, 1, nullptr, nullptr, 0, &store, 1, nullptr, status);
  check(status);
  TF_DeleteStatus(status);
  TF_DeleteTensor(tensor);
}

void LeNet::initialise(TF_Session* session, const float* values) {
  const Shape kernels[] = {{5, 5, 1, 20}, {5, 5, 20, 50}, {4, 4, 50, 500}, {1, 1, 500, 10}};
  for (std::size_t place = 0; place < variables_.size(); ++place) {
    const Variable& own = variables_[place];
    const bool is_weight = place % 2 == 0;
    const std::vector<float> zeros(static_cast<std::size_t>(element_count(own.shape)), 0.0F);
    assign(session, own.handle, own.shape, is_weight ? to_hwio(values, kernels[place / 2]).data() : values);
    assign(session, own.velocity, own.shape, zeros.data());
    values += element_count(own.shape);
  }
}

}  // namespace hand
