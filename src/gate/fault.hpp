// A known defect of earlier benchmarks, as a mutation of the work or of the arithmetic. One file each in
// gate/faults/, one line in builtin_faults().
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/experiment.hpp"

namespace dlbench::gate {

struct FaultyWork {
  Experiment experiment;          // what the faulty program really does
  oracle::Arithmetic arithmetic;  // how it really computes
};

struct Fault {
  std::string id;        // "ceil_pooling"
  std::string sentence;  // for people, with where it was met
  std::string graph;  // the graph that shows it: "lenet" or a name that fault_graph knows; tests run it there
  // nullopt: this work cannot have the fault (no pooling, no decay, …).
  std::function<std::optional<FaultyWork>(const Experiment&)> apply;
  // The recipe that shows it there, a name that sample_recipe knows.
  std::string recipe = "sgd";
  // The deviation with the same numbers, by which a runner may admit it (gate/deviations.hpp); empty: none.
  std::string deviation = {};
};

// Simplest explanation first: the order in which the diagnosis believes them.
[[nodiscard]] const std::vector<Fault>& builtin_faults();

// The small graphs that show what LeNet cannot: "two_hidden", "odd_pool", "three_planes", "dropped",
// "normalised", "recurrent". nullopt: no such name.
[[nodiscard]] std::optional<model::Graph> fault_graph(const std::string& name);

}  // namespace dlbench::gate
