#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "record/certificate.hpp"
#include "record/metrics.hpp"
#include "record/outcome.hpp"
#include "record/run.hpp"

namespace dlbench::record {
namespace {

TEST(Outcome, EveryKindHasANameThatReadsBack) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(OutcomeKind::invalid); ++i) {
    const auto kind = static_cast<OutcomeKind>(i);
    EXPECT_TRUE(names.insert(to_text(kind)).second);
    EXPECT_EQ(outcome_from_text(to_text(kind)), kind);
  }
  EXPECT_EQ(names.size(), 13U);
  EXPECT_EQ(outcome_from_text("ok"), std::nullopt);
  EXPECT_EQ(outcome_from_text(""), std::nullopt);
  EXPECT_THROW((void)to_text(static_cast<OutcomeKind>(99)), base::Bug);
}

TEST(Outcome, TextHasTheReason) {
  EXPECT_EQ(to_text(Outcome{OutcomeKind::crash, "signal 11 SIGSEGV"}), "CRASH(signal 11 SIGSEGV)");
  EXPECT_EQ(to_text(Outcome{}), "OK");
  EXPECT_EQ(to_text(Outcome{OutcomeKind::not_installed, ""}), "NOT_INSTALLED");
}

TEST(Series, KindsHaveDifferentNames) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(SeriesKind::epoch_accuracy); ++i) {
    names.insert(to_text(static_cast<SeriesKind>(i)));
  }
  EXPECT_EQ(names.size(), 5U);
}

TEST(Metrics, IdsAreUniqueAndDocumented) {
  std::set<std::string> ids;
  for (const MetricInfo& info : metric_catalogue()) {
    EXPECT_TRUE(ids.insert(info.id).second) << info.id;
    EXPECT_FALSE(info.label.empty() || info.unit.empty() || info.meaning.empty()) << info.id;
    EXPECT_EQ(find_metric(info.id), &info);
  }
  EXPECT_EQ(find_metric("none"), nullptr);
}

Certificate full_certificate() {
  Certificate certificate;
  certificate.key = "k";
  certificate.created = "2026-01-02T03:04:05Z";
  certificate.framework = "libtorch 1.13.1";
  certificate.verdict = Verdict::mismatch;
  certificate.reason = "conv1.weight";
  certificate.diagnosis = "ceil_pooling: …";
  certificate.deviations = {"ties_all"};
  certificate.notes = {"nondeterministic"};
  certificate.checks = {{"function", "gradient", "conv1.weight", 0.1, 2e-5, false},
                        {"function", "loss", "loss", std::numeric_limits<double>::infinity(), 1e-6, false}};
  certificate.faults = {{"ceil_pooling", 4.5e5, true}};
  certificate.certified_steps = 5;
  return certificate;
}

TEST(Certificate, RoundTripsEveryField) {
  const Certificate back = certificate_from_json(to_json(full_certificate()));
  EXPECT_EQ(back.key, "k");
  EXPECT_EQ(back.created, "2026-01-02T03:04:05Z");
  EXPECT_EQ(back.framework, "libtorch 1.13.1");
  EXPECT_EQ(back.verdict, Verdict::mismatch);
  EXPECT_EQ(back.reason, "conv1.weight");
  EXPECT_EQ(back.diagnosis, "ceil_pooling: …");
  EXPECT_EQ(back.deviations, std::vector<std::string>{"ties_all"});
  EXPECT_EQ(back.notes, std::vector<std::string>{"nondeterministic"});
  ASSERT_EQ(back.checks.size(), 2U);
  EXPECT_EQ(back.checks[0].tensor, "conv1.weight");
  EXPECT_EQ(back.checks[0].error, 0.1);
  EXPECT_EQ(back.checks[0].limit, 2e-5);
  EXPECT_TRUE(std::isinf(back.checks[1].error));
  ASSERT_EQ(back.faults.size(), 1U);
  EXPECT_EQ(back.faults[0].effect_over_limit, 4.5e5);
  EXPECT_TRUE(back.faults[0].provable);
  EXPECT_EQ(back.certified_steps, 5);
  EXPECT_EQ(to_json(back), to_json(full_certificate()));
}

TEST(Certificate, KeepsNumbersThatAreNone) {
  Certificate certificate = full_certificate();
  certificate.checks[0].error = std::numeric_limits<double>::quiet_NaN();
  certificate.checks[1].error = -std::numeric_limits<double>::infinity();
  const Certificate back = certificate_from_json(to_json(certificate));
  EXPECT_TRUE(std::isnan(back.checks[0].error));
  EXPECT_EQ(back.checks[1].error, -std::numeric_limits<double>::infinity());
}

TEST(Certificate, SurvivesBytesThatAreNoText) {
  Certificate certificate = full_certificate();
  certificate.reason = "bad \xff byte";
  EXPECT_THAT(certificate_from_json(to_json(certificate)).reason, ::testing::HasSubstr("bad "));
}

TEST(Certificate, DamagedTextIsRefused) {
  const std::string good = to_json(full_certificate());
  EXPECT_THROW((void)certificate_from_json(""), base::UserError);
  EXPECT_THROW((void)certificate_from_json("[]"), base::UserError);
  EXPECT_THROW((void)certificate_from_json("{}"), base::UserError);
  EXPECT_THROW((void)certificate_from_json(good.substr(0, good.size() / 2)), base::UserError);
  std::string verdict = good;
  verdict.replace(verdict.find("MISMATCH"), 8, "PERHAPS!");
  EXPECT_THROW((void)certificate_from_json(verdict), base::UserError);
}

TEST(Verdict, HasATextForPeople) {
  EXPECT_EQ(to_text(Verdict::pass_with_deviations), "PASS with deviations");
  EXPECT_EQ(to_text(Verdict::unverified), "UNVERIFIED");
}

}  // namespace
}  // namespace dlbench::record
