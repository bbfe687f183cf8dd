#include "oracle/walk.hpp"

#include <list>
#include <map>
#include <string>

#include "base/error.hpp"

namespace dlbench::oracle {
namespace {

// The same node seen through absolute values: sums of products become sums of absolute terms.
template <typename T>
class AbsoluteView {
 public:
  explicit AbsoluteView(const NodeView<T>& view) : view_{view} {
    view_.inputs = copies(view.inputs);
    view_.parameters = copies(view.parameters);
    view_.kept = nullptr;
  }
  [[nodiscard]] const NodeView<T>& view() const { return view_; }

 private:
  std::vector<const Array<T>*> copies(const std::vector<const Array<T>*>& arrays) {
    std::vector<const Array<T>*> result;
    result.reserve(arrays.size());
    for (const Array<T>* const array : arrays) {
      result.push_back(&storage_.emplace_back(absolute(*array)));
    }
    return result;
  }

  std::list<Array<T>> storage_;  // a list, because the view points into it
  NodeView<T> view_;
};

}  // namespace

template <typename T>
Walk<T>::Walk(const model::Graph& graph, const std::vector<Array<T>>& weights, const model::Batch& batch,
              Products<T>& products, const Conditions& conditions)
    : graph_(graph), weights_(weights), target_(batch.target), products_(products), conditions_(conditions) {
  values_.push_back(from_floats<T>(batch.input));
  check(weights);
  link();
  kept_.resize(graph_.nodes.size());
  for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
    values_.push_back(operator_of<T>(graph_.nodes[node].op).forward(keeping_view_of(node)));
  }
}

template <typename T>
void Walk<T>::check(const std::vector<Array<T>>& weights) const {
  const std::vector<model::Parameter> parameters = model::parameters(graph_);
  DLBENCH_ASSERT(weights.size() == parameters.size(), "the weights are not those of graph " + graph_.name);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    DLBENCH_ASSERT(weights[i].shape == parameters[i].shape, "wrong shape: " + parameters[i].name);
    DLBENCH_ASSERT(index_of(model::element_count(weights[i].shape)) == weights[i].values.size(),
                   "wrong number of values: " + parameters[i].name);
  }
  const Array<T>& input = values_[0];
  model::Shape expected = graph_.input_shape;
  expected.insert(expected.begin(), static_cast<std::int64_t>(target_.size()) / graph_.targets_per_sample);
  DLBENCH_ASSERT(!target_.empty() && input.shape == expected &&
                     index_of(model::element_count(expected)) == input.values.size() &&
                     index_of(input.rows() * graph_.targets_per_sample) == target_.size(),
                 "the batch does not fit graph " + graph_.name);
  for (const std::int64_t target : target_) {
    DLBENCH_ASSERT(target >= 0 && target < graph_.class_count,
                   "target out of range: " + std::to_string(target));
  }
}

template <typename T>
void Walk<T>::link() {
  std::map<std::string, std::size_t> names{{"input", 0}};
  std::size_t parameter = 0;
  for (const model::Node& node : graph_.nodes) {
    std::vector<std::size_t>& inputs = inputs_.emplace_back();
    for (const std::string& name : node.inputs) {
      const auto found = names.find(name);
      DLBENCH_ASSERT(found != names.end(), "node " + node.name + " reads unknown value " + name);
      inputs.push_back(found->second);
    }
    names.emplace(node.name, inputs_.size());
    first_parameters_.push_back(parameter);
    parameter += node.parameters.size();
  }
}

template <typename T>
NodeView<T> Walk<T>::view_of(std::size_t node) const {
  NodeView<T> view{graph_.nodes[node], {}, {}, target_, conditions_, node, products_};
  for (const std::size_t input : inputs_[node]) {
    view.inputs.push_back(&values_[input]);
  }
  for (std::size_t i = 0; i < graph_.nodes[node].parameters.size(); ++i) {
    view.parameters.push_back(&weights_[first_parameters_[node] + i]);
  }
  return view;
}

template <typename T>
NodeView<T> Walk<T>::keeping_view_of(std::size_t node) {
  NodeView<T> view = view_of(node);
  view.kept = &kept_[node];
  return view;
}

template <typename T>
const Array<T>& Walk<T>::logits() const {
  return values_[inputs_.back().front()];
}

template <typename T>
double Walk<T>::loss() const {
  return static_cast<double>(values_.back().values.front());
}

