// Layouts against small tensors worked out by hand; the Python and Lua SDKs pass the same file.
#include "runner_sdk/cpp/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "base/error.hpp"
#include "base/text_file.hpp"
#include "model/json.hpp"

namespace dlbench::sdk {
namespace {

using nlohmann::json;

const json& cases() {
  static const json document =
      json::parse(base::read_text_file(DLBENCH_SOURCE_DIR "/tests/runner_sdk/data/layouts.json", 1U << 20U));
  return document;
}

Picture picture_of(const json& extents) {
  return {extents[0], extents[1], extents[2]};
}

Layout layout_of(const json& entry) {
  Layout layout(entry.at("shape").get<model::Shape>());
  for (const json& step : entry.at("steps")) {
    const auto verb = step.at("verb").get<std::string>();
    if (verb == "transpose") {
      layout = layout.transpose();
    } else if (verb == "permute") {
      layout = layout.permute(step.at("axes").get<std::vector<std::size_t>>());
    } else if (verb == "flip") {
      layout = layout.flip(step.at("axes").get<std::vector<std::size_t>>());
    } else {
      layout = layout.channels_last(step.at("axis").get<std::size_t>(), picture_of(step.at("picture")));
    }
  }
  return layout;
}

TEST(Layout, MatchesHandWorkedTensorsInBothDirections) {
  for (const json& entry : cases().at("cases")) {
    SCOPED_TRACE(entry.at("name"));
    const Layout layout = layout_of(entry);
    const auto expected = entry.at("framework_values").get<std::vector<float>>();
    std::vector<float> canonical(expected.size());
    std::iota(canonical.begin(), canonical.end(), 0.0F);
    std::vector<float> framework(expected.size(), -1.0F);
    layout.to_framework(canonical, framework);
    EXPECT_EQ(framework, expected);
    std::vector<float> back(expected.size(), -1.0F);
    layout.to_canonical(framework, back);
    EXPECT_EQ(back, canonical);
    EXPECT_EQ(layout.framework_shape(), entry.at("framework_shape").get<model::Shape>());
    EXPECT_EQ(layout.is_identity(), entry.at("identity").get<bool>());
  }
}

TEST(Layout, RefusesDeclarationsThatDoNotFit) {
  const Layout matrix(model::Shape{2, 12});
  EXPECT_THROW((void)matrix.permute({0}), base::Bug);
  EXPECT_THROW((void)matrix.permute({0, 0}), base::Bug);
  EXPECT_THROW((void)matrix.flip({2}), base::Bug);
  EXPECT_THROW((void)Layout(model::Shape{2, 2, 2}).transpose(), base::Bug);
  EXPECT_THROW((void)matrix.channels_last(1, {2, 2, 2}), base::Bug);
  EXPECT_THROW((void)matrix.channels_last(1, {2, 2, 3}).channels_last(1, {2, 2, 3}), base::Bug);
  std::vector<float> few(5);
  std::vector<float> right(24);
  EXPECT_THROW(matrix.to_framework(few, right), base::Bug);
  EXPECT_THROW(matrix.to_canonical(right, few), base::Bug);
}

TEST(FlattenedPicture, IsFoundThroughElementWiseOperatorsOnly) {
  const json& pictures = cases().at("pictures");
  const model::Graph graph = model::graph_from_json(pictures.at("graph").dump());
  const auto first = flattened_picture(graph, model::node(graph, "first"));
  ASSERT_TRUE(first.has_value());
  const Picture expected = picture_of(pictures.at("first"));
  EXPECT_EQ(first->channels, expected.channels);
  EXPECT_EQ(first->height, expected.height);
  EXPECT_EQ(first->width, expected.width);
  EXPECT_FALSE(flattened_picture(graph, model::node(graph, "second")).has_value());
}

}  // namespace
}  // namespace dlbench::sdk
