#include "runner_sdk/cpp/lower.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/builder.hpp"

namespace dlbench::sdk {
namespace {

using Log = std::vector<std::string>;

std::string note(Log& log, const model::Node& node, const std::vector<std::string>& inputs) {
  log.push_back(node.name + "(" + inputs.at(0) + ")");
  return node.name;
}

model::Graph graph() {
  return model::Builder("net", {3})
      .add("first", "dense", {{"out_features", model::count(4)}})
      .add("active", "relu")
      .add("score", "dense", {{"out_features", model::count(2)}})
      .finish();
}

TEST(Lower, VisitsNodesInOrderWithTheValuesOfTheirInputs) {
  const OpTable<Log, std::string> table("op",
                                        {{"dense", note}, {"relu", note}, {"softmax_cross_entropy", note}});
  Log log;
  const auto lowered = lower(graph(), table, log, std::string("input"));
  EXPECT_THAT(log, testing::ElementsAre("first(input)", "active(first)", "score(active)", "loss(score)"));
  EXPECT_EQ(lowered.logits, "score");
  EXPECT_EQ(lowered.loss, "loss");
}

TEST(Lower, RefusesAMissingOpBeforeBuildingAnything) {
  const OpTable<Log, std::string> table("op", {{"dense", note}, {"softmax_cross_entropy", note}});
  Log log;
  try {
    (void)lower(graph(), table, log, std::string("input"));
    FAIL() << "relu is not in the table";
  } catch (const Unsupported& refusal) {
    EXPECT_STREQ(refusal.what(), "op relu");
  }
  EXPECT_THAT(log, testing::IsEmpty());
}

TEST(Table, ListsItsNamesSortedAndSaysWhatKindIsMissing) {
  const Table<int> table("optimizer", {{"sgd", 1}, {"adam", 2}});
  EXPECT_THAT(table.names(), testing::ElementsAre("adam", "sgd"));
  EXPECT_EQ(table.at("adam"), 2);
  EXPECT_THROW((void)table.at("lion"), Unsupported);
}

}  // namespace
}  // namespace dlbench::sdk
