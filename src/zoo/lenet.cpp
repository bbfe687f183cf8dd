// LeNet in four of its forms, as the frameworks' own MNIST examples have them.
#include "zoo/layers.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::zoo {

// As Caffe ships it: no activation after the convolutions, one relu between the dense layers.
model::Graph lenet() {
  return model::Builder("lenet", {1, 28, 28})
      .add("conv1", "conv2d", conv(20, 5))
      .add("pool1", "max_pool", window(2, 2))
      .add("conv2", "conv2d", conv(50, 5))
      .add("pool2", "max_pool", window(2, 2))
      .add("flat", "flatten")
      .add("ip1", "dense", dense(500))
      .add("relu1", "relu")
      .add("ip2", "dense", dense(10))
      .finish();
}

// Theano's tutorial adds the bias after the pool; a maximum moves with the bias, so this is the same
// function.
model::Graph mnist_theano() {
  return model::Builder("mnist_theano", {1, 28, 28})
      .add("conv1", "conv2d", conv(20, 5))
      .add("pool1", "max_pool", window(2, 2))
      .add("tanh1", "tanh")
      .add("conv2", "conv2d", conv(50, 5))
      .add("pool2", "max_pool", window(2, 2))
      .add("tanh2", "tanh")
      .add("flat", "flatten")
      .add("hidden", "dense", dense(500))
      .add("tanh3", "tanh")
      .add("score", "dense", dense(10))
      .finish();
}

// TensorFlow's tutorial (mnist_deep).
model::Graph mnist_tensorflow() {
  return model::Builder("mnist_tensorflow", {1, 28, 28})
      .add("conv1", "conv2d", conv(32, 5, 2))
      .add("relu1", "relu")
      .add("pool1", "max_pool", window(2, 2))
      .add("conv2", "conv2d", conv(64, 5, 2))
      .add("relu2", "relu")
      .add("pool2", "max_pool", window(2, 2))
      .add("flat", "flatten")
      .add("hidden", "dense", dense(1024))
      .add("relu3", "relu")
      .add("drop", "dropout", {{"rate", 0.5}})
      .add("score", "dense", dense(10))
      .finish();
}

// Torch7's demo puts digits on 32x32 pixels.
model::Graph mnist_torch() {
  return model::Builder("mnist_torch", {1, 32, 32})
      .add("conv1", "conv2d", conv(32, 5))
      .add("tanh1", "tanh")
      .add("pool1", "max_pool", window(3, 3, 1))
      .add("conv2", "conv2d", conv(64, 5))
      .add("tanh2", "tanh")
      .add("pool2", "max_pool", window(2, 2))
      .add("flat", "flatten")
      .add("hidden", "dense", dense(200))
      .add("tanh3", "tanh")
      .add("score", "dense", dense(10))
      .finish();
}

}  // namespace dlbench::zoo
