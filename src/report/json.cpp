// The versioned export for programs: everything of the report but the raw series. See docs/reports.md.
#include <fmt/format.h>

#include "report/case_rows.hpp"
#include "report/json_value.hpp"
#include "report/report.hpp"
#include "report/summary.hpp"

namespace dlbench::report {
namespace {

Json strings(const std::vector<std::string>& values) {
  Json out = Json::array();
  for (const std::string& value : values) {
    out.push_back(valid_utf8(value));
  }
  return out;
}

// Stored JSON text as JSON; as a string when it is none, null when there is none.
Json embedded(const std::string& text) {
  if (text.empty()) {
    return nullptr;
  }
  std::optional<Json> document = parse_limited(text);
  return document ? std::move(*document) : Json(valid_utf8(text));
}

Json interval_json(const std::optional<stats::Interval>& interval) {
  if (!interval) {
    return nullptr;
  }
  return {{"low", json_number(interval->low)},
          {"high", json_number(interval->high)},
          {"level", json_number(interval->level)}};
}

std::vector<std::string> all_valid_utf8(std::vector<std::string> values) {
  for (std::string& value : values) {
    value = valid_utf8(value);
  }
  return values;
}

Json family_json(analysis::Family family) {
  family.metric = valid_utf8(family.metric);
  family.base = valid_utf8(family.base);
  for (auto& [compared, base] : family.pairs) {
    compared = valid_utf8(compared);
    base = valid_utf8(base);
  }
  return embedded(analysis::to_json(family));
}

// The stored form of a certificate spells numbers that are not finite as text; here they are null like all
// others.
Json certificate_json(record::Certificate certificate) {
  for (std::string* text : {&certificate.key, &certificate.created, &certificate.framework,
                            &certificate.reason, &certificate.diagnosis}) {
    *text = valid_utf8(*text);
  }
  certificate.deviations = all_valid_utf8(std::move(certificate.deviations));
  certificate.notes = all_valid_utf8(std::move(certificate.notes));
  for (record::Check& check : certificate.checks) {
    check.experiment = valid_utf8(check.experiment);
    check.quantity = valid_utf8(check.quantity);
    check.tensor = valid_utf8(check.tensor);
  }
  for (record::FaultEffect& fault : certificate.faults) {
    fault.fault = valid_utf8(fault.fault);
  }
  Json out = embedded(record::to_json(certificate));
  for (std::size_t i = 0; i < certificate.checks.size(); ++i) {
    out["checks"][i]["error"] = json_number(certificate.checks[i].error);
    out["checks"][i]["limit"] = json_number(certificate.checks[i].limit);
  }
  for (std::size_t i = 0; i < certificate.faults.size(); ++i) {
    out["faults"][i]["effect_over_limit"] = json_number(certificate.faults[i].effect_over_limit);
  }
  return out;
}

Json outcome_json(const record::Outcome& outcome) {
  return {{"kind", record::to_text(outcome.kind)}, {"reason", valid_utf8(outcome.reason)}};
}

Json verdict_json(const analysis::Verdict& verdict) {
  Json out = {{"text", valid_utf8(verdict.text)}, {"holm_p", nullptr}, {"ratio_to_base", nullptr}};
  if (verdict.ratio) {
    out["holm_p"] = json_number(verdict.holm_p);
    out["ratio_to_base"] = {{"n", verdict.ratio->n},
                            {"ratio", json_number(verdict.ratio->ratio)},
                            {"interval", interval_json(verdict.ratio->interval)},
                            {"interval_margin", interval_json(verdict.ratio->interval_margin)},
                            {"p", json_number(verdict.ratio->p)}};
  }
  return out;
}

Json case_json(const record::Case& one) {
  Json factors = Json::object();
  for (const auto& [name, value] : one.factors) {
    factors[valid_utf8(name)] = valid_utf8(value);
  }
  return {{"id", valid_utf8(one.id)},
          {"study_phase", valid_utf8(one.study_phase)},
          {"framework", valid_utf8(one.framework)},
          {"version", valid_utf8(one.version)},
          {"model", valid_utf8(one.model)},
          {"dataset", valid_utf8(one.dataset)},
          {"batch", one.batch},
          {"threads", one.threads},
          {"is_reference", one.is_reference},
          {"factors", std::move(factors)}};
}

Json summary_json(const analysis::CaseSummary& summary) {
  Json out = case_json(summary.measured_case);
  out["is_base"] = summary.is_base;
  out["outcome"] = outcome_json(summary.outcome);
  out["outcome_counts"] = Json::object();
  for (const auto& [name, count] : summary.outcome_counts) {
    out["outcome_counts"][valid_utf8(name)] = count;
  }
  out["ok_run_count"] = summary.run_count;
  out["invalid_run_count"] = summary.invalid_count;
  out["metrics"] = Json::object();
  for (const auto& [id, value] : summary.medians) {
    out["metrics"][valid_utf8(id)] = {{"median", json_number(value)},
                                      {"interval", interval_json(interval_of(summary, id))}};
  }
  out["share_of_reference_ratio"] = json_number(summary.share_of_reference);
  out["verdict"] = verdict_json(summary.verdict);
  out["certificate"] = summary.certificate ? certificate_json(*summary.certificate) : Json(nullptr);
  return out;
}

Json series_json(const std::vector<record::Series>& series) {
  Json out = Json::array();
  for (const record::Series& one : series) {
    out.push_back(
        {{"kind", record::to_text(one.kind)}, {"unit", valid_utf8(one.unit)}, {"count", one.values.size()}});
  }
  return out;
}

Json run_json(const record::Run& run) {
  Json phases = Json::array();
  for (const record::PhaseTime& phase : run.phases) {
    phases.push_back(
        {{"phase", valid_utf8(phase.phase)}, {"begin_ns", phase.begin_ns}, {"end_ns", phase.end_ns}});
  }
  Json metrics = Json::object();
  for (const record::Metric& metric : run.metrics) {
    metrics[valid_utf8(metric.id)] = json_number(metric.value);
  }
  Json settings = Json::array();
  for (const record::Setting& setting : run.settings) {
    settings.push_back({{"name", valid_utf8(setting.name)},
                        {"value", valid_utf8(setting.value)},
                        {"source", valid_utf8(setting.source)}});
  }
  return {{"id", valid_utf8(run.id)},
          {"case_id", valid_utf8(run.case_id)},
          {"block", run.block},
          {"attempt", run.attempt},
          {"begun", valid_utf8(run.begun)},
          {"outcome", outcome_json(run.outcome)},
          {"certificate_key",
           run.certificate_key.empty() ? Json(nullptr) : Json(valid_utf8(run.certificate_key))},
          {"command", valid_utf8(run.command)},
          {"phases", std::move(phases)},
          {"metrics", std::move(metrics)},
          {"series", series_json(run.series)},
          {"settings", std::move(settings)},
          {"machine_before", embedded(run.machine_before)},
          {"machine_after", embedded(run.machine_after)},
          {"output_tail", valid_utf8(run.output_tail)}};
}

Json overheads_json(const std::vector<Overhead>& overheads) {
  Json out = Json::array();
  for (const Overhead& one : overheads) {
    out.push_back({{"label", valid_utf8(one.label)},
                   {"value", json_number(one.value)},
                   {"unit", valid_utf8(one.unit)}});
  }
  return out;
}

}  // namespace

std::string json(const ReportInput& input) {
  Json out;
  out["schema_version"] = json_schema_version;
  out["title"] = valid_utf8(input.title);
  out["study"] = {{"name", valid_utf8(input.study_name)},
                  {"begun", valid_utf8(input.begun)},
                  {"text", valid_utf8(input.study_text)}};
  out["family"] = family_json(input.analysis.family);
  out["summary"] = strings(summary_sentences(input.analysis));
  out["warnings"] = strings(input.analysis.warnings);
  out["settings"] = strings(input.settings_lines);
  out["overheads"] = overheads_json(input.overheads);
  out["cases"] = Json::array();
  for (const analysis::CaseSummary& summary : input.analysis.cases) {
    out["cases"].push_back(summary_json(summary));
  }
  out["runs"] = Json::array();
  for (const record::Run& run : input.runs) {
    out["runs"].push_back(run_json(run));
  }
  out["environment"] = embedded(input.environment_json);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dlbench::report
