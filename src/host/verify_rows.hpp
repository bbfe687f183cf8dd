// Proves a framework on many small works, operator by operator or recipe by recipe, all in one process.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "gate/gate.hpp"
#include "host/certificate_cache.hpp"
#include "host/plan_process.hpp"
#include "host/runner.hpp"
#include "record/certificate.hpp"
#include "record/outcome.hpp"

namespace dlbench::host {

// A small work with its plan; several make one row of a table.
struct RowPlan {
  std::string row;  // the operator or the recipe
  std::string graph;
  gate::Plan plan;
};
// Every test graph of these operators, in the order of the table. Plans come from the cache where they are
// known.
[[nodiscard]] std::vector<RowPlan> op_plans(const CertificateCache& cache, const std::set<std::string>& ops,
                                            record::Task task = record::Task::training);
// A convolution and a dense layer trained by each of these recipes (gate/sample_recipes.hpp).
[[nodiscard]] std::vector<RowPlan> recipe_plans(const CertificateCache& cache,
                                                const std::set<std::string>& recipes);

// What one framework made of one of them.
struct RowFinding {
  std::string row;
  std::string graph;
  record::Outcome outcome;  // ok: it computes the same
  std::vector<std::string> deviations;
  std::string diagnosis;  // of a MISMATCH
};

// One finding per plan, in order. A process that dies is started again for the next graph.
[[nodiscard]] std::vector<RowFinding> prove_rows(const std::vector<RowPlan>& plans, const Proving& proving);

// A graph that did not pass, and its outcome with the reason.
struct RowProblem {
  std::string graph;
  std::string outcome;
  std::string diagnosis;  // of a MISMATCH
  friend bool operator==(const RowProblem&, const RowProblem&) = default;
};

// All findings of one row: what is worst in them.
struct RowSummary {
  std::string row;
  record::OutcomeKind kind = record::OutcomeKind::ok;
  std::vector<std::string> deviations;  // those that any graph needed
  int graphs = 0;
  int passed = 0;
  std::vector<RowProblem> problems;
};
// In the order of the findings. Unsupported comes first only where nothing is worse.
[[nodiscard]] std::vector<RowSummary> summarise(const std::vector<RowFinding>& findings);
// "PASS", "PASS with ties_all", "UNSUPPORTED", "PASS 2 of 3" (the rest unsupported), "MISMATCH", …
[[nodiscard]] std::string to_text(const RowSummary& summary);

}  // namespace dlbench::host
