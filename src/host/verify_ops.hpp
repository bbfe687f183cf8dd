// Proves a framework's operators one by one: every small graph of every operator through the gate, all in one
// process.
#pragma once

#include <string>
#include <vector>

#include "gate/gate.hpp"
#include "host/certificate_cache.hpp"
#include "host/runner.hpp"
#include "record/certificate.hpp"
#include "record/outcome.hpp"

namespace dlbench::host {

// One of an operator's test graphs with its plan.
struct OpPlan {
  std::string op;
  std::string graph;
  gate::Plan plan;
};
// Every test graph of every operator, in the order of the table; plans come from the cache where they are
// known.
[[nodiscard]] std::vector<OpPlan> op_plans(const CertificateCache& cache);

// What one framework made of one graph.
struct OpFinding {
  std::string op;
  std::string graph;
  record::Outcome outcome;  // ok: it computes the same
  std::vector<std::string> deviations;
};

// One finding per plan, in order. A process that dies is started again for the next graph.
[[nodiscard]] std::vector<OpFinding> verify_ops(const std::vector<OpPlan>& plans, const Runner& runner,
                                                const Machine& machine, const std::string& folder);

// All findings of one operator as one row: what is worst in them.
struct OpSummary {
  std::string op;
  record::OutcomeKind kind = record::OutcomeKind::ok;
  std::vector<std::string> deviations;  // those that any graph needed
  int graphs = 0;
  int passed = 0;
  // One line for each graph that did not pass: "<graph>: <outcome with its reason>".
  std::vector<std::string> problems;
};
// In the order of the findings. Unsupported comes first only where nothing is worse.
[[nodiscard]] std::vector<OpSummary> summarise(const std::vector<OpFinding>& findings);
// "PASS", "PASS with ties_all", "UNSUPPORTED", "PASS 2 of 3" (the rest unsupported), "MISMATCH", …
[[nodiscard]] std::string to_text(const OpSummary& summary);

}  // namespace dlbench::host
