#include "model/detail/elementwise.hpp"

#include "model/builder.hpp"

namespace dlbench::model {
namespace {

Shape output_shape(const Node& /*node*/, const std::vector<Shape>& inputs) {
  return inputs[0];
}

std::vector<Graph> test_graphs(const std::string& op) {
  return {
      Builder(op + "_dense", {6})
          .add("first", "dense", {{"out_features", count(8)}})
          .add("active", op)
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
      Builder(op + "_conv", {2, 5, 4})
          .add("conv", "conv2d", {{"out_channels", count(3)}, {"kernel", extents({3, 3})}})
          .add("active", op)
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(3)}})
          .finish(),
  };
}

}  // namespace

OpSpec elementwise_spec(const std::string& name, const std::string& definition) {
  OpSpec spec;
  spec.name = name;
  spec.definition = definition;
  spec.output_shape = output_shape;
  spec.test_graphs = [name] { return test_graphs(name); };
  return spec;
}

}  // namespace dlbench::model
