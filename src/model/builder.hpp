// Writes graphs node by node in C++.
#pragma once

#include <string>
#include <vector>

#include "model/graph.hpp"

namespace dlbench::model {

class Builder {
 public:
  // `vocabulary` > 0: the input holds tokens.
  Builder(std::string name, Shape input_shape, std::int64_t vocabulary = 0);

  // A node that reads the one added before it.
  Builder& add(const std::string& node, const std::string& op, Attributes attributes = {});
  // A node that reads these earlier nodes ("input": the sample).
  Builder& add_from(const std::string& node, const std::string& op, std::vector<std::string> inputs,
                    Attributes attributes = {});
  // Adds "loss" and completes the graph; throws base::UserError as `complete` does.
  [[nodiscard]] Graph finish(const std::string& loss = "softmax_cross_entropy");

 private:
  Graph graph_;
};

// Attribute values without the ambiguity of bare literals: an int is not a bool.
[[nodiscard]] inline Attribute count(std::int64_t value) {
  return value;
}
[[nodiscard]] inline Attribute extents(std::vector<std::int64_t> values) {
  return values;
}

}  // namespace dlbench::model
