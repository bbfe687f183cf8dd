#include "bench/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace dlbench::bench {
namespace {

using nlohmann::json;

// The first is what we aim at, the second what no runner may exceed.
constexpr double loop_goal_ratio = 1.002;
constexpr double loop_limit_ratio = 1.01;
constexpr double cpu_goal_ratio = 0.005;
constexpr double memory_goal_bytes = 100e6;
constexpr double reference_step_ns = 10e6;
constexpr const char* loop_legend =
    "  *: no CPU is left for the host. pairs: process pairs x steps of a chunk.\n"
    "  goal, limit: open where the interval holds it.\n";

const char* verdict(bool reached) {
  return reached ? "yes" : "NO";
}

// Only an interval that lies on one side of the bound decides.
const char* loop_verdict(const stats::PairedRatio& ratio, double bound) {
  if (!ratio.interval || (ratio.interval->low <= bound && ratio.interval->high > bound)) {
    return "open";
  }
  return verdict(ratio.interval->high <= bound);
}

std::string interval_text(const std::optional<stats::Interval>& interval) {
  return interval ? fmt::format("{:.4f} … {:.4f}", interval->low, interval->high)
                  : std::string("too few pairs");
}

template <class T, class Print>
void add_rows(std::string& text, const std::vector<Row<T>>& rows, const Print& print) {
  for (const Row<T>& row : rows) {
    text += row.result ? print(*row.result) : fmt::format("  {}: {}\n", row.name, row.result.error());
  }
}

std::string loop_line(const LoopCost& cost) {
  const auto [lowest, highest] = std::ranges::minmax(cost.process_ratios);
  return fmt::format(
      "  {:<20} {:>2}{} {:>9.1f} {:>9.1f} {:>8.4f} {:<17} {} x {:<5} {:.4f} … {:.4f} {:<17} {:>7.2f} {:>5} "
      "{:>5}\n",
      cost.title, cost.threads, cost.shared_host ? "*" : " ", cost.sdk_step_ns / 1e3, cost.hand_step_ns / 1e3,
      cost.between.ratio, interval_text(cost.between.interval), cost.between.n, cost.chunk_steps, lowest,
      highest, interval_text(cost.within.interval), 100.0 * cost.foreign_ratio,
      loop_verdict(cost.between, loop_goal_ratio), loop_verdict(cost.between, loop_limit_ratio));
}

std::string null_line(const NullStep& step) {
  return fmt::format("  {:<20} {:>9.0f} {:>9.0f} … {:<9.0f} {:>9.0f} {:>9.4f} {:>9.4f}\n", step.title,
                     step.drained_at_ends.median_ns, step.drained_at_ends.lowest_ns,
                     step.drained_at_ends.highest_ns, step.drained_each.median_ns,
                     100.0 * step.drained_at_ends.median_ns / reference_step_ns,
                     100.0 * step.drained_each.median_ns / reference_step_ns);
}

std::string host_line(const HostCost& cost) {
  const auto resident = static_cast<double>(cost.rss_bytes);
  return fmt::format("  {:<20} {:>9.4f} {:>9.4f} {:>5}   {:>9.1f} {:>5}\n", cost.title,
                     100.0 * cost.median_cpu_ratio, 100.0 * cost.highest_cpu_ratio,
                     verdict(cost.highest_cpu_ratio <= cpu_goal_ratio), resident * 1e-6,
                     verdict(resident <= memory_goal_bytes));
}

std::string study_line(const StudyCost& cost) {
  const auto peak = static_cast<double>(cost.peak_bytes);
  return fmt::format("  {:<20} {:>9.1f} {:>5}   {:>9.1f} {:>9.1f}{}\n", cost.title, peak * 1e-6,
                     verdict(peak <= memory_goal_bytes), static_cast<double>(cost.peak_rss_bytes) * 1e-6,
                     cost.seconds, cost.complete ? "" : "   (a row was not OK)");
}

json interval_json(const std::optional<stats::Interval>& interval) {
  return interval ? json{{"low", interval->low}, {"high", interval->high}, {"level", interval->level}}
                  : json();
}

json ratio_json(const stats::PairedRatio& ratio) {
  return {{"n", ratio.n}, {"ratio", ratio.ratio}, {"interval", interval_json(ratio.interval)}};
}

json value_json(const LoopCost& cost) {
  return {{"threads", cost.threads},
          {"shared_host", cost.shared_host},
          {"chunk_steps", cost.chunk_steps},
          {"chunk_pairs", cost.chunk_pairs},
          {"sdk_step_ns", cost.sdk_step_ns},
          {"hand_step_ns", cost.hand_step_ns},
          {"between_processes", ratio_json(cost.between)},
          {"process_ratios", cost.process_ratios},
          {"within_processes", ratio_json(cost.within)},
          {"foreign_ratio", cost.foreign_ratio}};
}

json value_json(const NullStep::Time& time) {
  return {{"median_ns", time.median_ns}, {"lowest_ns", time.lowest_ns}, {"highest_ns", time.highest_ns}};
}

json value_json(const NullStep& step) {
  return {{"drained_at_ends", value_json(step.drained_at_ends)},
          {"drained_each", value_json(step.drained_each)}};
}

json value_json(const HostCost& cost) {
  return {{"windows", cost.windows},
          {"window_seconds", cost.window_seconds},
          {"median_cpu_ratio", cost.median_cpu_ratio},
          {"highest_cpu_ratio", cost.highest_cpu_ratio},
          {"rss_bytes", cost.rss_bytes}};
}

json value_json(const StudyCost& cost) {
  return {{"peak_bytes", cost.peak_bytes},
          {"peak_rss_bytes", cost.peak_rss_bytes},
          {"seconds", cost.seconds},
          {"complete", cost.complete}};
}

template <class T>
json rows_json(const std::vector<Row<T>>& rows) {
  json list = json::array();
  for (const Row<T>& row : rows) {
    json entry = row.result ? value_json(*row.result) : json{{"why_not", row.result.error()}};
    entry["name"] = row.name;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string to_table(const Figures& figures) {
  std::string text =
      fmt::format("{}, {} CPUs, {}, load {:.2f} at the start{}\n", figures.cpu_model, figures.cpus,
                  figures.begun, figures.load_before,
                  figures.load_before > quiet_load ? ": NOT QUIET, the figures are not to be quoted" : "");
  if (!figures.loops.empty()) {
    text += fmt::format(
        "\n(a) LeNet, batch 64: runner ÷ hand-written loop; goal: ratio <= {}, limit: {}\n"
        "  {:<20} {:<3} {:>9} {:>9} {:>8} {:<17} {:<9} {:<15} {:<17} {:>7} {:>5} {:>5}\n",
        loop_goal_ratio, loop_limit_ratio, "framework", "thr", "runner µs", "hand µs", "ratio",
        "95 % between", "pairs", "processes", "95 % within", "other %", "goal", "limit");
    add_rows(text, figures.loops, loop_line);
    text += loop_legend;
  }
  if (!figures.null_steps.empty()) {
    text += fmt::format(
        "\n(b) a step that computes nothing, in ns, and its share of a 10 ms step in %\n"
        "  {:<20} {:>9} {:>21} {:>9} {:>9} {:>9}\n",
        "runner", "ends", "lowest … highest", "each", "ends %", "each %");
    add_rows(text, figures.null_steps, null_line);
  }
  if (!figures.hosts.empty()) {
    text += fmt::format(
        "\n(c) the host while a window of 5 s runs: CPU in % of a core (goal: <= 0.5), memory in MB "
        "without the arena (goal: <= 100)\n  {:<20} {:>9} {:>9} {:>5}   {:>9} {:>5}\n",
        "framework", "median", "highest", "goal", "resident", "goal");
    add_rows(text, figures.hosts, host_line);
  }
  if (!figures.studies.empty()) {
    text += fmt::format(
        "\n(d) a whole dlbench run: MB without the arena (goal: <= 100), with it, and seconds\n"
        "  {:<20} {:>9} {:>5}   {:>9} {:>9}\n",
        "framework", "peak", "goal", "VmHWM", "seconds");
    add_rows(text, figures.studies, study_line);
  }
  return text;
}

std::string to_json(const Figures& figures) {
  const json document = {{"cpu_model", figures.cpu_model},
                         {"cpus", figures.cpus},
                         {"begun", figures.begun},
                         {"load_before", figures.load_before},
                         {"quiet", figures.load_before <= quiet_load},
                         {"loops", rows_json(figures.loops)},
                         {"null_steps", rows_json(figures.null_steps)},
                         {"hosts", rows_json(figures.hosts)},
                         {"studies", rows_json(figures.studies)}};
  return document.dump(2) + "\n";
}

}  // namespace dlbench::bench
