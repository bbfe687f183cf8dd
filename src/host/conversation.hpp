// One gate plan performed on one live runner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/gate.hpp"
#include "session/session.hpp"

namespace dlbench::host {

// How a plan's experiments are loaded. Full batches of `batch` rows are loaded exactly as a timed run loads
// them, with the partial shape compiled beside.
struct Shapes {
  int threads = 1;
  std::int64_t batch = 0;
  std::int64_t partial = 0;
};

// Loads only when the work changes. Borrows plans and session.
class Conversation {
 public:
  Conversation(const gate::Plan& plan, const Shapes& shapes, session::Session& session)
      : Conversation(plan, plan, shapes, session) {}
  // Sends one plan and compares the structure with another one's, experiment by experiment.
  Conversation(const gate::Plan& sent, const gate::Plan& wanted, const Shapes& shapes,
               session::Session& session)
      : sent_(sent), wanted_(wanted), shapes_(shapes), session_(session) {}

  // One list of results per expectation. A structure that differs is the failure MISMATCH, not fatal.
  [[nodiscard]] session::Expected<std::vector<std::vector<gate::Result>>> run();
  // The fault that explains a structure difference; empty when there was none.
  [[nodiscard]] const std::string& structure_diagnosis() const { return structure_diagnosis_; }

 private:
  session::Expected<std::vector<gate::Result>> perform(const gate::Experiment& experiment,
                                                       const model::Graph& wanted);
  session::Expected<void> load(const gate::Experiment& experiment, const model::Graph& wanted);

  const gate::Plan& sent_;
  const gate::Plan& wanted_;
  Shapes shapes_;
  session::Session& session_;
  std::string loaded_key_;  // "": nothing is loaded
  std::string structure_diagnosis_;
};

// The experiments of a plan, in order: what the arena must have room for.
[[nodiscard]] std::vector<gate::Experiment> experiments_of(const gate::Plan& plan);

}  // namespace dlbench::host
