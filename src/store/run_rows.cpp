// One run to rows and back.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

#include "base/error.hpp"
#include "store/sqlite_store.hpp"

namespace dlbench::store {
namespace {

// Part of the format, do not change: IEEE 754 binary64, little-endian.
constexpr std::string_view series_dtype = "f64le";
static_assert(std::endian::native == std::endian::little, "samples are stored as they lie in memory");

void write_phases(Database& database, std::int64_t seq, const record::Run& run) {
  Statement insert(
      database, "INSERT INTO run_phases (run_seq, position, phase, begin_ns, end_ns) VALUES (?, ?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const record::PhaseTime& phase : run.phases) {
    insert.bind(seq).bind(position++).bind(phase.phase).bind(phase.begin_ns).bind(phase.end_ns).run();
  }
}

void write_metrics(Database& database, std::int64_t seq, const record::Run& run) {
  Statement insert(database, "INSERT INTO run_metrics (run_seq, position, id, value) VALUES (?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const record::Metric& metric : run.metrics) {
    insert.bind(seq).bind(position++).bind(metric.id).bind(metric.value).run();
  }
}

void write_settings(Database& database, std::int64_t seq, const record::Run& run) {
  Statement insert(
      database, "INSERT INTO run_settings (run_seq, position, name, value, source) VALUES (?, ?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const record::Setting& setting : run.settings) {
    insert.bind(seq).bind(position++).bind(setting.name).bind(setting.value).bind(setting.source).run();
  }
}

void write_series(Database& database, std::int64_t seq, const record::Run& run) {
  Statement insert(database,
                   "INSERT INTO run_series (run_seq, position, kind, unit, dtype, count, samples) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?)");
  std::int64_t position = 0;
  for (const record::Series& series : run.series) {
    insert.bind(seq).bind(position++).bind(record::to_text(series.kind)).bind(series.unit).bind(series_dtype);
    insert.bind(static_cast<std::int64_t>(series.values.size()));
    insert.bind_blob(series.values.data(), series.values.size() * sizeof(double)).run();
  }
}

record::SeriesKind series_kind(const Database& database, const std::string& run_id, const std::string& text) {
  using record::SeriesKind;
  for (const SeriesKind kind : {SeriesKind::w1_step, SeriesKind::w2_step, SeriesKind::warm_up_step,
                                SeriesKind::loss, SeriesKind::epoch_accuracy}) {
    if (record::to_text(kind) == text) {
      return kind;
    }
  }
  fail_damaged(database.path(), fmt::format("run {} has a series of unknown kind '{}'", run_id, text));
}

record::Series read_one_series(const Database& database, const std::string& run_id, const Statement& row) {
  record::Series series;
  series.kind = series_kind(database, run_id, row.text(0));
  series.unit = row.text(1);
  const std::string dtype = row.text(2);
  if (dtype != series_dtype) {
    fail_damaged(database.path(), fmt::format("run {} has a series of unknown dtype '{}'", run_id, dtype));
  }
  const std::int64_t count = row.integer(3);
  const std::string_view bytes = row.blob(4);
  // Divided, not multiplied: the count is untrusted and its product could wrap.
  if (bytes.size() % sizeof(double) != 0 ||
      count != static_cast<std::int64_t>(bytes.size() / sizeof(double))) {
    fail_damaged(database.path(),
                 fmt::format("run {}: a series of {} samples has {} bytes", run_id, count, bytes.size()));
  }
  series.values.resize(bytes.size() / sizeof(double));
  if (!bytes.empty()) {
    std::memcpy(series.values.data(), bytes.data(), bytes.size());
  }
  return series;
}

record::Outcome read_outcome(const Database& database, const std::string& run_id, const Statement& row) {
  const std::string name = row.text(6);
  const std::optional<record::OutcomeKind> kind = record::outcome_from_text(name);
  if (!kind) {
    fail_damaged(database.path(), fmt::format("run {} has the unknown outcome '{}'", run_id, name));
  }
  return {.kind = *kind, .reason = row.text(7)};
}

record::Run read_run_row(const Database& database, const Statement& row) {
  record::Run run;
  run.id = row.text(1);
  run.case_id = row.text(2);
  run.block = row.small_integer(3);
  run.attempt = row.small_integer(4);
  run.begun = row.text(5);
  run.outcome = read_outcome(database, run.id, row);
  run.certificate_key = row.is_null(8) ? std::string() : row.text(8);
  run.command = row.text(9);
  run.machine_before = row.text(10);
  run.machine_after = row.text(11);
  run.output_tail = row.blob(12);
  return run;
}

// The four child tables of a run, prepared once for all runs of a study.
class ChildReader {
 public:
  ChildReader(Database& database, bool with_series)
      : database_(database),
        with_series_(with_series),
        phases_(database,
                "SELECT phase, begin_ns, end_ns FROM run_phases WHERE run_seq = ? ORDER BY position"),
        metrics_(database, "SELECT id, value FROM run_metrics WHERE run_seq = ? ORDER BY position"),
        settings_(database,
                  "SELECT name, value, source FROM run_settings WHERE run_seq = ? ORDER BY position"),
        series_(
            database,
            "SELECT kind, unit, dtype, count, samples FROM run_series WHERE run_seq = ? ORDER BY position") {}

