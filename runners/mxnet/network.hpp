// What the op table builds into: symbols, and the parameters they read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api.hpp"
#include "model/graph.hpp"

namespace runner {

// A parameter as MXNet keeps it, which is the canonical layout.
struct Weights {
  dlbench::model::Parameter parameter;
  Array values;
  Array gradient;  // none of a statistic
};

struct Network {
  const dlbench::model::Graph& work;
  std::vector<Weights> weights;
  std::map<std::string, Array> constants;  // no step changes them; by the names of their variables

  // A variable with these values.
  Symbol add_constant(const std::string& name, const Extents& shape, const std::vector<float>& values) {
    const Array array = make_array(Type::f32, shape);
    copy_in(array, values.data(), values.size());
    constants.insert_or_assign(name, array);
    return variable(name);
  }

  // A variable of the network for this parameter; its arrays are made here.
  Symbol add_weights(const dlbench::model::Parameter& parameter) {
    const bool is_trained = !dlbench::model::is_statistic(parameter.role);
    weights.push_back({parameter, make_array(Type::f32, parameter.shape),
                       is_trained ? make_array(Type::f32, parameter.shape) : Array()});
    return variable(parameter.name);
  }
};

}  // namespace runner
