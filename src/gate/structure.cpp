#include <fmt/format.h>

#include "gate/gate.hpp"

namespace dlbench::gate {
namespace {

using NamedShape = std::pair<std::string, model::Shape>;

std::string to_text(const NamedShape& parameter) {
  return fmt::format("{} {}", parameter.first, model::to_text(parameter.second));
}

}  // namespace

std::optional<std::string> compare_structure(const model::Graph& graph, const Structure& seen) {
  const std::vector<model::Parameter> wanted = model::parameters(graph);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const NamedShape parameter = {wanted[i].name, wanted[i].shape};
    if (i >= seen.parameters.size()) {
      return fmt::format("parameter {} is missing", to_text(parameter));
    }
    if (seen.parameters[i] != parameter) {
      return fmt::format("parameter {} is {}, should be {}", i, to_text(seen.parameters[i]),
                         to_text(parameter));
    }
  }
  if (seen.parameters.size() > wanted.size()) {
    return fmt::format("parameter {} is not part of the network", to_text(seen.parameters[wanted.size()]));
  }
  const model::Shape& logits = model::node(graph, model::logits_name(graph)).output_shape;
  if (seen.logits != logits) {
    return fmt::format("the logits of a sample are {}, should be {}", model::to_text(seen.logits),
                       model::to_text(logits));
  }
  return std::nullopt;
}

std::string diagnose_structure(const model::Graph& graph, const Structure& seen) {
  Experiment work;
  work.id = "structure";
  work.graph = graph;
  work.weights = model::initial_weights(graph, work.recipe.initialiser);
  for (const Fault& fault : builtin_faults()) {
    const std::optional<FaultyWork> faulty = fault.apply(work);
    if (faulty && !compare_structure(faulty->experiment.graph, seen)) {
      return fault.id + ": " + fault.sentence;
    }
  }
  return "unknown";
}

}  // namespace dlbench::gate
