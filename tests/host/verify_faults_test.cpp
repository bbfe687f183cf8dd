// What a proof says about a fault that was handed over on purpose.
#include "host/verify_faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace dlbench::host {
namespace {

using record::OutcomeKind;

const gate::Fault& fault_of(const std::string& id) {
  return *std::ranges::find(gate::builtin_faults(), id, &gate::Fault::id);
}

FaultFinding found(OutcomeKind kind, const std::string& diagnosis = {},
                   const std::vector<std::string>& deviations = {},
                   const std::string& fault = "rate_ignored") {
  record::Certificate certificate;
  certificate.diagnosis = diagnosis;
  certificate.deviations = deviations;
  return finding_of(fault_of(fault), {kind, "why"}, certificate);
}

TEST(FaultFinding, IsNamedOnlyByItsOwnName) {
  EXPECT_EQ(found(OutcomeKind::mismatch, "rate_ignored: the rate stays").notice, Notice::named);
  const FaultFinding other = found(OutcomeKind::mismatch, "rate_ignored_twice: another");
  EXPECT_EQ(other.notice, Notice::caught);
  EXPECT_EQ(to_text(other), "caught (rate_ignored_twice)");
  EXPECT_EQ(to_text(found(OutcomeKind::mismatch)), "caught (unknown)");
}

TEST(FaultFinding, APassIsAMissUnlessTheRunnerAdmitsThatVeryFormula) {
  EXPECT_EQ(found(OutcomeKind::ok).notice, Notice::missed);
  EXPECT_EQ(found(OutcomeKind::ok, {}, {"momentum=rate_inside"}, "other_momentum_form").notice,
            Notice::declared);
  // What a runner admits says nothing about any other fault.
  EXPECT_EQ(found(OutcomeKind::ok, {}, {"momentum=rate_inside"}).notice, Notice::missed);
  EXPECT_EQ(found(OutcomeKind::ok, {}, {"assisted", "coarse_rounding"}, "other_momentum_form").notice,
            Notice::missed);
}

TEST(FaultFinding, KeepsTheReasonOfWhatCouldNotBeTried) {
  const FaultFinding crashed = found(OutcomeKind::crash);
  EXPECT_EQ(crashed.notice, Notice::failed);
  EXPECT_EQ(crashed.detail, "CRASH(why)");
  EXPECT_EQ(found(OutcomeKind::unsupported).notice, Notice::unsupported);
}

}  // namespace
}  // namespace dlbench::host
