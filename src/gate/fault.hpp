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
  std::string graph;     // the graph that shows it: "lenet" or an op's test graph; tests run it there
  // nullopt: this work cannot have the fault (no pooling, no decay, …).
  std::function<std::optional<FaultyWork>(const Experiment&)> apply;
};

[[nodiscard]] const std::vector<Fault>& builtin_faults();

}  // namespace dlbench::gate
