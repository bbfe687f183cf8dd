// The gate plan of one work, read or computed only when something has to be proved: it is tens of megabytes,
// and a study whose certificates are known needs one of its experiments.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gate/gate.hpp"
#include "host/certificate_cache.hpp"

namespace dlbench::host {

class WorkPlan {
 public:
  // `computing` is called before the oracle works for seconds or minutes.
  WorkPlan(CertificateCache cache, gate::Work work, std::function<void()> computing = {});

  [[nodiscard]] const std::string& key() const { return key_; }
  // Everything; stays in memory until `take_timed`.
  [[nodiscard]] const gate::Plan& whole();
  // What the re-check after timed windows needs; nullopt: the timed batch is too big for the oracle. Ends the
  // use of this object and gives the memory back to the system, so that the host is small while it measures.
  [[nodiscard]] std::optional<gate::Expectation> take_timed();

 private:
  CertificateCache cache_;
  std::optional<gate::Work> work_;
  std::string key_;
  std::function<void()> computing_;
  std::optional<gate::Plan> whole_;
};

}  // namespace dlbench::host
