// A convolution of pictures with any kernel, and its gradients.
#pragma once

#include <functional>

#include "ops.hpp"

namespace runner {

// Names of an operator and of its two gradients.
struct ConvolutionNames {
  const char* forward;
  const char* of_input;
  const char* of_kernel;
};

constexpr ConvolutionNames plain_convolution{"Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"};

struct Kernel {
  TF_Output value;  // [height, width, in, out]
  Extents shape;
  std::function<void(TF_Output gradient)> take_gradient;
};

// `set` says strides and pads, to the convolution and to both gradients.
[[nodiscard]] Value convolve(Network& network, const ConvolutionNames& names, const Value& x,
                             const Kernel& kernel, const std::function<void(Op& op)>& set);

}  // namespace runner
