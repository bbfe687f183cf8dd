#include "report/example.hpp"

#include <fmt/format.h>

#include <cmath>

namespace dlbench::report::example {
namespace {

using analysis::CaseSummary;
using analysis::Word;
using record::OutcomeKind;
using record::SeriesKind;

record::Certificate certificate_of(const std::string& framework, record::Verdict verdict) {
  record::Certificate certificate;
  certificate.key = "c0ffee-" + framework;
  certificate.created = "2026-11-20T10:00:00Z";
  certificate.framework = framework;
  certificate.verdict = verdict;
  certificate.certified_steps = 10;
  certificate.checks = {{"function", "logits", "ip2", 2.5e-7, 2.0e-6, true},
                        {"function", "gradient", "conv1.weight", 4.0e-6, 2.0e-5, true},
                        {"steps.constant", "delta", "conv2.bias", 1.1e-5, 5.0e-5, true},
                        {"steps.stress", "delta", "ip1.weight", 2.2e-5, 1.0e-4, true}};
  certificate.faults = {{"rate_times_ten", 183000.0, true},
                        {"sum_for_mean", 64000.0, true},
                        {"transposed_weights", 9.1e5, true},
                        {"one_sample_less", 3.2, false}};
  return certificate;
}

CaseSummary case_of(const std::string& framework, const std::string& version, int threads,
                    const std::string& phase) {
  CaseSummary summary;
  record::Case& one = summary.measured_case;
  one.id = fmt::format("{}-{}-{}", framework, threads, phase);
  one.study_phase = phase;
  one.framework = framework;
  one.version = version;
  one.model = "lenet";
  one.dataset = "fashion-mnist";
  one.batch = 64;
  one.threads = threads;
  one.factors = {{"framework", framework}, {"threads", std::to_string(threads)}, {"precision", "fp32"}};
  summary.certificate = certificate_of(framework + " " + version, record::Verdict::pass);
  summary.run_count = 7;
  summary.outcome_counts = {{"OK", 7}};
  summary.verdict.text = "";
  return summary;
}

void set_speed(CaseSummary& summary, double step_ms, double share) {
  const double low = 0.99;
  const double high = 1.015;
  summary.medians = {{"step_time_ns", step_ms * 1e6},
                     {"samples_per_s", 64.0 / step_ms * 1e3},
                     {"cpu_ratio", 0.98 * summary.measured_case.threads},
                     {"peak_memory_bytes", 212.5 * 1048576.0},
                     {"start_ns", 1.42e9},
                     {"first_step_ns", 8.1e7},
                     {"step_latency_ns", step_ms * 1.01e6}};
  summary.intervals["step_time_ns"] = {step_ms * 1e6 * low, step_ms * 1e6 * high, 0.984};
  summary.share_of_reference = share;
}

void set_verdict(CaseSummary& summary, Word word, const std::string& text, double ratio, double low,
                 double high) {
  summary.verdict.word = word;
  summary.verdict.text = text;
  summary.verdict.holm_p = 0.015625;
  stats::PairedRatio paired;
  paired.n = 7;
  paired.ratio = ratio;
  paired.interval = stats::Interval{low, high, 0.984};
  paired.p = 0.015625;
  summary.verdict.ratio = paired;
}

void refuse(CaseSummary& summary, OutcomeKind kind, const std::string& reason, const std::string& verdict) {
  summary.outcome = {kind, reason};
  summary.outcome_counts = {{std::string(record::to_text(kind)), 7}};
  summary.run_count = 0;
  summary.verdict.text = verdict;
}

std::vector<CaseSummary> timed_cases(int threads) {
  const double speed = threads == 1 ? 1.0 : 1.8;
  std::vector<CaseSummary> cases;
  cases.push_back(case_of("libtorch", "1.13.1", threads, "throughput"));
  set_speed(cases.back(), 16.84 / speed, 0.42);
  cases.back().is_base = true;
  cases.push_back(case_of("jax", "0.12.0.1", threads, "throughput"));
  set_speed(cases.back(), 25.6 / speed, 0.27);
  set_verdict(cases.back(), Word::slower, "slower", 1.52, 1.49, 1.55);
  cases.push_back(case_of("tensorflow", "2.21.0", threads, "throughput"));
  set_speed(cases.back(), 8.8 / speed, 0.8);
  set_verdict(cases.back(), Word::faster, "faster", 0.522, 0.511, 0.534);
  cases.push_back(case_of("theano", "1.0.5", threads, "throughput"));
  set_speed(cases.back(), 17.2 / speed, 0.41);
  set_verdict(cases.back(), Word::no_difference_shown, "no difference shown", 1.021, 0.985, 1.06);
  cases.back().certificate = certificate_of("theano 1.0.5", record::Verdict::pass_with_deviations);
  cases.back().certificate->deviations = {"ties_all"};
  cases.push_back(case_of("torch7", "2017", threads, "throughput"));
  set_speed(cases.back(), 16.9 / speed, 0.42);
  set_verdict(cases.back(), Word::same_within_margin, "same within 2 %", 1.0031, 0.9985, 1.0072);
  cases.push_back(case_of("keras", "2.2.4", threads, "throughput"));
  refuse(cases.back(), OutcomeKind::mismatch,
         "steps.constant: conv1.weight differs: 0.0312 for 0.0298; diagnosis: weight_race",
         "not ranked: MISMATCH");
  cases.back().certificate = certificate_of("keras 2.2.4", record::Verdict::mismatch);
  cases.back().certificate->reason =
      "steps.constant: first differing tensor conv1.weight, 0.0312 for 0.0298.";
  cases.back().certificate->diagnosis =
      "weight_race: weights are updated before back-propagation has read them";
  cases.back().certificate->checks[2] = {"steps.constant", "delta", "conv1.weight", 4.7e-2, 5.0e-5, false};
  cases.push_back(case_of("singa", "", threads, "throughput"));
  refuse(cases.back(), OutcomeKind::not_installed, "no READY stamp; install it with: dlbench install singa",
         "not ranked: NOT_INSTALLED");
  cases.back().certificate.reset();
  cases.push_back(case_of("reference", "1", threads, "throughput"));
  set_speed(cases.back(), 7.02 / speed, 1.0);
  cases.back().measured_case.is_reference = true;
  return cases;
}

CaseSummary convergence_case(const std::string& framework, const std::string& version, double accuracy) {
  CaseSummary summary = case_of(framework, version, 2, "convergence");
  summary.medians = {{"test_accuracy", accuracy}, {"final_loss", 0.31}, {"train_time_s", 41.2}};
  summary.run_count = 1;
  summary.outcome_counts = {{"OK", 1}};
  return summary;
}

record::Run run_of(const record::Case& one, int block) {
  record::Run run;
  run.id = fmt::format("{}-{}", one.id, block);
  run.case_id = one.id;
  run.block = block;
  run.begun = "2026-11-20T10:01:00Z";
  run.certificate_key = "c0ffee";
  run.command = fmt::format("dlbench run --workspace w --case {} --block {} --seed 1", one.id, block);
  run.phases = {
      {"start", 0, 1420000000}, {"build", 1420000000, 1520000000}, {"window", 3000000000, 8000000000}};
  run.settings = {{"threads", std::to_string(one.threads), "requested"},
                  {"threads", std::to_string(one.threads), "runner"},
                  {"affinity", "0", "host"},
                  {"blas", "libopenblas.so.0", "library"}};
  run.machine_before = R"({"cpu_model":"Example CPU","online_cpus":4,"governor":null,"load_1min":)" +
                       fmt::format("{:.2f}", 0.1 * block) + "}";
  run.machine_after = R"({"cpu_model":"Example CPU","online_cpus":4,"governor":null,"load_1min":1.0})";
  return run;
}

// Spread of the runs around their median: a fixed pattern, symmetric enough to look like runs.
double spread(int block) {
  return 1.0 + 0.004 * std::sin(2.4 * block + 0.3);
}

std::vector<double> loss_curve(int length) {
  std::vector<double> values;
  for (int i = 0; i < length; ++i) {
    values.push_back(2.0 * std::exp(-i / (0.2 * length)) + 0.3 + 0.08 * std::sin(1.7 * i));
  }
  return values;
}

void add_runs(ReportInput& input, int blocks, int curve_length) {
  for (const CaseSummary& summary : input.analysis.cases) {
    const record::Case& one = summary.measured_case;
    const bool timed = one.study_phase == "throughput";
    for (int block = 0; block < (timed ? blocks : 1); ++block) {
      record::Run run = run_of(one, block);
      run.outcome = summary.outcome;
      if (run.outcome.kind == OutcomeKind::mismatch) {
        run.output_tail = "last line of the runner's output\n";
      }
      if (const auto median = summary.medians.find("step_time_ns"); median != summary.medians.end()) {
        run.metrics = {{"step_time_ns", median->second * spread(block)}};
        run.series = {{SeriesKind::w1_step, "ns", {median->second, median->second}}};
      }
      if (!timed && curve_length > 0) {
        run.metrics = {{"test_accuracy", 0.886}, {"train_time_s", 41.2}, {"evaluate_time_s", 3.1}};
        run.series = {{SeriesKind::loss, "nat", loss_curve(curve_length)},
                      {SeriesKind::epoch_accuracy, "ratio", {0.81, 0.852, 0.871, 0.886}}};
      }
      input.runs.push_back(std::move(run));
    }
  }
}

void fill_run(record::Run& run, const std::string& text) {
  run.begun = run.command = run.output_tail = text;
  run.outcome = {OutcomeKind::crash, text};
  run.phases.push_back({text, 0, 1});
  run.settings.push_back({text, text, text});
  run.settings.push_back({text, text, "requested"});
  run.machine_before = text;
  run.machine_after = R"({"</script>":"</script><script>window.hacked=1</script>"})";
}

void fill_case(CaseSummary& summary, const std::string& text) {
  summary.measured_case.framework += text;
  summary.measured_case.version = summary.measured_case.model = summary.measured_case.dataset = text;
  summary.measured_case.factors[text] = text;
  summary.outcome.reason = text;
  summary.outcome_counts[text] = 1;
  summary.verdict.text = text;
  if (!summary.certificate) {
    return;
  }
  record::Certificate& certificate = *summary.certificate;
  certificate.created = certificate.framework = certificate.reason = certificate.diagnosis = text;
  certificate.deviations = certificate.notes = {text};
  certificate.checks.push_back({text, text, text, NAN, 1e-5, false});
  certificate.faults.push_back({text, INFINITY, true});
}

}  // namespace

ReportInput study(int blocks, int curve_length) {
  ReportInput input;
  input.title = "Quickstart: LeNet on Fashion-MNIST";
  input.study_name = "quickstart";
  input.study_text = "name: quickstart\nmodel: lenet\nframeworks: [libtorch, jax]\n";
  input.begun = "2026-11-20T10:00:00Z";
  input.environment_json =
      R"({"dlbench":{"version":"0.1.0"},"argv":["dlbench","run"],"clock_resolution_ns":1})";
  input.settings_lines = {"7 blocks in random order, no early stop",
                          "W1 ≥ 5 s and ≥ 200 steps; W2 ≥ 5 s and ≥ 200 steps"};
  input.overheads = {{"null runner, C++, per step", 310.0, "ns"},
                     {"host's CPU time in the window", 0.001, "ratio"}};
  analysis::Analysis& analysis = input.analysis;
  analysis.family.base = "libtorch";
  analysis.family.blocks = 7;
  for (const int threads : {1, 2}) {
    for (CaseSummary& summary : timed_cases(threads)) {
      analysis.cases.push_back(std::move(summary));
    }
    for (const char* compared : {"jax", "tensorflow", "theano", "torch7"}) {
      analysis.family.pairs.emplace_back(fmt::format("{}-{}-throughput", compared, threads),
                                         fmt::format("libtorch-{}-throughput", threads));
    }
  }
  analysis.cases.push_back(convergence_case("libtorch", "1.13.1", 0.8862));
  analysis.cases.push_back(convergence_case("jax", "0.12.0.1", 0.8849));
  analysis.warnings = {"rows are marked shared-host: the machine has too few cores to keep the host outside"};
  add_runs(input, blocks, curve_length);
  return input;
}

ReportInput hostile_study(const std::string& text) {
  ReportInput input = study(2, 30);
  input.title = input.study_name = input.study_text = input.begun = input.environment_json = text;
  input.settings_lines = {text};
  input.overheads = {{text, NAN, text}};
  input.analysis.warnings = {text};
  input.analysis.family.base = text;
  for (CaseSummary& summary : input.analysis.cases) {
    fill_case(summary, text);
  }
  for (record::Run& run : input.runs) {
    fill_run(run, text);
  }
  return input;
}

std::string hostile_text() {
  return "=<b>&amp;\"' </script><script>window.hacked=1</script><img src=x onerror=window.hacked=1> --> ]]> "
         "{a|b} "
         "\x1b[2J\x01\x7f \xff\xc0\xaf\xed\xa0\x80 \xe2\x80\xa8 \xe2\x80\xae \r\n,end";
}

}  // namespace dlbench::report::example