  void read(std::int64_t seq, record::Run& run) {
    for (phases_.bind(seq); phases_.step();) {
      run.phases.push_back({phases_.text(0), phases_.integer(1), phases_.integer(2)});
    }
    phases_.reset();
    for (metrics_.bind(seq); metrics_.step();) {
      run.metrics.push_back({metrics_.text(0), metrics_.real(1)});
    }
    metrics_.reset();
    for (settings_.bind(seq); settings_.step();) {
      run.settings.push_back({settings_.text(0), settings_.text(1), settings_.text(2)});
    }
    settings_.reset();
    if (!with_series_) {
      return;
    }
    for (series_.bind(seq); series_.step();) {
      run.series.push_back(read_one_series(database_, run.id, series_));
    }
    series_.reset();
  }

 private:
  Database& database_;
  bool with_series_;
  Statement phases_;
  Statement metrics_;
  Statement settings_;
  Statement series_;
};

}  // namespace

void write_run(Database& database, std::int64_t case_seq, const record::Run& run) {
  Statement insert(
      database,
      "INSERT INTO runs (case_seq, id, block, attempt, begun, outcome, reason, certificate_key, command, "
      "machine_before, machine_after, output_tail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
      "RETURNING seq");
  insert.bind(case_seq)
      .bind(run.id)
      .bind(std::int64_t{run.block})
      .bind(std::int64_t{run.attempt})
      .bind(run.begun);
  insert.bind(record::to_text(run.outcome.kind)).bind(run.outcome.reason);
  run.certificate_key.empty() ? insert.bind_null() : insert.bind(run.certificate_key);
  insert.bind(run.command).bind(run.machine_before).bind(run.machine_after);
  insert.bind_blob(run.output_tail.data(), run.output_tail.size());
  insert.step();
  const std::int64_t seq = insert.integer(0);
  insert.run();
  write_phases(database, seq, run);
  write_metrics(database, seq, run);
  write_settings(database, seq, run);
  write_series(database, seq, run);
}

std::vector<record::Run> read_runs(Database& database, const std::string& study_id, bool with_series) {
  Statement select(
      database,
      "SELECT r.seq, r.id, c.id, r.block, r.attempt, r.begun, r.outcome, r.reason, r.certificate_key, "
      "r.command, r.machine_before, r.machine_after, r.output_tail FROM runs r "
      "JOIN cases c ON c.seq = r.case_seq JOIN studies s ON s.seq = c.study_seq "
      "WHERE s.id = ? ORDER BY r.seq");
  select.bind(study_id);
  ChildReader children(database, with_series);
  std::vector<record::Run> result;
  while (select.step()) {
    result.push_back(read_run_row(database, select));
    children.read(select.integer(0), result.back());
  }
  return result;
}

}  // namespace dlbench::store
