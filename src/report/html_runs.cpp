// Every run with its outcome and the command that repeats it.
#include <fmt/format.h>

#include <algorithm>

#include "report/chart_parts.hpp"
#include "report/format.hpp"
#include "report/html_sections.hpp"
#include "report/text.hpp"

namespace dlbench::report {
namespace {

std::string phase_text(const record::Run& run) {
  std::string text;
  for (const record::PhaseTime& phase : run.phases) {
    const double seconds = static_cast<double>(phase.end_ns - phase.begin_ns) / 1e9;
    text += fmt::format("{}{} {} s", text.empty() ? "" : ", ", phase.phase,
                        fixed(seconds, seconds < 10.0 ? 2 : 0));
  }
  return text.empty() ? no_value : text;
}

void write_outcome(HtmlWriter& out, const record::Run& run) {
  out.open("td");
  write_chip(out, std::string(record::to_text(run.outcome.kind)), outcome_kind(run.outcome.kind));
  if (!run.outcome.reason.empty()) {
    out.element("span", run.outcome.reason, {{"class", "detail"}});
  }
  out.close();
}

void write_run(HtmlWriter& out, const PageView& view, const record::Run& run) {
  const auto step = record::metric_of(run, "step_time_ns");
  out.open("tr");
  out.element("td",
              run.attempt > 0 ? fmt::format("{} (repeat {})", run.block + 1, run.attempt)
                              : std::to_string(run.block + 1),
              {{"class", "number"}});
  out.element("td", name_of(view, run.case_id));
  write_outcome(out, run);
  out.element("td", step ? scaled_value(*step, "ns") : no_value, {{"class", "number"}});
  out.element("td", phase_text(run)).element("td", run.begun);
  out.open("td", {{"class", "words"}}).element("code", run.command).close();
  out.close();
}

void write_outputs(HtmlWriter& out, const PageView& view) {
  for (const record::Run& run : view.input->runs) {
    if (run.outcome.kind == record::OutcomeKind::ok || run.output_tail.empty()) {
      continue;
    }
    out.open("details").open("summary");
    out.text(fmt::format("Last output of block {}, {}: {}", run.block + 1, name_of(view, run.case_id),
                         record::to_text(run.outcome.kind)));
    out.close().element("pre", run.output_tail).close();
  }
}

}  // namespace

void write_runs(HtmlWriter& out, const PageView& view) {
  if (view.input->runs.empty()) {
    out.element("p", "No run is stored.");
    return;
  }
  out.open("div", {{"class", "frame"}}).open("table").open("thead").open("tr");
  out.element("th", "block", {{"scope", "col"}, {"class", "number"}});
  out.element("th", "case", {{"scope", "col"}}).element("th", "outcome", {{"scope", "col"}});
  out.element("th", "step time (ms)", {{"scope", "col"}, {"class", "number"}});
  for (const char* title : {"phases", "begun", "repeat exactly this run"}) {
    out.element("th", title, {{"scope", "col"}});
  }
  out.close().close().open("tbody");
  for (const record::Run& run : view.input->runs) {
    write_run(out, view, run);
  }
  out.close().close().close();
  write_outputs(out, view);
}

}  // namespace dlbench::report
