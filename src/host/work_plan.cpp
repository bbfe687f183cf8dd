#include "host/work_plan.hpp"

#include <malloc.h>

#include <utility>

#include "base/error.hpp"

namespace dlbench::host {

WorkPlan::WorkPlan(CertificateCache cache, gate::Work work, std::function<void()> computing)
    : cache_(std::move(cache)),
      work_(std::move(work)),
      key_(gate::plan_key(*work_)),
      computing_(std::move(computing)) {}

const gate::Plan& WorkPlan::whole() {
  DLBENCH_ASSERT(work_, "the plan was already given away");
  if (!whole_) {
    whole_ = cache_.plan(key_, [this] {
      if (computing_) {
        computing_();
      }
      return gate::make_plan(*work_);
    });
  }
  return *whole_;
}

std::optional<gate::Expectation> WorkPlan::take_timed() {
  const gate::Plan small = cache_.timed_plan(key_, [this]() -> const gate::Plan& { return whole(); });
  whole_.reset();
  work_.reset();
  malloc_trim(0);
  const gate::Expectation* timed = gate::timed_expectation(small);
  return timed == nullptr ? std::nullopt : std::optional(*timed);
}

}  // namespace dlbench::host
