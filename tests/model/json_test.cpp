#include "model/json.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "model/builder.hpp"
#include "model/op_spec.hpp"

namespace dlbench::model {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr const char* small =
    R"({"name":"tiny","input_shape":[4],"nodes":[)"
    R"({"name":"score","op":"dense","inputs":["input"],"attributes":{"out_features":3}},)"
    R"({"name":"loss","op":"softmax_cross_entropy","inputs":["score"]}]})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

void expect_refused(const std::string& text, const std::string& reason) {
  EXPECT_THAT([&text] { (void)graph_from_json(text); }, ThrowsMessage<base::UserError>(HasSubstr(reason)))
      << text;
}

void expect_recipe_refused(const std::string& text, const std::string& reason) {
  EXPECT_THAT([&text] { (void)recipe_from_json(text); }, ThrowsMessage<base::UserError>(HasSubstr(reason)))
      << text;
}

TEST(GraphJson, RoundTripsEveryTestGraph) {
  for (const OpSpec& spec : builtin_ops()) {
    for (const Graph& graph : spec.test_graphs()) {
      const std::string text = to_json(graph);
      EXPECT_EQ(to_json(graph_from_json(text)), text) << graph.name;
    }
  }
}

TEST(GraphJson, AcceptsAGraphWithoutDerivedFields) {
  const Graph graph = graph_from_json(small);
  EXPECT_EQ(graph.class_count, 3);
  EXPECT_EQ(parameter_count(graph), 15);
}

// The text is the identity of a model: this very text, and so its hash, must not change between versions.
TEST(GraphJson, CanonicalTextIsStable) {
  const std::string text = to_json(graph_from_json(small));
  EXPECT_EQ(
      text,
      R"({"class_count":3,"input_shape":[4],"name":"tiny","nodes":[{"attributes":{"bias":true,"out_features":3},)"
      R"("inputs":["input"],"macs":12,"name":"score","op":"dense","output_shape":[3],"parameters":[)"
      R"({"fan_in":4,"fan_out":3,"name":"score.weight","role":"weight","shape":[3,4]},)"
      R"({"fan_in":4,"fan_out":3,"name":"score.bias","role":"bias","shape":[3]}]},)"
      R"({"attributes":{},"inputs":["score"],"macs":0,"name":"loss","op":"softmax_cross_entropy",)"
      R"("output_shape":[],"parameters":[]}],"targets_per_sample":1,"vocabulary":0})");
  EXPECT_EQ(base::hash_hex(text), base::hash_hex(to_json(graph_from_json(text))));
}

TEST(GraphJson, OrderOfKeysAndSpacesDoNotMatter) {
  const std::string other =
      R"( { "nodes" : [ {"op":"dense", "attributes":{"bias":true,"out_features":3}, "name":"score", "inputs":["input"]},
          {"inputs":["score"],"name":"loss","op":"softmax_cross_entropy","attributes":{}} ],
          "input_shape":[4], "name":"tiny" } )";
  EXPECT_EQ(to_json(graph_from_json(other)), to_json(graph_from_json(small)));
}

TEST(GraphJson, RefusesDerivedFieldsThatDisagree) {
  const std::string good = to_json(graph_from_json(small));
  expect_refused(replaced(good, R"("class_count":3)", R"("class_count":4)"), "graph.class_count");
  expect_refused(replaced(good, R"("macs":12)", R"("macs":13)"), "graph.nodes[0].macs: must be 12");
  expect_refused(replaced(good, R"("output_shape":[3])", R"("output_shape":[4])"), "output_shape");
  expect_refused(replaced(good, R"("shape":[3,4])", R"("shape":[4,3])"), "parameters");
}

TEST(GraphJson, RefusesUnknownAndDoubleKeys) {
  expect_refused(replaced(small, R"({"name":"tiny")", R"({"title":"x","name":"tiny")"),
                 "unknown key 'title'");
  expect_refused(replaced(small, R"({"name":"score")", R"({"colour":1,"name":"score")"),
                 "graph.nodes[0]: unknown key 'colour'");
  expect_refused(replaced(small, R"("out_features":3)", R"("out_features":3,"gain":1)"),
                 "unknown attribute 'gain'");
  expect_refused(replaced(small, R"({"name":"tiny")", R"({"name":"tiny","name":"tiny")"), "twice");
  expect_refused(replaced(small, R"("out_features":3)", R"("out_features":3,"out_features":4)"), "twice");
}

TEST(GraphJson, RefusesWrongTypesWithThePlace) {
  expect_refused("[]", "graph: must be an object");
  expect_refused("7", "graph: must be an object");
  expect_refused(replaced(small, R"("name":"tiny",)", ""), "key 'name' is missing");
  expect_refused(replaced(small, R"("name":"tiny")", R"("name":5)"), "graph.name: must be text");
  expect_refused(replaced(small, R"("input_shape":[4])", R"("input_shape":[4.5])"), "graph.input_shape");
  expect_refused(replaced(small, R"("input_shape":[4])", R"("input_shape":4)"), "graph.input_shape");
  expect_refused(replaced(small, R"("input_shape":[4])", R"("input_shape":[18446744073709551615])"),
                 "64 bits");
  expect_refused(replaced(small, R"("input_shape":[4])", R"("input_shape":[1,1,1,1,1,1,1])"), "at most 6");
  expect_refused(replaced(small, R"(["input"])", R"([7])"), "graph.nodes[0].inputs");
  expect_refused(replaced(small, R"({"out_features":3})", "[]"), "graph.nodes[0].attributes");
  expect_refused(replaced(small, R"("out_features":3)", R"("out_features":null)"), "out_features");
  expect_refused(replaced(small, R"("out_features":3)", R"("out_features":3.0)"), "wrong type");
  expect_refused(replaced(small, R"("out_features":3)", R"("out_features":-3)"), "at least 1");
  expect_refused(replaced(small, R"("nodes":[)", R"("nodes":[7,)"), "graph.nodes[0]: must be an object");
}

