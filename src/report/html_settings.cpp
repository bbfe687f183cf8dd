// What was asked for, what was in force, on which machine, from which study file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "report/format.hpp"
#include "report/html_sections.hpp"
#include "report/parsed_json.hpp"
#include "report/text.hpp"

namespace dlbench::report {
namespace {

constexpr std::size_t most_numbers = 4;
constexpr std::size_t most_texts = 16;

// Distinct values over several runs, first seen first.
class Values {
 public:
  void add(const std::string& value) {
    if (std::find(values_.begin(), values_.end(), value) == values_.end()) {
      values_.push_back(value);
    }
  }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] bool same_as(const Values& other) const { return values_ == other.values_; }

  // One value, a few values, or the range of many numbers.
  [[nodiscard]] std::string text() const {
    if (values_.empty()) {
      return no_value;
    }
    if (const auto range = range_text(); range && values_.size() > most_numbers) {
      return *range;
    }
    const auto shown = static_cast<std::ptrdiff_t>(std::min(values_.size(), most_texts));
    std::string out = fmt::format("{}", fmt::join(values_.begin(), values_.begin() + shown, " | "));
    return values_.size() > most_texts ? out + fmt::format(" | … {} values", values_.size()) : out;
  }

 private:
  // "least … greatest"; nullopt when a value is no number.
  [[nodiscard]] std::optional<std::string> range_text() const {
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (const std::string& value : values_) {
      char* end = nullptr;
      const double parsed = std::strtod(value.c_str(), &end);
      if (value.empty() || *end != '\0') {
        return std::nullopt;
      }
      low = std::min(low, parsed);
      high = std::max(high, parsed);
    }
    return fmt::format("{} … {}", plain(low), plain(high));
  }

  // Large counts keep all their digits.
  static std::string plain(double value) {
    return value == std::floor(value) && std::fabs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                 : number(value);
  }
  std::vector<std::string> values_;
};

struct SettingRow {
  Values requested;
  std::map<std::string, Values> effective;  // by source
};

// Variables of the environment share one setting name; each gets a row of its own.
std::pair<std::string, std::string> row_of(const record::Setting& setting) {
  const std::size_t equals = setting.value.find('=');
  if (setting.name != "environment" || equals == std::string::npos) {
    return {setting.name, setting.value};
  }
  return {"environment " + setting.value.substr(0, equals), setting.value.substr(equals + 1)};
}

// Setting name -> values over all runs of one case.
std::map<std::string, SettingRow> settings_of(const ReportInput& input, const std::string& case_id) {
  std::map<std::string, SettingRow> rows;
  for (const record::Run& run : input.runs) {
    if (run.case_id != case_id) {
      continue;
    }
    for (const record::Setting& setting : run.settings) {
      const auto [name, value] = row_of(setting);
      SettingRow& row = rows[name];
      (setting.source == "requested" ? row.requested : row.effective[setting.source]).add(value);
    }
  }
  return rows;
}

void write_case_settings(HtmlWriter& out, const std::string& name,
                         const std::map<std::string, SettingRow>& rows) {
  std::set<std::string> sources;
  for (const auto& [setting, row] : rows) {
    for (const auto& [source, values] : row.effective) {
      sources.insert(source);
    }
  }
  SimpleTable table;
  table.columns = {{"setting", false}, {"asked for", false}};
  for (const std::string& source : sources) {
    table.columns.push_back({"in force, says " + source, false});
  }
  table.columns.push_back({"", false});
  for (const auto& [setting, row] : rows) {
    std::vector<std::string> cells = {setting, row.requested.text()};
    bool differs = false;
    for (const std::string& source : sources) {
      const auto found = row.effective.find(source);
      cells.push_back(found == row.effective.end() ? no_value : found->second.text());
      differs = differs || (found != row.effective.end() && !row.requested.empty() &&
                            !found->second.same_as(row.requested));
    }
    cells.emplace_back(differs ? "differs" : "");
    table.rows.push_back(std::move(cells));
  }
  out.open("details").element("summary", name);
  write_table(out, table);
  out.close();
}

struct MachineRow {
  Values before;
  Values after;
};

void add_state(const std::string& text, Values MachineRow::* side, std::vector<std::string>& order,
               std::map<std::string, MachineRow>& rows) {
  const auto flat = flatten_json(text);
  if (!flat) {
    return;
  }
  for (const auto& [name, value] : *flat) {
    if (!rows.contains(name)) {
      order.push_back(name);
    }
    (rows[name].*side).add(value);
  }
}

void write_machine_states(HtmlWriter& out, const ReportInput& input) {
  std::vector<std::string> order;
  std::map<std::string, MachineRow> rows;
  for (const record::Run& run : input.runs) {
    add_state(run.machine_before, &MachineRow::before, order, rows);
    add_state(run.machine_after, &MachineRow::after, order, rows);
  }
  if (order.empty()) {
    out.element("p", "No machine state is stored.");
    return;
  }
  SimpleTable table;
  table.columns = {{"state", false}, {"before the runs", false}, {"after the runs", false}};
  for (const std::string& name : order) {
    const MachineRow& row = rows.at(name);
    table.rows.push_back(
        {name, row.before.text(), row.after.same_as(row.before) ? "same" : row.after.text()});
  }
  out.element("p", "Over all runs: one value, the distinct values, or least … greatest.",
              {{"class", "note"}});
  write_table(out, table);
}

void write_environment(HtmlWriter& out, const ReportInput& input) {
  out.element("h3", "Environment of the host");
  const auto flat = flatten_json(input.environment_json);
  if (!flat) {
    out.element("pre", input.environment_json.empty() ? "not stored" : input.environment_json);
    return;
  }
  SimpleTable table;
  table.columns = {{"name", false}, {"value", false}};
  for (const auto& [name, value] : *flat) {
    table.rows.push_back({name, value});
  }
  write_table(out, table);
}

}  // namespace

void write_settings(HtmlWriter& out, const PageView& view) {
  bool any = false;
  out.element("p",
              "A run whose settings in force differ from those asked for is INVALID, not a number. Each "
              "case, over all its runs:",
              {{"class", "note"}});
  for (const analysis::CaseSummary& summary : view.input->analysis.cases) {
    const auto rows = settings_of(*view.input, summary.measured_case.id);
    if (!rows.empty()) {
      write_case_settings(out, name_of(view, summary.measured_case.id), rows);
      any = true;
    }
  }
  if (!any) {
    out.element("p", "No setting is stored.");
  }
}

void write_machine(HtmlWriter& out, const PageView& view) {
  write_machine_states(out, *view.input);
  write_environment(out, *view.input);
}

void write_study(HtmlWriter& out, const PageView& view) {
  out.element("pre", view.input->study_text.empty() ? "not stored" : view.input->study_text);
}

}  // namespace dlbench::report
