#include "oracle/support.hpp"

#include <cmath>

#include "base/error.hpp"

namespace dlbench::oracle::testing {

std::vector<double> noise(std::size_t count, std::uint64_t stream) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t x = (i * 2654435761ULL + stream * 2246822519ULL) & 0xFFFFFFFFULL;
    x ^= x >> 15U;
    x = (x * 2246822519ULL) & 0xFFFFFFFFULL;
    x ^= x >> 13U;
    values[i] = static_cast<double>(x >> 8U) * 0x1.0p-24 - 0.5;
  }
  return values;
}

namespace {

model::Tensor noise_tensor(const model::Shape& shape, std::uint64_t stream, double scale) {
  model::Tensor result;
  result.shape = shape;
  for (const double value : noise(index_of(model::element_count(shape)), stream)) {
    result.values.push_back(static_cast<float>(value * scale));
  }
  return result;
}

// [-0.5, 0.5) to 0 … vocabulary - 1.
template <typename T>
void make_tokens(std::vector<T>& values, std::int64_t vocabulary) {
  for (T& value : values) {
    value = std::floor((value + T{0.5}) * static_cast<T>(vocabulary));
  }
}

}  // namespace

model::Weights noise_weights(const model::Graph& graph) {
  model::Weights weights;
  std::uint64_t stream = 100;
  for (const model::Parameter& parameter : model::parameters(graph)) {
    double scale = 0.25;
    if (parameter.shape.size() > 1) {
      const std::int64_t inner = model::element_count(parameter.shape) / parameter.shape[0];
      scale = std::exp2(-std::floor(std::log2(static_cast<double>(inner)) / 2.0));
    }
    weights.push_back(noise_tensor(parameter.shape, stream++, scale));
    if (parameter.role == model::ParameterRole::variance) {
      for (float& value : weights.back().values) {
        value += 1.0F;
      }
    }
  }
  return weights;
}

model::Batch noise_batch(const model::Graph& graph, std::int64_t rows, std::uint64_t stream) {
  model::Shape shape = graph.input_shape;
  shape.insert(shape.begin(), rows);
  model::Batch batch{noise_tensor(shape, stream, 1.0), {}};
  if (graph.vocabulary > 0) {
    make_tokens(batch.input.values, graph.vocabulary);
  }
  for (std::int64_t row = 0; row < rows * graph.targets_per_sample; ++row) {
    batch.target.push_back((row * 7 + static_cast<std::int64_t>(stream)) % graph.class_count);
  }
  return batch;
}

model::Tensor tensor(model::Shape shape, std::vector<float> values) {
  return {std::move(shape), std::move(values)};
}

Arithmetic variation(std::uint64_t number) {
  Arithmetic arithmetic;
  arithmetic.rounding.variation = number;
  return arithmetic;
}

std::vector<model::Graph> all_test_graphs() {
  std::vector<model::Graph> graphs;
  for (const model::OpSpec& spec : model::builtin_ops()) {
    for (model::Graph& graph : spec.test_graphs()) {
      graphs.push_back(std::move(graph));
    }
  }
  return graphs;
}

double relative_error(const Values& a, const Values& b) {
  DLBENCH_ASSERT(a.size() == b.size(), "compared tensors differ in size");
  double largest = 0.0;
  double error = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    error = std::max(error, std::abs(a[i] - b[i]));
  }
  return largest > 0.0 ? error / largest : error;
}

template <typename T>
NodeCase<T>::NodeCase(const model::Graph& graph, std::size_t node, std::int64_t rows, std::uint64_t stream)
    : node_(&graph.nodes[node]) {
  for (std::size_t i = 0; i < node_->inputs.size(); ++i) {
    const std::string& source = node_->inputs[i];
    model::Shape shape = source == "input" ? graph.input_shape : model::node(graph, source).output_shape;
    shape.insert(shape.begin(), rows);
    Array<T> values = from_floats<T>(noise_tensor(shape, stream + 1000 * i, 1.0));
    if (source == "input" && graph.vocabulary > 0) {
      make_tokens(values.values, graph.vocabulary);
    }
    if (i == 0) {
      input = std::move(values);
    } else {
      other_inputs.push_back(std::move(values));
    }
  }
  for (const model::Parameter& parameter : node_->parameters) {
    parameters.push_back(from_floats<T>(noise_tensor(parameter.shape, ++stream, 1.0)));
  }
  for (std::int64_t row = 0; row < rows * graph.targets_per_sample; ++row) {
    target.push_back(row % graph.class_count);
  }
}

template <typename T>
NodeView<T> NodeCase<T>::view() {
  conditions.arithmetic = &arithmetic;  // a copy of this has its own
  NodeView<T> view{*node_, {&input}, {}, target, conditions, 0, products_};
  for (const Array<T>& other : other_inputs) {
    view.inputs.push_back(&other);
  }
  for (const Array<T>& parameter : parameters) {
    view.parameters.push_back(&parameter);
  }
  return view;
}

template class NodeCase<double>;
template class NodeCase<float>;

std::vector<double> output_on(const model::Graph& graph, std::vector<double> input) {
  NodeCase<double> node(graph, 0, 1, 1);
  node.input.values = std::move(input);
  return node.op().forward(node.view()).values;
}

}  // namespace dlbench::oracle::testing
