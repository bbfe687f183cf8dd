#include "runner_sdk/cpp/compiled_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"
#include "model/builder.hpp"
#include "runner_sdk/cpp/message.hpp"
#include "runner_sdk/cpp/unsupported.hpp"

namespace dlbench::sdk {
namespace {

using model::count;
using testing::ElementsAre;
using testing::IsEmpty;

// The weights' bytes, one tensor after the other: a format that only this test's framework reads.
std::string write_weights(const model::Graph& /*graph*/, const model::Weights& weights) {
  std::string file;
  for (const model::Tensor& tensor : weights) {
    const auto* bytes = reinterpret_cast<const char*>(tensor.values.data());
    file.append(bytes, tensor.values.size() * sizeof(float));
  }
  return file;
}

// What the session asked of the framework.
struct Seen {
  std::vector<std::vector<float>> files;  // the weights of each compilation
  std::vector<model::Shape> input_shapes;
  std::vector<model::Shape> logits_shapes;
  std::vector<const void*> inputs;
  std::vector<model::InputKind> kinds;
  bool breaks = false;  // the next compilation
};

// One dense layer of one feature and two classes.
class DenseNetwork : public CompiledNetwork {
 public:
  explicit DenseNetwork(Seen& seen) : seen_(seen) {}

  void compile(const std::string& file, const std::vector<BatchShapes>& shapes) override {
    if (std::exchange(seen_.breaks, false)) {
      throw std::runtime_error("no memory for kernels");
    }
    weights_.resize(file.size() / sizeof(float));
    std::copy(file.begin(), file.end(), reinterpret_cast<char*>(weights_.data()));
    seen_.files.push_back(weights_);
    seen_.input_shapes.clear();
    seen_.logits_shapes.clear();
    for (const BatchShapes& batch : shapes) {
      seen_.input_shapes.push_back(batch.input);
      seen_.logits_shapes.push_back(batch.logits);
    }
  }

  void run(const BatchInput& input) override {
    seen_.inputs.push_back(input.data);
    seen_.kinds.push_back(input.kind);
    logits_.assign(static_cast<std::size_t>(model::element_count(input.shapes.logits)), 0);
    if (input.kind == model::InputKind::real && weights_.size() == 4) {
      const auto* samples = static_cast<const float*>(input.data);
      for (std::size_t i = 0; i < logits_.size(); ++i) {
        logits_[i] = samples[i / 2] * weights_[i % 2] + weights_[2 + i % 2];
      }
    }
  }

  const float* logits() override { return logits_.data(); }
  std::vector<Setting> effective() override { return {{"threads", "3", "the test"}}; }

 private:
  Seen& seen_;
  std::vector<float> weights_;
  std::vector<float> logits_;
};

class CompiledSessionTest : public ::testing::Test {
 protected:
  static Load load_of(model::Graph graph, std::int64_t batch, std::int64_t partial) {
    Load load;
    load.graph = std::move(graph);
    load.mode = Mode::infer;
    load.batch = batch;
    load.partial = partial;
    return load;
  }
  static Load dense_load() {
    return load_of(model::Builder("g", {1}).add("score", "dense", {{"out_features", count(2)}}).finish(), 2,
                   1);
  }

  std::unique_ptr<CompiledSession> session_for(const Load& load) {
    return std::make_unique<CompiledSession>(load, write_weights, std::make_unique<DenseNetwork>(seen_));
  }

  static void put(CompiledSession& session, std::size_t index, const std::vector<float>& values) {
    const Parameter parameter = model::parameters(dense_load().graph).at(index);
    session.put(parameter, {values, parameter.shape});
  }

  // Logits of these samples, one feature each.
  static std::vector<float> infer(CompiledSession& session, const std::vector<float>& samples) {
    const auto rows = static_cast<std::int64_t>(samples.size());
    session.infer({.input = samples.data(), .rows = rows});
    std::vector<float> logits(2 * samples.size());
    session.outputs({logits, model::Shape{rows, 2}});
    return logits;
  }

