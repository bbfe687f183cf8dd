#include "dlbench/present.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "base/folders.hpp"
#include "base/text_file.hpp"
#include "stats/stats.hpp"
#include "study/study.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::app {
namespace {

std::map<std::string, record::Certificate> certificates_of(const store::Store& store,
                                                           const std::vector<record::Run>& runs) {
  std::map<std::string, record::Certificate> certificates;
  for (const record::Run& run : runs) {
    if (!run.certificate_key.empty() && !certificates.contains(run.certificate_key)) {
      if (auto certificate = store.certificate(run.certificate_key)) {
        certificates.emplace(run.certificate_key, std::move(*certificate));
      }
    }
  }
  return certificates;
}

std::vector<double> metric_values(const std::vector<record::Run>& runs, const std::string& id) {
  std::vector<double> values;
  for (const record::Run& run : runs) {
    if (const auto value = record::metric_of(run, id)) {
      values.push_back(*value);
    }
  }
  return values;
}

// What dlbench itself cost, measured in these very runs.
std::vector<report::Overhead> overheads_of(const std::vector<record::Run>& runs) {
  std::vector<report::Overhead> overheads;
  const std::vector<double> host = metric_values(runs, "host_cpu_ratio");
  if (!host.empty()) {
    overheads.push_back({"CPU time of the host during W1, median over runs, share of one core",
                         *stats::median(host), "ratio"});
    overheads.push_back({"the same, largest run", *stats::quantile(host, 1.0), "ratio"});
  }
  return overheads;
}

std::vector<std::string> settings_of(const study::Study& study) {
  const study::WindowSettings& w = study.windows;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} random complete block{}, no early stop; at most {} repeated when disturbed",
                              study.blocks, study.blocks == 1 ? "" : "s", study.max_repeated_blocks));
  lines.push_back(
      fmt::format("warm-up at least {} steps and {} s; W1 (throughput) {} s and at least {} steps; W2 "
                  "(latency) {} s and at least {} steps",
                  w.warm_up_steps, w.warm_up_seconds, w.w1_seconds, w.w1_steps, w.w2_seconds, w.w2_steps));
  lines.push_back(fmt::format(
      "a run is INVALID when others take more than {} % of its CPUs' time, or the hypervisor {} %",
      100.0 * study.limits.foreign_ratio, 100.0 * study.limits.steal_ratio));
  const bool trains = study.task == record::Task::training;
  lines.push_back(
      fmt::format("model {}, data {}, batch {}, {}, seed {}", study.model, study.dataset, study.recipe.batch,
                  trains ? model::to_text(study.recipe) : "inference: a step evaluates", study.seed));
  if (study.convergence_epochs > 0) {
    lines.push_back(fmt::format("convergence: {} epoch(s), test accuracy over every test sample",
                                study.convergence_epochs));
  }
  return lines;
}

store::StudyRow choose(const store::Store& store, const std::string& study_id) {
  const std::vector<store::StudyRow> studies = store.studies();
  for (auto row = studies.rbegin(); row != studies.rend(); ++row) {
    if (row->id.starts_with(study_id)) {
      return *row;
    }
  }
  throw base::UserError(
      study_id.empty() ? "the workspace holds no study" : fmt::format("no study '{}'", study_id), {},
      "'dlbench run STUDY' makes one");
}

}  // namespace

report::ReportInput load_report(const store::Store& store, const std::string& study_id) {
  const store::StudyRow row = choose(store, study_id);
  report::ReportInput input;
  input.title = "dlbench: " + row.name;
  input.study_name = row.name;
  input.study_text = row.text;
  input.begun = row.begun;
  input.environment_json = row.environment_json;
  input.runs = store.runs(row.id, true);
  input.settings_lines = settings_of(study::parse_study(row.text, "the stored study"));
  input.overheads = overheads_of(input.runs);
  input.analysis = analysis::analyse(analysis::family_from_json(row.plan_json), store.cases(row.id),
                                     input.runs, certificates_of(store, input.runs));
  return input;
}

ReportFiles write_reports(const report::ReportInput& input, const std::string& workspace) {
  const std::string folder = workspace + "/reports";
  base::make_folders(folder);
  const std::string stem = fmt::format("{}/{}", folder, input.study_name);
  ReportFiles files = {stem + ".html", stem + ".csv", stem + ".json"};
  base::write_text_file(files.html, report::html(input));
  base::write_text_file(files.csv, report::csv(input));
  base::write_text_file(files.json, report::json(input));
  return files;
}

void print_models() {
  for (const zoo::Entry& entry : zoo::entries()) {
    fmt::print("{:<18} {}\n", entry.name, entry.sentence);
  }
}

int terminal_width_columns() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 120;
}

}  // namespace dlbench::app
