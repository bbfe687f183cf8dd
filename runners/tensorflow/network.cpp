#include "network.hpp"

#include <algorithm>
#include <utility>

namespace runner {

namespace {

Extents with_rows(std::int64_t rows, const Extents& sample) {
  Extents shape{rows};
  shape.insert(shape.end(), sample.begin(), sample.end());
  return shape;
}

}  // namespace

Network::Network(const dlbench::model::Graph& work, std::uint64_t seed)
    : work_(work), sample_(work.input_shape), seed_(static_cast<std::int64_t>(seed)) {
  const bool is_picture = sample_.size() == 3;
  const bool has_one_plane = is_picture && sample_[0] == 1;
  if (has_one_plane) {
    sample_ = {sample_[1], sample_[2], 1};  // the same memory
  }
  const bool has_tokens = dlbench::model::input_kind(work) == dlbench::model::InputKind::tokens;
  feed_ = graph_.placeholder(has_tokens ? TF_INT64 : TF_FLOAT, with_rows(-1, sample_));
  outputs_.push_back(is_picture && !has_one_plane
                         ? graph_.apply("Transpose", {feed_, graph_.integers({0, 2, 3, 1})})
                         : feed_);
}

Extents Network::feed_shape(std::int64_t rows) const {
  return with_rows(rows, sample_);
}

Variable& Network::variable(const std::string& name) {
  return *std::ranges::find(variables_, name, &Variable::name);
}

std::vector<Variable*> Network::trained() {
  std::vector<Variable*> result;
  for (Variable& variable : variables_) {
    if (!dlbench::model::is_statistic(variable.role)) {
      result.push_back(&variable);
    }
  }
  return result;
}

TF_Output Network::read(std::size_t place) const {
  const Variable& variable = variables_[place];
  return is_training_ ? variable.value : variable.average.value_or(variable.value);
}

Value Network::add(TF_Output result, const std::vector<Value>& inputs, Backward backward) {
  outputs_.push_back(result);
  calls_.push_back({inputs, outputs_.size() - 1, std::move(backward)});
  return {outputs_.size() - 1, std::nullopt};
}

std::size_t Network::add_variable(const dlbench::model::Parameter& parameter,
                                  const dlbench::sdk::Layout& layout, const Extents& shape) {
  if (const auto found = std::ranges::find(variables_, parameter.name, &Variable::name);
      found != variables_.end()) {
    return static_cast<std::size_t>(found - variables_.begin());
  }
  const Extents extents = shape.empty() ? layout.framework_shape() : shape;
  const TF_Output handle = Op(graph_, "VarHandleOp")
                               .text("shared_name", parameter.name)
                               .type("dtype", TF_FLOAT)
                               .shape("shape", extents)
                               .result();
  const TF_Output value = Op(graph_, "ReadVariableOp").input(handle).type("dtype", TF_FLOAT).result();
  const TF_Output given = graph_.placeholder(TF_FLOAT, extents);
  TF_Operation* assign =
      Op(graph_, "AssignVariableOp").input(handle).input(given).type("dtype", TF_FLOAT).finish();
  variables_.push_back({parameter.name, parameter.role, layout, extents, handle, value, given, assign});
  return variables_.size() - 1;
}

void Network::add_statistic(std::size_t place, TF_Output next) {
  statistics_.push_back(Op(graph_, "AssignVariableOp")
                            .input(variables_[place].handle)
                            .input(next)
                            .type("dtype", TF_FLOAT)
                            .finish());
}

TF_Output Network::sum(const std::vector<TF_Output>& gradients) {
  return gradients.size() == 1 ? gradients.front() : Op(graph_, "AddN").list(gradients).result();
}

void Network::differentiate(const Value& value, TF_Output gradient) {
  std::vector<std::vector<TF_Output>> gradients(outputs_.size());
  gradients[value.index].push_back(gradient);
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    if (gradients[call->result].empty()) {
      continue;
    }
    const std::vector<TF_Output> of_inputs = call->backward(sum(gradients[call->result]));
    for (std::size_t i = 0; i < of_inputs.size(); ++i) {
      gradients[call->inputs[i].index].push_back(of_inputs[i]);
    }
  }
}

}  // namespace runner
