// One page with everything in it: no request to anywhere, complete without JavaScript, printable.
#include <fmt/format.h>

#include "report/assets.hpp"
#include "report/html_sections.hpp"
#include "report/text.hpp"

namespace dlbench::report {
namespace {

// Nothing is loaded from anywhere, nothing is built from strings; inline parts are this file's own.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri "
    "'none'; "
    "form-action 'none'";

using WriteSection = void (*)(HtmlWriter&, const PageView&);

struct Section {
  const char* id;
  const char* title;
  WriteSection write;
};

constexpr Section sections[] = {{"verdicts", "Verdicts", write_summary},
                                {"table", "All cases", write_main_table},
                                {"charts", "Charts", write_charts},
                                {"metrics", "All metrics", write_metrics},
                                {"gate", "Proof of the same work", write_gate},
                                {"runs", "Runs", write_runs},
                                {"settings", "Settings, asked for and in force", write_settings},
                                {"machine", "Machine and environment", write_machine},
                                {"study", "Study file", write_study}};

void write_head(HtmlWriter& out, const ReportInput& input) {
  out.open("head");
  out.single("meta", {{"charset", "utf-8"}});
  out.single("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", content_policy}});
  out.single("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  out.single("meta", {{"name", "generator"}, {"content", "dlbench"}});
  out.element("title", clean_text(input.title, Lines::join));
  out.open("style").trusted(page_style()).close();
  out.close();
}

void write_header(HtmlWriter& out, const ReportInput& input) {
  out.open("header");
  out.element("h1", input.title);
  out.open("p", {{"class", "muted"}});
  out.text(fmt::format("Study {}", input.study_name));
  if (!input.begun.empty()) {
    out.text(fmt::format(", begun {}", input.begun));
  }
  out.text(fmt::format(". {} cases, {} runs.", input.analysis.cases.size(), input.runs.size()));
  out.close();
  out.open("nav", {{"aria-label", "sections"}});
  for (const Section& section : sections) {
    out.element("a", section.title, {{"href", std::string("#") + section.id}});
  }
  out.close().close();
}

void write_licence(HtmlWriter& out, const std::string& title, std::string_view text) {
  out.open("details").element("summary", title).element("pre", text).close();
}

void write_footer(HtmlWriter& out) {
  out.open("footer");
  out.element("p",
              "Made by dlbench. Intervals and verdicts are computed from the stored runs each time a report "
              "is made.");
  out.element(
      "p",
      "The charts are drawn by Apache ECharts 6.1.0 (Apache License 2.0), which is contained in this page "
      "unchanged and includes parts of d3 (BSD 3-Clause) and code of the TypeScript compiler's library "
      "(0BSD).");
  write_licence(out, "Apache ECharts: NOTICE", echarts_notice());
  write_licence(out, "Apache ECharts: licence", echarts_licence());
  write_licence(out, "d3: licence", d3_licence());
  out.close();
}

void write_scripts(HtmlWriter& out, const std::vector<Chart>& charts) {
  if (charts.empty()) {
    return;
  }
  out.open("script", {{"type", "application/json"}, {"id", "chart-data"}})
      .trusted(charts_json(charts))
      .close();
  out.open("script").trusted(echarts_script()).close();
  out.open("script").trusted(page_script()).close();
}

PageView make_view(const ReportInput& input) {
  PageView view;
  view.input = &input;
  view.table = main_table(input.analysis);
  view.names = case_names(input.analysis);
  view.charts = make_charts(input, view.table.rows);
  return view;
}

}  // namespace

std::string html(const ReportInput& input) {
  const PageView view = make_view(input);
  HtmlWriter out;
  out.trusted("<!doctype html>\n").open("html", {{"lang", "en"}});
  write_head(out, input);
  out.open("body");
  write_header(out, input);
  out.open("main");
  for (const Section& section : sections) {
    out.open("section", {{"id", section.id}}).element("h2", section.title);
    section.write(out, view);
    out.close();
  }
  out.close();
  write_footer(out);
  write_scripts(out, view.charts);
  out.close().close();
  return std::move(out).finish();
}

}  // namespace dlbench::report
