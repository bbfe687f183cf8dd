#include "host/conversation.hpp"

#include <fmt/format.h>

#include <utility>

#include "host/runner_experiment.hpp"
#include "model/json.hpp"

namespace dlbench::host {
namespace {

session::LoadRequest request_for(const Shapes& shapes, const gate::Experiment& experiment) {
  session::LoadRequest load = load_request_for(experiment, shapes.threads);
  const bool is_timed_shape = load.batch == shapes.batch && load.partial == 0;
  if (is_timed_shape) {
    load.partial = shapes.partial;
  }
  return load;
}

// What a loaded runner depends on. Rates come with the steps, so experiments that differ in them share a
// load.
std::string load_key(const session::LoadRequest& request, model::Recipe recipe) {
  recipe.rate = {};
  return fmt::format("{}\n{}\n{}\n{} {}", request.graph_json, model::to_json(recipe), request.mode,
                     request.batch, request.partial);
}

}  // namespace

session::Expected<std::vector<std::vector<gate::Result>>> Conversation::run() {
  std::vector<std::vector<gate::Result>> results;
  for (std::size_t i = 0; i < sent_.expectations.size(); ++i) {
    auto repeats = perform(sent_.expectations[i].experiment, wanted_.expectations[i].experiment.graph);
    if (!repeats) {
      return tl::unexpected(repeats.error());
    }
    results.push_back(std::move(*repeats));
  }
  return results;
}

session::Expected<std::vector<gate::Result>> Conversation::perform(const gate::Experiment& experiment,
                                                                   const model::Graph& wanted) {
  if (!session_.arena().lay_out(arena_plan_for(experiment))) {
    return tl::unexpected(session::Failure{"PROTOCOL", "the arena is too small for an experiment", true});
  }
  if (auto loaded = load(experiment, wanted); !loaded) {
    return tl::unexpected(loaded.error());
  }
  std::vector<gate::Result> results;
  for (int repeat = 0; repeat < experiment.repeats; ++repeat) {
    auto result = perform_once(session_, experiment);
    if (!result) {
      return tl::unexpected(result.error());
    }
    results.push_back(std::move(*result));
  }
  return results;
}

session::Expected<void> Conversation::load(const gate::Experiment& experiment, const model::Graph& wanted) {
  const session::LoadRequest request = request_for(shapes_, experiment);
  const std::string key = load_key(request, experiment.recipe);
  if (loaded_key_ == key) {
    return {};
  }
  loaded_key_.clear();
  const auto reply = session_.load(request);
  if (!reply) {
    return tl::unexpected(reply.error());
  }
  const gate::Structure seen = {reply->parameters, reply->logits};
  if (const auto difference = gate::compare_structure(wanted, seen)) {
    structure_diagnosis_ = gate::diagnose_structure(wanted, seen);
    return tl::unexpected(session::Failure{"MISMATCH", "structure: " + *difference, false});
  }
  loaded_key_ = key;
  return {};
}

std::vector<gate::Experiment> experiments_of(const gate::Plan& plan) {
  std::vector<gate::Experiment> experiments;
  experiments.reserve(plan.expectations.size());
  for (const gate::Expectation& expectation : plan.expectations) {
    experiments.push_back(expectation.experiment);
  }
  return experiments;
}

}  // namespace dlbench::host
