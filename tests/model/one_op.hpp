// One operator on one image, for tests of shapes and refusals.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/builder.hpp"
#include "model/op_spec.hpp"

namespace dlbench::model {

// A graph whose first node is "it", which takes the input `inputs` times; flattened and scored. Throws as
// `finish` does.
inline Graph graph_of(const std::string& op, const Shape& input, Attributes attributes = {},
                      std::size_t inputs = 1) {
  return Builder("one", input)
      .add_from("it", op, std::vector<std::string>(inputs, "input"), std::move(attributes))
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(2)}})
      .finish();
}

inline Shape output_of(const std::string& op, const Shape& input, Attributes attributes = {},
                       std::size_t inputs = 1) {
  return node(graph_of(op, input, std::move(attributes), inputs), "it").output_shape;
}

}  // namespace dlbench::model
