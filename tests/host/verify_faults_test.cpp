// What a proof says about a fault that was handed over on purpose.
#include "host/verify_faults.hpp"

#include <gtest/gtest.h>

namespace dlbench::host {
namespace {

using record::OutcomeKind;

FaultFinding found(OutcomeKind kind, const std::string& diagnosis = {},
                   const std::vector<std::string>& deviations = {}) {
  record::Certificate certificate;
  certificate.diagnosis = diagnosis;
  certificate.deviations = deviations;
  return finding_of("rate_ignored", {kind, "why"}, certificate);
}

TEST(FaultFinding, IsNamedOnlyByItsOwnName) {
  EXPECT_EQ(found(OutcomeKind::mismatch, "rate_ignored: the rate stays").notice, Notice::named);
  const FaultFinding other = found(OutcomeKind::mismatch, "rate_ignored_twice: another");
  EXPECT_EQ(other.notice, Notice::caught);
  EXPECT_EQ(to_text(other), "caught (rate_ignored_twice)");
  EXPECT_EQ(to_text(found(OutcomeKind::mismatch)), "caught (unknown)");
}

TEST(FaultFinding, APassIsAMissUnlessTheRunnerAdmitsTheFormula) {
  EXPECT_EQ(found(OutcomeKind::ok).notice, Notice::missed);
  EXPECT_EQ(found(OutcomeKind::ok, {}, {"momentum=rate_inside"}).notice, Notice::declared);
}

TEST(FaultFinding, KeepsTheReasonOfWhatCouldNotBeTried) {
  const FaultFinding crashed = found(OutcomeKind::crash);
  EXPECT_EQ(crashed.notice, Notice::failed);
  EXPECT_EQ(crashed.detail, "CRASH(why)");
  EXPECT_EQ(found(OutcomeKind::unsupported).notice, Notice::unsupported);
}

}  // namespace
}  // namespace dlbench::host
