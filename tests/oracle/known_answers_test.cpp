// The whole oracle against an independent numpy implementation (make_known_answers.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "model/builder.hpp"
#include "oracle/oracle.hpp"
#include "oracle/support.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::oracle {
namespace {

using model::count;
using model::extents;

// Lines "name count value …", values in hexadecimal.
std::map<std::string, Values> read_answers() {
  std::ifstream file(DLBENCH_SOURCE_DIR "/tests/oracle/known_answers.txt");
  std::map<std::string, Values> answers;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, word;
    words >> name >> word;
    while (words >> word) {
      answers[name].push_back(std::strtod(word.c_str(), nullptr));
    }
  }
  return answers;
}

// As digest() of the script.
Values digest(const Values& values) {
  Values result(3);
  for (std::size_t i = 0; i < values.size(); ++i) {
    result[0] += values[i];
    result[1] += std::abs(values[i]);
    result[2] += values[i] * static_cast<double>(i % 97 + 1);
  }
  for (std::size_t j = 0; j < 8; ++j) {
    result.push_back(values[j * (values.size() - 1) / 7]);
  }
  return result;
}

Values five_smallest(const std::vector<Margin>& margins) {
  Values distances;
  for (const Margin& margin : margins) {
    distances.push_back(margin.distance);
  }
  std::ranges::sort(distances);
  distances.resize(5);
  return distances;
}

// Every attribute of convolution and pooling at once.
model::Graph windows() {
  return model::Builder("windows", {4, 11, 9})
      .add("conv", "conv2d",
           {{"out_channels", count(6)},
            {"kernel", extents({3, 2})},
            {"stride", extents({2, 1})},
            {"pads", extents({2, 1, 1, 2})},
            {"dilation", extents({2, 3})},
            {"groups", count(2)}})
      .add("active", "relu")
      .add("pool", "max_pool",
           {{"kernel", extents({3, 2})},
            {"stride", extents({2, 2})},
            {"pads", extents({1, 0, 1, 1})},
            {"ceil_mode", true}})
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(5)}})
      .finish();
}

class KnownAnswersTest : public ::testing::TestWithParam<std::string> {
 protected:
  void expect(const std::string& name, const Values& values, double tolerance) {
    const auto found = answers_.find(GetParam() + "." + name);
    ASSERT_NE(found, answers_.end()) << name;
    ASSERT_EQ(values.size(), found->second.size()) << name;
    EXPECT_LT(testing::relative_error(values, found->second), tolerance) << name;
  }
  void expect_digests(const std::string& name, const std::vector<Values>& tensors, double tolerance) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      expect(name + "." + std::to_string(i), digest(tensors[i]), tolerance);
    }
  }
  void expect_trajectory(Precision precision, model::SgdForm form, double loss_tolerance, double tolerance) {
    model::Recipe recipe;
    recipe.optimizer = {"sgd", form, 0.9, 0.01, false};
    std::vector<model::Batch> batches;
    for (std::uint64_t step = 0; step < 3; ++step) {
      batches.push_back(testing::noise_batch(graph_, 4, step));
    }
    const std::vector<double> rates = {0.02, 0.05, 0.01};
    Trajectory result = train(graph_, recipe, weights_, batches, rates, precision);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      for (std::size_t j = 0; j < result.weights[i].size(); ++j) {
        result.weights[i][j] -= static_cast<double>(weights_[i].values[j]);
      }
    }
    const std::string name = form == model::SgdForm::rate_inside ? "rate_inside" : "rate_outside";
    expect(name + ".losses", result.losses, loss_tolerance);
    expect_digests(name + ".delta", result.weights, tolerance);
  }

  const std::map<std::string, Values> answers_ = read_answers();
  const model::Graph graph_ = GetParam() == "lenet" ? zoo::lenet() : windows();
  const model::Weights weights_ = testing::noise_weights(graph_);
};

TEST_P(KnownAnswersTest, Function) {
  const Evaluation result =
      differentiate(graph_, weights_, testing::noise_batch(graph_, 4, 0), Precision::fp64);
  expect("logits", result.logits, 1e-13);
  expect("loss", {result.loss}, 1e-14);
  expect("logits_scale", {result.logits_scale}, 1e-14);
  expect("gradient_scales", result.gradient_scales, 1e-13);
  const Margins margins = measure_margins(graph_, weights_, testing::noise_batch(graph_, 4, 0), 1.0);
  expect("relu_margins", five_smallest(margins.relu), 1e-11);
  expect("pool_margins", five_smallest(margins.pool), 1e-11);
  expect_digests("gradient", result.gradients, 1e-12);
}

TEST_P(KnownAnswersTest, FunctionInFloat) {
  const Evaluation result =
      differentiate(graph_, weights_, testing::noise_batch(graph_, 4, 0), Precision::fp32);
  expect("logits", result.logits, 2e-6);
  expect("loss", {result.loss}, 5e-7);
  expect_digests("gradient", result.gradients, 1e-5);
}

TEST_P(KnownAnswersTest, Trajectories) {
  expect_trajectory(Precision::fp64, model::SgdForm::rate_outside, 1e-14, 1e-11);
  expect_trajectory(Precision::fp64, model::SgdForm::rate_inside, 1e-14, 1e-11);
  expect_trajectory(Precision::fp32, model::SgdForm::rate_outside, 1e-6, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Graphs, KnownAnswersTest, ::testing::Values("lenet", "windows"),
                         [](const auto& graph) { return graph.param; });

}  // namespace
}  // namespace dlbench::oracle
