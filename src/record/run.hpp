// What one run measured: plain data between host, store, analysis and report.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/outcome.hpp"

namespace dlbench::record {

// One combination of factors. `id` is the hash of `factors`; equal work has equal id on every machine.
struct Case {
  std::string id;
  std::string study_phase;  // "throughput" or "convergence"
  std::string framework;    // manifest name
  std::string version;      // resolved, or "" when not installed
  std::string model;
  std::string dataset;
  std::int64_t batch = 0;
  int threads = 0;
  bool is_reference = false;                   // yardstick: never ranked, never base, never in the family
  std::map<std::string, std::string> factors;  // everything that defines the case, for tables and the key
};

// "1 thread", "2 threads".
[[nodiscard]] std::string thread_text(int threads);

enum class SeriesKind { w1_step, w2_step, warm_up_step, loss, epoch_accuracy };
[[nodiscard]] std::string_view to_text(SeriesKind kind);

// Raw samples; `unit` is "ns", "nat", "ratio".
struct Series {
  SeriesKind kind = SeriesKind::w1_step;
  std::string unit;
  std::vector<double> values;
};

// One scalar with a catalogue id (record/metrics.hpp).
struct Metric {
  std::string id;
  double value = 0.0;
};

struct PhaseTime {
  std::string phase;  // start, build, first_step, warm_up, window, evaluate, stop
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

// A setting asked for or read back. `source`: "requested", "runner", "host", "library".
struct Setting {
  std::string name;
  std::string value;
  std::string source;
};

struct Run {
  std::string id;  // token, also in the runner's environment as DLBENCH_RUN
  std::string case_id;
  int block = 0;
  int attempt = 0;    // > 0: the block was repeated
  std::string begun;  // UTC
  Outcome outcome;
  std::string certificate_key;  // empty: none
  std::string command;          // repeats exactly this run
  std::vector<PhaseTime> phases;
  std::vector<Metric> metrics;
  std::vector<Series> series;
  std::vector<Setting> settings;
  std::string machine_before;  // JSON text of probes::MachineState
  std::string machine_after;
  std::string output_tail;  // last bytes of the runner's stdout and stderr
};

// Value of a metric; nothing when the run lacks it or it is not finite.
[[nodiscard]] std::optional<double> metric_of(const Run& run, std::string_view id);

}  // namespace dlbench::record
