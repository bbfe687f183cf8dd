#include "convolution.hpp"

namespace runner {

Value convolve(Network& network, const ConvolutionNames& names, const Value& x, const Kernel& kernel,
               const std::function<void(Op& op)>& set) {
  const TF_Output input = network.output(x);
  Op forward(network.graph(), names.forward);
  forward.input(input).input(kernel.value);
  set(forward);
  return network.add(forward.result(), {x}, [=, &network](TF_Output gradient) {
    Graph& graph = network.graph();
    Op of_kernel(graph, names.of_kernel);
    of_kernel.input(input).input(graph.integers(kernel.shape)).input(gradient);
    set(of_kernel);
    kernel.take_gradient(of_kernel.result());
    Op of_input(graph, names.of_input);
    of_input.input(graph.apply("Shape", {input})).input(kernel.value).input(gradient);
    set(of_input);
    return std::vector<TF_Output>{of_input.result()};
  });
}

}  // namespace runner
