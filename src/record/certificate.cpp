#include "record/certificate.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"

namespace dlbench::record {
namespace {

using nlohmann::json;

constexpr std::size_t max_text_bytes = std::size_t{16} << 20U;

constexpr std::array<std::pair<Verdict, std::string_view>, 4> verdict_names = {{
    {Verdict::pass, "PASS"},
    {Verdict::pass_with_deviations, "PASS with deviations"},
    {Verdict::unverified, "UNVERIFIED"},
    {Verdict::mismatch, "MISMATCH"},
}};

// JSON has no infinity and no NaN, but a runner that computed one must still get its certificate.
json json_of(double value) {
  if (std::isfinite(value)) {
    return value;
  }
  return std::isnan(value) ? "nan" : (value > 0.0 ? "inf" : "-inf");
}

double read_number(const json& value) {
  if (!value.is_string()) {
    return value.get<double>();
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto& text = value.get_ref<const std::string&>();
  if (text == "nan") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (text == "inf" || text == "-inf") {
    return text == "inf" ? infinity : -infinity;
  }
  throw base::UserError(fmt::format("certificate: '{}' is no number", text));
}

json json_of(const Check& check) {
  return {{"experiment", check.experiment}, {"quantity", check.quantity},    {"tensor", check.tensor},
          {"error", json_of(check.error)},  {"limit", json_of(check.limit)}, {"passed", check.passed}};
}

Check read_check(const json& value) {
  return {value.at("experiment").get<std::string>(),
          value.at("quantity").get<std::string>(),
          value.at("tensor").get<std::string>(),
          read_number(value.at("error")),
          read_number(value.at("limit")),
          value.at("passed").get<bool>()};
}

json json_of(const FaultEffect& effect) {
  return {{"fault", effect.fault},
          {"effect_over_limit", json_of(effect.effect_over_limit)},
          {"provable", effect.provable}};
}

FaultEffect read_fault(const json& value) {
  return {value.at("fault").get<std::string>(), read_number(value.at("effect_over_limit")),
          value.at("provable").get<bool>()};
}

Verdict read_verdict(const std::string& text) {
  for (const auto& [verdict, name] : verdict_names) {
    if (name == text) {
      return verdict;
    }
  }
  throw base::UserError(fmt::format("certificate: unknown verdict '{}'", text));
}

Certificate read_certificate(const json& value) {
  Certificate certificate;
  certificate.key = value.at("key").get<std::string>();
  certificate.created = value.at("created").get<std::string>();
  certificate.framework = value.at("framework").get<std::string>();
  certificate.verdict = read_verdict(value.at("verdict").get<std::string>());
  certificate.reason = value.at("reason").get<std::string>();
  certificate.diagnosis = value.at("diagnosis").get<std::string>();
  certificate.deviations = value.at("deviations").get<std::vector<std::string>>();
  certificate.notes = value.at("notes").get<std::vector<std::string>>();
  for (const json& check : value.at("checks")) {
    certificate.checks.push_back(read_check(check));
  }
  for (const json& fault : value.at("faults")) {
    certificate.faults.push_back(read_fault(fault));
  }
  certificate.certified_steps = value.at("certified_steps").get<std::int64_t>();
  return certificate;
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  for (const auto& [known, name] : verdict_names) {
    if (known == verdict) {
      return name;
    }
  }
  base::fail_assertion("known verdict", __FILE__, __LINE__, std::to_string(static_cast<int>(verdict)));
}

std::string to_json(const Certificate& certificate) {
  json checks = json::array();
  for (const Check& check : certificate.checks) {
    checks.push_back(json_of(check));
  }
  json faults = json::array();
  for (const FaultEffect& effect : certificate.faults) {
    faults.push_back(json_of(effect));
  }
  const json value = {{"key", certificate.key},
                      {"created", certificate.created},
                      {"framework", certificate.framework},
                      {"verdict", to_text(certificate.verdict)},
                      {"reason", certificate.reason},
                      {"diagnosis", certificate.diagnosis},
                      {"deviations", certificate.deviations},
                      {"notes", certificate.notes},
                      {"checks", std::move(checks)},
                      {"faults", std::move(faults)},
                      {"certified_steps", certificate.certified_steps}};
  // A runner's own words may hold bytes that are not UTF-8: they are replaced, the certificate is kept.
  return value.dump(2, ' ', false, json::error_handler_t::replace);
}

Certificate certificate_from_json(std::string_view text) {
  if (text.size() > max_text_bytes) {
    throw base::UserError(fmt::format("certificate: larger than {} bytes", max_text_bytes));
  }
  try {
    return read_certificate(json::parse(text));
  } catch (const json::exception& error) {
    throw base::UserError(fmt::format("certificate: {}", error.what()));
  }
}

}  // namespace dlbench::record
