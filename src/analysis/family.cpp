#include "analysis/family.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "record/metrics.hpp"

namespace dlbench::analysis {
namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw base::UserError(fmt::format("the family of comparisons: {}", problem), "family");
}

}  // namespace

void check_family(const Family& family) {
  if (record::find_metric(family.metric) == nullptr) {
    refuse(fmt::format("no metric '{}'", family.metric));
  }
  // 1 - 2 alpha must still be a level; written so that not-a-number is refused too.
  if (!(family.alpha > 0.0 && family.alpha < 0.5)) {
    refuse(fmt::format("alpha {} is not between 0 and 0.5", family.alpha));
  }
  if (!(family.margin_ratio > 0.0 && std::isfinite(family.margin_ratio))) {
    refuse(fmt::format("margin_ratio {} is not positive", family.margin_ratio));
  }
  if (family.blocks < 0) {
    refuse(fmt::format("{} blocks", family.blocks));
  }
  std::set<std::string> compared;
  for (const auto& [first, second] : family.pairs) {
    if (first == second) {
      refuse(fmt::format("case {} is compared with itself", first));
    }
    if (!compared.insert(first).second) {
      refuse(fmt::format("case {} is compared twice", first));
    }
  }
}

void check_no_reference(const Family& family, const std::vector<record::Case>& cases) {
  for (const record::Case& one : cases) {
    for (const auto& [first, second] : family.pairs) {
      if (one.is_reference && (one.id == first || one.id == second)) {
        refuse(fmt::format("case {} is the reference, which is never ranked and never the base", one.id));
      }
    }
  }
}

std::string to_json(const Family& family) {
  const nlohmann::json value = {{"metric", family.metric},
                                {"base", family.base},
                                {"alpha", family.alpha},
                                {"margin_ratio", family.margin_ratio},
                                {"blocks", family.blocks},
                                {"pairs", family.pairs},
                                {"accepted_deviations", family.accepted_deviations}};
  return value.dump();
}

Family family_from_json(const std::string& text) {
  Family family;
  try {
    const nlohmann::json value = nlohmann::json::parse(text);
    value.at("metric").get_to(family.metric);
    value.at("base").get_to(family.base);
    value.at("alpha").get_to(family.alpha);
    value.at("margin_ratio").get_to(family.margin_ratio);
    const auto blocks = value.at("blocks").get<std::int64_t>();
    if (blocks < 0 || blocks > 1'000'000) {
      refuse(fmt::format("{} blocks", blocks));
    }
    family.blocks = static_cast<int>(blocks);
    value.at("pairs").get_to(family.pairs);
    if (value.contains("accepted_deviations")) {
      value.at("accepted_deviations").get_to(family.accepted_deviations);
    }
  } catch (const nlohmann::json::exception& error) {
    refuse(error.what());
  }
  check_family(family);
  return family;
}

void require_power(const Family& family) {
  check_family(family);
  if (family.pairs.empty()) {
    return;
  }
  const int tests = static_cast<int>(family.pairs.size());
  const int needed = stats::runs_needed(family.alpha, tests);
  if (family.blocks >= needed) {
    return;
  }
  throw base::UserError(
      fmt::format(
          "{} blocks can never show a difference: with {} comparisons at alpha {:g}, the exact test needs "
          "p <= {:.3g} and cannot go below {:.3g}; {} blocks are needed",
          family.blocks, tests, family.alpha, family.alpha / tests, stats::smallest_p(family.blocks), needed),
      "blocks",
      fmt::format("set `blocks: {}` or more, or give --allow-weak to measure all the same", needed));
}

}  // namespace dlbench::analysis
