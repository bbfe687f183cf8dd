#include "record/metrics.hpp"

namespace dlbench::record {

const std::vector<MetricInfo>& metric_catalogue() {
  static const std::vector<MetricInfo> catalogue = {
      {"step_time_ns", "step time", "ns", MetricKind::ratio, true,
       "W1: wall time of the window divided by its steps; no drain and no loss fetch between steps. The "
       "primary metric."},
      {"samples_per_s", "samples/s", "1/s", MetricKind::rate, false,
       "Samples of the W1 window divided by its wall time."},
      {"step_latency_ns", "step latency", "ns", MetricKind::instant, true,
       "W2: median wall time of a step that is drained after itself."},
      {"start_ns", "start", "ns", MetricKind::delta, true,
       "Spawn to the runner's description: the framework is usable."},
      {"build_ns", "build", "ns", MetricKind::delta, true,
       "The load command: graph construction and declared compilation."},
      {"first_step_ns", "first step", "ns", MetricKind::delta, true,
       "The first step, with lazy compilation and autotuning."},
      {"warm_up_steps", "warm-up steps", "1", MetricKind::delta, true, "Steps before the window."},
      {"w1_steps", "W1 steps", "1", MetricKind::delta, false, "Steps in the W1 window."},
      {"w2_steps", "W2 steps", "1", MetricKind::delta, false, "Steps in the W2 window."},
      {"cpu_ratio", "CPU s / wall s", "ratio", MetricKind::ratio, true,
       "CPU time of the runner's process divided by wall time, W1."},
      {"peak_memory_bytes", "peak memory", "bytes", MetricKind::instant, true,
       "Highest resident set of the runner (VmHWM) minus the arena's resident pages."},
      {"peak_rss_bytes", "peak RSS", "bytes", MetricKind::instant, true,
       "Highest resident set of the runner, VmHWM, arena included."},
      {"host_cpu_ratio", "host CPU in window", "ratio", MetricKind::ratio, true,
       "CPU time of the host during W1 divided by W1's wall time."},
      {"steal_ratio", "steal", "ratio", MetricKind::ratio, true,
       "Time that the hypervisor took from the run's CPUs during the windows, divided by the windows' time."},
      {"foreign_ratio", "foreign CPU", "ratio", MetricKind::ratio, true,
       "CPU time of processes that are neither the runner nor dlbench on the run's CPUs, divided by the "
       "windows' time."},
      {"ring_slots", "distinct batches", "1", MetricKind::instant, false,
       "Batches prepared in memory that the steps cycle over."},
      {"train_steps", "training steps", "1", MetricKind::delta, false, "Steps of a convergence run."},
      {"train_time_s", "training time", "s", MetricKind::delta, true,
       "Wall time of all training chunks of a convergence run, without evaluation."},
      {"evaluate_time_s", "evaluation time", "s", MetricKind::delta, true,
       "Wall time of all evaluation passes of a convergence run."},
      {"test_accuracy", "test accuracy", "ratio", MetricKind::ratio, false,
       "Correct test samples divided by all of them, after the last epoch."},
      {"final_loss", "final loss", "nat", MetricKind::instant, true, "Loss of the last training step."},
  };
  return catalogue;
}

const MetricInfo* find_metric(const std::string& id) {
  for (const MetricInfo& info : metric_catalogue()) {
    if (info.id == id) {
      return &info;
    }
  }
  return nullptr;
}

}  // namespace dlbench::record
