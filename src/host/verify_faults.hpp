// Hands the known faults to a real framework and looks whether the gate notices and names them.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gate/gate.hpp"
#include "host/certificate_cache.hpp"
#include "host/plan_process.hpp"
#include "record/outcome.hpp"

namespace dlbench::host {

// A fault, and the right work on the graph and with the recipe that show it; many faults share one.
struct FaultPlan {
  const gate::Fault* fault;  // of the catalogue
  std::shared_ptr<const gate::Plan> right;
};
// Of these, in the order of the catalogue, on work of this task; plans come from the cache where they are
// known.
[[nodiscard]] std::vector<FaultPlan> fault_plans(const CertificateCache& cache,
                                                 const std::set<std::string>& faults, record::Task task);

enum class Notice {
  named,         // MISMATCH with the fault's own name
  caught,        // MISMATCH, explained by another fault or by none
  declared,      // PASS, by the fault's own deviation, which the runner admits
  missed,        // PASS
  not_provable,  // the simulation says that it cannot be seen on this work
  inside,        // another arithmetic, which no host can ask for; only a framework that has it can show it
  unsupported,   // the framework cannot do the work without the fault either
  failed,        // the work without the fault did not pass, or the process died
};

struct FaultFinding {
  std::string fault;
  Notice notice = Notice::missed;
  std::string detail;  // another fault's name, or a reason; may be empty
};
// One finding per plan, in order. The work without the fault must pass first: else nothing was noticed.
[[nodiscard]] std::vector<FaultFinding> verify_faults(const std::vector<FaultPlan>& plans,
                                                      const Proving& proving);
// What a proof says about a fault that was handed over.
[[nodiscard]] FaultFinding finding_of(const gate::Fault& fault, const record::Outcome& outcome,
                                      const record::Certificate& certificate);
// "named", "caught (transposed_weight)", "inside", …
[[nodiscard]] std::string to_text(const FaultFinding& finding);

}  // namespace dlbench::host
