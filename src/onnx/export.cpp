#include "onnx/export.hpp"

#include <map>

#include "base/error.hpp"
#include "onnx/operators.hpp"
#include "onnx/writer.hpp"

namespace dlbench::onnx {
namespace {

constexpr std::int64_t operator_set = 13;
constexpr std::int64_t file_version = 7;  // ONNX IR: the one that came with this operator set
constexpr const char* batch_extent = "batch";

// Everything but losses, which nothing of inference reads.
const std::map<std::string, Exporter>& exporters() {
  static const std::map<std::string, Exporter> table = {
      {"add", export_add},
      {"avg_pool", export_avg_pool},
      {"batch_norm", export_batch_norm},
      {"concat", export_concat},
      {"conv2d", export_conv2d},
      {"conv_table", export_conv_table},
      {"dense", export_dense},
      {"dropout", export_dropout},
      {"embedding", export_embedding},
      {"flatten", export_flatten},
      {"global_avg_pool", export_global_avg_pool},
      {"lrn", export_lrn},
      {"lstm", export_lstm},
      {"max_pool", export_max_pool},
      {"relu", export_relu},
      {"sigmoid", export_sigmoid},
      {"softmax", export_softmax},
      {"tanh", export_tanh},
  };
  return table;
}

const std::vector<std::string>& losses() {
  static const std::vector<std::string> names = {"binary_cross_entropy", "softmax_cross_entropy"};
  return names;
}

Exporter exporter_of(const model::Node& node) {
  const auto found = exporters().find(node.op);
  if (found == exporters().end()) {
    throw base::UserError("operator " + node.op + " cannot be written as ONNX", node.name);
  }
  return found->second;
}

void declare(::onnx::ValueInfoProto& value, const std::string& name, std::int32_t type,
             const model::Shape& shape) {
  value.set_name(name);
  ::onnx::TypeProto_Tensor& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape()->add_dim()->set_dim_param(batch_extent);
  for (const std::int64_t extent : shape) {
    tensor.mutable_shape()->add_dim()->set_dim_value(extent);
  }
}

void require_fit(const model::Graph& graph, const model::Weights& weights) {
  const std::vector<model::Parameter> parameters = model::parameters(graph);
  DLBENCH_ASSERT(weights.size() == parameters.size(), "a tensor for each parameter");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    DLBENCH_ASSERT(weights[i].shape == parameters[i].shape, parameters[i].name);
  }
}

// Writes all nodes but the loss; returns the name of the logits' value.
std::string write_nodes(const model::Graph& graph, const model::Weights& weights, Writer& writer) {
  std::map<std::string, std::string> values = {{"input", input_name}};
  std::span<const model::Tensor> rest = weights;
  for (const model::Node& node : graph.nodes) {
    if (&node == &graph.nodes.back()) {
      break;
    }
    std::vector<std::string> inputs;
    std::vector<model::Shape> shapes;
    for (const std::string& input : node.inputs) {
      inputs.push_back(values.at(input));
      shapes.push_back(model::shape_of(graph, input));
    }
    values[node.name] = exporter_of(node)(
        {node, std::move(inputs), std::move(shapes), rest.first(node.parameters.size()), writer});
    rest = rest.subspan(node.parameters.size());
  }
  return values.at(model::logits_name(graph));
}

}  // namespace

std::string to_onnx(const model::Graph& graph, const model::Weights& weights) {
  require_fit(graph, weights);
  ::onnx::ModelProto file;
  file.set_ir_version(file_version);
  file.set_producer_name("dlbench");
  file.add_opset_import()->set_version(operator_set);
  ::onnx::GraphProto& body = *file.mutable_graph();
  body.set_name(graph.name);
  const bool reads_tokens = model::input_kind(graph) == model::InputKind::tokens;
  declare(*body.add_input(), input_name,
          reads_tokens ? ::onnx::TensorProto_DataType_INT64 : ::onnx::TensorProto_DataType_FLOAT,
          graph.input_shape);
  Writer writer(body);
  const std::string last = write_nodes(graph, weights, writer);
  // A name of its own, whatever the last node is called; it also serves a network that ends in its input.
  writer.add("Identity", {last}, logits_name);
  declare(*body.add_output(), logits_name, ::onnx::TensorProto_DataType_FLOAT, model::logits_shape(graph));
  return file.SerializeAsString();
}

std::vector<std::string> exported_ops() {
  std::vector<std::string> names = losses();
  for (const auto& [name, exporter] : exporters()) {
    names.push_back(name);
  }
  return names;
}

}  // namespace dlbench::onnx