template <typename T>
double Walk<T>::logits_scale() const {
  const std::size_t value = inputs_.back().front();
  if (value == 0) {
    return largest_magnitude(values_[0].values);
  }
  const std::size_t node = value - 1;
  const AbsoluteView<T> absolutes(view_of(node));
  return largest_magnitude(operator_of<T>(graph_.nodes[node].op).forward(absolutes.view()).values);
}

template <typename T>
Margins Walk<T>::margins(double cutoff, std::span<const double> scales) const {
  DLBENCH_ASSERT(scales.empty() || scales.size() == graph_.nodes.size(), "one scale per node");
  Margins result;
  result.cutoff = cutoff;
  result.scales.resize(graph_.nodes.size());
  for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
    const Operator<T>& op = operator_of<T>(graph_.nodes[node].op);
    if (op.margins != nullptr) {
      const NodeView<T> view = view_of(node);
      result.scales[node] = scales.empty() ? largest_magnitude(view.inputs[0]->values) : scales[node];
      op.margins(view, result.scales[node], result);
    }
  }
  return result;
}

template <typename T>
Gradients<T> Walk<T>::backward(bool measure_scales, const GradientHook& hook) {
  Gradients<T> result;
  result.values.resize(weights_.size());
  result.scales.resize(measure_scales ? weights_.size() : 0);
  gradients_.resize(values_.size());
  gradients_.back().emplace(model::Shape{}).values[0] = T{1};
  for (std::size_t node = graph_.nodes.size(); node-- > 0;) {
    const std::optional<Array<T>> output_gradient = std::move(gradients_[node + 1]);
    gradients_[node + 1].reset();
    DLBENCH_ASSERT(output_gradient.has_value(), "no node reads the output of " + graph_.nodes[node].name);
    const NodeView<T> view = keeping_view_of(node);
    if (!view.parameters.empty()) {
      take_parameter_gradients(node, view, *output_gradient, result, hook);
    }
    propagate(node, view, *output_gradient);
    kept_[node].reset();
  }
  return result;
}

template <typename T>
void Walk<T>::update_statistics(std::vector<Array<T>>& weights) const {
  for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
    const Operator<T>& op = operator_of<T>(graph_.nodes[node].op);
    if (op.update_statistics != nullptr) {
      const std::span<Array<T>> all = weights;
      op.update_statistics(view_of(node),
                           all.subspan(first_parameters_[node], graph_.nodes[node].parameters.size()));
    }
  }
}

template <typename T>
std::vector<double> Walk<T>::scales_of(const NodeView<T>& view, const Array<T>& output_gradient) const {
  const Operator<T>& op = operator_of<T>(view.node.op);
  if (op.parameter_scales != nullptr) {
    return op.parameter_scales(view, output_gradient);
  }
  const AbsoluteView<T> absolutes(view);
  std::vector<double> scales;
  for (const Array<T>& terms : op.parameter_gradients(absolutes.view(), absolute(output_gradient))) {
    scales.push_back(largest_magnitude(terms.values));
  }
  return scales;
}

template <typename T>
void Walk<T>::take_parameter_gradients(std::size_t node, const NodeView<T>& view,
                                       const Array<T>& output_gradient, Gradients<T>& result,
                                       const GradientHook& hook) {
  const Operator<T>& op = operator_of<T>(view.node.op);
  const std::size_t first = first_parameters_[node];
  if (!result.scales.empty()) {
    std::ranges::copy(scales_of(view, output_gradient),
                      result.scales.begin() + static_cast<std::ptrdiff_t>(first));
  }
  std::vector<Array<T>> gradients = op.parameter_gradients(view, output_gradient);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    result.values[first + i] = std::move(gradients[i]);
    if (hook) {
      hook(first + i, result.values[first + i]);
    }
  }
}

// Nobody needs the gradient of the graph's own input, and it is the dearest one of the first layer.
template <typename T>
void Walk<T>::propagate(std::size_t node, const NodeView<T>& view, const Array<T>& output_gradient) {
  const std::vector<std::size_t>& inputs = inputs_[node];
  if (std::ranges::all_of(inputs, [](std::size_t value) { return value == 0; })) {
    return;
  }
  std::vector<Array<T>> gradients = operator_of<T>(view.node.op).input_gradients(view, output_gradient);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::optional<Array<T>>& sum = gradients_[inputs[i]];
    if (sum) {
      add_to(*sum, gradients[i]);
    } else {
      sum = std::move(gradients[i]);
    }
  }
}

template class Walk<double>;
template class Walk<float>;

}  // namespace dlbench::oracle