TEST(GraphJson, RefusesMalformedText) {
  for (const char* text : {"", "{", "nul", "{\"name\":\"\xff\xfe\"}", "{}{}", "{\"a\":1e999}", "\x00"}) {
    EXPECT_THROW((void)graph_from_json(text), base::UserError) << text;
  }
}

TEST(GraphJson, RefusesTooLargeAndTooDeepText) {
  expect_refused(std::string(1, '{') + std::string((1U << 20U), ' ') + "}", "larger than");
  expect_refused(std::string(100'000, '['), "deeper");
  std::string keys;
  for (int i = 0; i < 50'000; ++i) {
    keys += R"({"a":)";
  }
  expect_refused(keys, "deeper");
}

TEST(GraphJson, RefusesTooManyNodes) {
  std::string nodes;
  for (int i = 0; i < 10'001; ++i) {
    nodes += "0,";
  }
  expect_refused(replaced(small, R"("nodes":[)", R"("nodes":[)" + nodes), "at most 10000");
}

Recipe odd_recipe() {
  Recipe recipe;
  recipe.optimizer = {"sgd", SgdForm::rate_inside, 0.9, 5e-4, false};
  recipe.rate = {"step", 0.1, 1.0, 40};
  recipe.initialiser.seed = 18'446'744'073'709'551'615ULL;
  recipe.batch = 100;
  return recipe;
}

TEST(RecipeJson, RoundTripsExactly) {
  const std::string text = to_json(odd_recipe());
  const Recipe back = recipe_from_json(text);
  EXPECT_EQ(to_json(back), text);
  EXPECT_EQ(back.optimizer.form, SgdForm::rate_inside);
  EXPECT_EQ(back.optimizer.momentum, 0.9);
  EXPECT_EQ(back.optimizer.weight_decay, 5e-4);
  EXPECT_FALSE(back.optimizer.decay_bias);
  EXPECT_EQ(back.rate.every_steps, 40);
  EXPECT_EQ(back.initialiser.seed, 18'446'744'073'709'551'615ULL);
  EXPECT_EQ(back.batch, 100);
}

// 17 significant digits name a double exactly; a whole number keeps a point, so that it stays a double.
TEST(RecipeJson, CanonicalTextIsStable) {
  EXPECT_EQ(
      to_json(odd_recipe()),
      R"({"batch":100,"clip":{"by":"none","limit":0.0},"initialiser":{"name":"xavier_uniform_fan_in","seed":18446744073709551615},)"
      R"("optimizer":{"decay_bias":false,"decay_norm":true,"form":"rate_inside","momentum":0.90000000000000002,"name":"sgd",)"
      R"("nesterov":false,"weight_decay":0.00050000000000000001},)"
      R"("rate":{"base":0.10000000000000001,"every_steps":40,"gamma":1.0,"policy":"step"},)"
      R"("weight_ema":{"decay":0.0,"ramp":false}})");
}

TEST(RecipeJson, RefusesWhatItDoesNotKnow) {
  const std::string good = to_json(odd_recipe());
  expect_recipe_refused(replaced(good, R"("batch":100)", R"("batch":100,"epochs":3)"),
                        "unknown key 'epochs'");
  expect_recipe_refused(replaced(good, R"("batch":100,)", ""), "'batch' is missing");
  expect_recipe_refused(replaced(good, "rate_inside", "rate_beside"), "recipe.optimizer.form");
  expect_recipe_refused(replaced(good, R"("seed":18446744073709551615)", R"("seed":-1)"), "not negative");
  expect_recipe_refused(replaced(good, R"("gamma":1.0)", R"("gamma":"1")"), "recipe.rate.gamma");
  expect_recipe_refused(replaced(good, R"("policy":"step")", R"("policy":"sine")"), "'sine' is unknown");
  expect_recipe_refused("{", "recipe");
  expect_recipe_refused(replaced(good, R"("every_steps":40)", R"("every_steps":0)"),
                        "recipe.rate.every_steps");
  expect_recipe_refused(replaced(good, R"("gamma":1.0)", R"("gamma":1.0,"power":1.0)"),
                        "unknown key 'power'");
  expect_recipe_refused(replaced(good, R"("name":"sgd")", R"("name":"adam")"), "unknown key");
  expect_recipe_refused(replaced(good, R"("by":"none")", R"("by":"norm")"), "recipe.clip.by");
  expect_recipe_refused(replaced(good, R"("ramp":false)", R"("ramp":true)"), "weight_ema.ramp");
}

// What an optimizer has a default for may be left out; what a policy needs may not.
TEST(RecipeJson, AbsentSettingsTakeTheirDefaults) {
  const Recipe recipe = recipe_from_json(
      R"({"batch":8,"initialiser":{"name":"xavier_uniform_fan_in","seed":1},"optimizer":{"name":"rmsprop"},)"
      R"("rate":{"policy":"multistep","base":0.1,"gamma":0.5,"at_steps":[3,7]}})");
  EXPECT_EQ(recipe.optimizer.rho, 0.9);
  EXPECT_EQ(recipe.clip.by, ClipBy::none);
  EXPECT_EQ(recipe.weight_ema.decay, 0.0);
  EXPECT_EQ(recipe.rate.at_steps, (std::vector<std::int64_t>{3, 7}));
  expect_recipe_refused(replaced(to_json(recipe), R"("at_steps":[3,7],)", ""), "key 'at_steps' is missing");
}

}  // namespace
}  // namespace dlbench::model