  Seen seen_;
};

TEST_F(CompiledSessionTest, CompilesZerosForFullAndPartialBatchesAtOnce) {
  const auto session = session_for(dense_load());
  EXPECT_THAT(seen_.files, ElementsAre(ElementsAre(0, 0, 0, 0)));
  EXPECT_THAT(seen_.input_shapes, ElementsAre(model::Shape{2, 1}, model::Shape{1, 1}));
  EXPECT_THAT(seen_.logits_shapes, ElementsAre(model::Shape{2, 2}, model::Shape{1, 2}));
  EXPECT_EQ(session->effective().at(0).value, "3") << "the framework's own report";
}

TEST_F(CompiledSessionTest, CompilesOneShapeWithoutAPartialBatchOfAnotherSize) {
  Load load = dense_load();
  load.partial = 0;
  (void)session_for(load);
  EXPECT_THAT(seen_.input_shapes, ElementsAre(model::Shape{2, 1}));
  load.partial = 2;
  (void)session_for(load);
  EXPECT_THAT(seen_.input_shapes, ElementsAre(model::Shape{2, 1}));
}

TEST_F(CompiledSessionTest, InfersWithTheWeightsOfTheLastRound) {
  const auto session = session_for(dense_load());
  put(*session, 0, {1, -1});
  put(*session, 1, {0.5F, 0});
  EXPECT_THAT(seen_.files, ElementsAre(ElementsAre(0, 0, 0, 0), ElementsAre(1, -1, 0.5F, 0)));
  // x * (1, -1) + (0.5, 0)
  EXPECT_THAT(infer(*session, {2, 3}), ElementsAre(2.5F, -2, 3.5F, -3));
  EXPECT_THAT(infer(*session, {4}), ElementsAre(4.5F, -4));
  put(*session, 0, {10, 20});
  put(*session, 1, {0, 1});
  EXPECT_THAT(infer(*session, {4}), ElementsAre(40, 81));
}

TEST_F(CompiledSessionTest, HandsOverTheBatchesOwnMemory) {
  const Load load = load_of(model::Builder("g", {3}, 5)
                                .add("words", "embedding", {{"vocabulary", count(5)}, {"features", count(2)}})
                                .add("flat", "flatten")
                                .add("score", "dense", {{"out_features", count(2)}})
                                .finish(),
                            1, 0);
  const auto session = session_for(load);
  for (const Parameter& parameter : model::parameters(load.graph)) {
    const std::vector<float> values(static_cast<std::size_t>(model::element_count(parameter.shape)));
    session->put(parameter, {values, parameter.shape});
  }
  const std::vector<std::int64_t> tokens = {4, 0, 1};
  session->infer({.rows = 1, .tokens = tokens.data()});
  EXPECT_THAT(seen_.inputs, ElementsAre(tokens.data()));
  EXPECT_THAT(seen_.kinds, ElementsAre(model::InputKind::tokens));
}

TEST_F(CompiledSessionTest, RefusesToInferBeforeAllWeightsArePut) {
  const auto session = session_for(dense_load());
  EXPECT_THROW(infer(*session, {1, 2}), ProtocolError) << "the zeros that it was built with";
  put(*session, 0, {1, -1});
  EXPECT_THROW(infer(*session, {1, 2}), ProtocolError);
  put(*session, 1, {0, 0});
  EXPECT_THAT(infer(*session, {1, 2}), ElementsAre(1, -1, 2, -2));
  put(*session, 1, {9, 9});
  EXPECT_THROW(infer(*session, {1, 2}), ProtocolError) << "a round that has begun";
  EXPECT_EQ(seen_.inputs.size(), 1U);
}

TEST_F(CompiledSessionTest, InfersAtOnceWhereThereAreNoWeights) {
  const auto session = session_for(load_of(model::Builder("g", {2}).add("score", "relu").finish(), 1, 0));
  EXPECT_THAT(infer(*session, {1}), ElementsAre(0, 0));
}

TEST_F(CompiledSessionTest, RefusesAWeightOfTheWrongSizeAndTakesTheNextRound) {
  const auto session = session_for(dense_load());
  put(*session, 0, {1, 2});
  EXPECT_THROW(put(*session, 1, {7}), base::Bug);
  EXPECT_THROW(infer(*session, {1, 2}), ProtocolError);
  put(*session, 0, {3, 4});
  EXPECT_THROW(infer(*session, {1, 2}), ProtocolError) << "the bias is still missing";
  put(*session, 1, {0, 1});
  EXPECT_THAT(infer(*session, {1, 2}), ElementsAre(3, 5, 6, 9));
}

TEST_F(CompiledSessionTest, RefusesToInferAfterAFailedCompilation) {
  const auto session = session_for(dense_load());
  put(*session, 0, {1, 2});
  seen_.breaks = true;
  EXPECT_THROW(put(*session, 1, {0, 0}), std::runtime_error);
  EXPECT_THROW(infer(*session, {1, 2}), ProtocolError);
  put(*session, 0, {1, 2});
  put(*session, 1, {0, 0});
  EXPECT_THAT(infer(*session, {1, 2}), ElementsAre(1, 2, 2, 4));
}

TEST_F(CompiledSessionTest, DoesNotTrain) {
  Load load = dense_load();
  load.mode = Mode::train;
  EXPECT_THROW(session_for(load), Unsupported);
  EXPECT_THAT(seen_.files, IsEmpty()) << "nothing is compiled for it";
  const auto session = session_for(dense_load());
  EXPECT_THROW(session->step({}, 0.1), Unsupported);
  EXPECT_THROW(session->loss(), Unsupported);
}

TEST_F(CompiledSessionTest, HasNoWeightsToReadBack) {
  const auto session = session_for(dense_load());
  std::vector<float> values(2);
  EXPECT_THROW(session->get(model::parameters(dense_load().graph).at(0), {values, {}}), Unsupported);
}

TEST_F(CompiledSessionTest, RefusesRowsThatWereNotCompiledAndLogitsThatAreNotThere) {
  const auto session = session_for(dense_load());
  put(*session, 0, {1, -1});
  put(*session, 1, {0, 0});
  std::vector<float> logits(4);
  EXPECT_THROW(session->outputs({logits, {}}), ProtocolError) << "before any batch";
  EXPECT_THROW(infer(*session, {1, 2, 3}), ProtocolError);
  EXPECT_THAT(seen_.inputs, IsEmpty());
  (void)infer(*session, {1});
  EXPECT_THROW(session->outputs({logits, {}}), base::Bug) << "of a larger batch";
  put(*session, 0, {1, -1});
  put(*session, 1, {0, 0});
  EXPECT_THROW(session->outputs({logits, {}}), ProtocolError) << "of weights that are gone";
}

}  // namespace
}  // namespace dlbench::sdk
