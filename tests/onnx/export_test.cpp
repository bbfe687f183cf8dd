// The files are judged by ONNX's own checker and shape inference; what readers make of them is proved by the
// gate.
#include "onnx/export.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <cstring>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "model/op_spec.hpp"
#include "model/recipe.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::onnx {
namespace {

using model::count;
using model::extents;
using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

::onnx::ModelProto parsed(const std::string& bytes) {
  ::onnx::ModelProto file;
  EXPECT_TRUE(file.ParseFromString(bytes));
  return file;
}

// Weights 1, 2, 3 … through all parameters.
model::Weights counted_weights(const model::Graph& graph) {
  model::Weights weights;
  float next = 1.0F;
  for (const model::Parameter& parameter : model::parameters(graph)) {
    model::Tensor& tensor = weights.emplace_back(model::Tensor{parameter.shape, {}});
    for (std::int64_t i = 0; i < model::element_count(parameter.shape); ++i) {
      tensor.values.push_back(next++);
    }
  }
  return weights;
}

::onnx::ModelProto exported(const model::Graph& graph) {
  return parsed(to_onnx(graph, counted_weights(graph)));
}

std::vector<float> constant(const ::onnx::ModelProto& file, const std::string& name) {
  for (const ::onnx::TensorProto& tensor : file.graph().initializer()) {
    if (tensor.name() == name) {
      std::vector<float> values(tensor.raw_data().size() / sizeof(float));
      std::memcpy(values.data(), tensor.raw_data().data(), tensor.raw_data().size());
      return values;
    }
  }
  ADD_FAILURE() << "no constant " << name;
  return {};
}

const ::onnx::NodeProto& node_of(const ::onnx::ModelProto& file, const std::string& op_type) {
  for (const ::onnx::NodeProto& node : file.graph().node()) {
    if (node.op_type() == op_type) {
      return node;
    }
  }
  throw base::Bug("no node " + op_type);
}

const ::onnx::AttributeProto& attribute(const ::onnx::NodeProto& node, const std::string& name) {
  for (const ::onnx::AttributeProto& one : node.attribute()) {
    if (one.name() == name) {
      return one;
    }
  }
  throw base::Bug("no attribute " + name);
}

// Accepted by the checker, and of the shapes that the graph says.
void expect_sound(const model::Graph& graph) {
  ::onnx::ModelProto file = exported(graph);
  EXPECT_NO_THROW(::onnx::checker::check_model(file)) << graph.name;
  file.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  const ::onnx::ShapeInferenceOptions strict(true, 1);
  EXPECT_NO_THROW(::onnx::shape_inference::InferShapes(file, ::onnx::OpSchemaRegistry::Instance(), strict))
      << graph.name;
  const auto& shape = file.graph().output(0).type().tensor_type().shape();
  model::Shape seen;
  for (int i = 1; i < shape.dim_size(); ++i) {
    seen.push_back(shape.dim(i).dim_value());
  }
  EXPECT_EQ(seen, model::logits_shape(graph)) << graph.name;
}

TEST(OnnxExport, EveryTestGraphIsSound) {
  for (const model::OpSpec& op : model::builtin_ops()) {
    for (const model::Graph& graph : op.test_graphs()) {
      expect_sound(graph);
    }
  }
}

TEST(OnnxExport, NetworksOfTheZooAreSound) {
  for (const char* name :
       {"lenet", "cifar10_caffe", "cifar10_torch", "tartu_mnist", "lstm_imdb", "inception_block"}) {
    expect_sound(zoo::find(name)->build());
  }
}

TEST(OnnxExport, ExportsEveryOperator) {
  std::vector<std::string> all;
  for (const model::OpSpec& op : model::builtin_ops()) {
    all.push_back(op.name);
  }
  EXPECT_THAT(exported_ops(), UnorderedElementsAreArray(all));
}

// 2 outputs of one channel each among 3: output 0 reads channel 2, output 1 channel 0. Weights 1 and 2.
TEST(OnnxExport, ATableBecomesZeros) {
  const model::Graph graph =
      model::Builder("t", {3, 1, 1})
          .add("conv", "conv_table",
               {{"out_channels", count(2)}, {"kernel", extents({1, 1})}, {"table", extents({2, 0})}})
          .add("flat", "flatten")
          .add("score", "dense", {{"out_features", count(2)}})
          .finish();
  EXPECT_THAT(constant(exported(graph), "conv.weight"), ElementsAre(0, 0, 1, 2, 0, 0));
}

// One hidden unit on one feature: W is 1 to 4 in the order i, f, g, o, R 5 to 8, b 9 to 12. ONNX wants i, o,
// f, c, and a second bias.
TEST(OnnxExport, AnLstmHasOnnxsOrderOfGates) {
  const model::Graph graph = model::Builder("l", {2, 1})
                                 .add("lstm", "lstm", {{"hidden", count(1)}, {"last_only", true}})
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  const ::onnx::ModelProto file = exported(graph);
  EXPECT_THAT(constant(file, "lstm.weight"), ElementsAre(1, 4, 2, 3));
  EXPECT_THAT(constant(file, "lstm.recurrent"), ElementsAre(5, 8, 6, 7));
  EXPECT_THAT(constant(file, "lstm.bias"), ElementsAre(9, 12, 10, 11, 0, 0, 0, 0));
}

// alpha 0.5 is ONNX's alpha ÷ size, with a size of 3.
TEST(OnnxExport, AlphaOfLrnIsMultipliedByItsSize) {
  const model::Graph graph = model::Builder("n", {4, 2, 2})
                                 .add("norm", "lrn", {{"size", count(3)}, {"alpha", 0.5}})
                                 .add("flat", "flatten")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  EXPECT_FLOAT_EQ(attribute(node_of(exported(graph), "LRN"), "alpha").f(), 1.5F);
}

// 4 cells, pads of 1 on both sides, windows of 3 at stride 3, rounded up: windows from -1 and 2. The second
// reaches cells 2, 3 and the pad: nothing hangs over. With 5 cells it is windows from -1, 2; rounding up adds
// none. With stride 2 on 4 cells: from -1, 1, 3; the third reads cell 3, the pad and one cell behind, which
// does not count: 3 ÷ 2.
TEST(OnnxExport, AveragesThatHangOverArePutRight) {
  const model::Graph graph = model::Builder("a", {1, 1, 4})
                                 .add("pool", "avg_pool",
                                      {{"kernel", extents({1, 3})},
                                       {"stride", extents({1, 2})},
                                       {"pads", extents({0, 1, 0, 1})},
                                       {"ceil_mode", true}})
                                 .add("flat", "flatten")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  const ::onnx::ModelProto file = exported(graph);
  EXPECT_THAT(constant(file, "pool.factors"), ElementsAre(1.0F, 1.0F, 1.5F));
  EXPECT_EQ(attribute(node_of(file, "AveragePool"), "pads").ints(3), 2);
}

TEST(OnnxExport, DropoutIsNotThere) {
  const model::Graph graph = model::Builder("d", {3})
                                 .add("drop", "dropout")
                                 .add("score", "dense", {{"out_features", count(2)}})
                                 .finish();
  const ::onnx::ModelProto file = exported(graph);
  EXPECT_EQ(node_of(file, "Gemm").input(0), "input");
}

TEST(OnnxExport, ANodeMayBeCalledLogits) {
  expect_sound(model::Builder("n", {3}).add("logits", "dense", {{"out_features", count(2)}}).finish());
}

TEST(OnnxExport, WeightsMustFit) {
  const model::Graph graph = zoo::find("lenet")->build();
  model::Weights weights = counted_weights(graph);
  weights.pop_back();
  EXPECT_THROW(static_cast<void>(to_onnx(graph, weights)), base::Bug);
}

}  // namespace
}  // namespace dlbench::onnx
