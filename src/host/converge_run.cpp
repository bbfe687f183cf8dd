#include "host/converge_run.hpp"

#include <algorithm>
#include <numeric>

#include "host/live_run.hpp"

namespace dlbench::host {
namespace {

using session::Drain;
using session::Expected;

// The loss is fetched this often: enough for a curve, too seldom to be a sync in every step.
constexpr std::int64_t loss_every_steps = 10;

struct Progress {
  double train_ns = 0.0;
  double evaluate_ns = 0.0;
  std::int64_t steps = 0;
  std::vector<double> losses;      // one per loss_every_steps
  std::vector<double> accuracies;  // one per epoch
};

// Fills the ring with the next batches of the epoch; returns how many.
std::int64_t refill(LiveRun& run, const std::vector<std::uint32_t>& order, std::int64_t first_batch,
                    std::uint32_t slots) {
  const Workload& work = run.request().workload;
  const auto count = static_cast<std::int64_t>(order.size());
  std::int64_t filled = 0;
  for (; filled < static_cast<std::int64_t>(slots); ++filled) {
    const std::int64_t begin = (first_batch + filled) * work.recipe.batch;
    if (begin >= count) {
      break;
    }
    const std::int64_t rows = std::min(work.recipe.batch, count - begin);
    put_samples(run.session().arena(), static_cast<std::uint32_t>(filled), work.dataset->train,
                order.data() + begin, rows);
  }
  return filled;
}

void set_rates(LiveRun& run, std::int64_t first_step, std::int64_t steps) {
  const std::span<double> rates = run.session().arena().rates();
  for (std::int64_t i = 0; i < steps; ++i) {
    rates[static_cast<std::size_t>(i)] = model::rate_at(run.request().workload.recipe.rate, first_step + i);
  }
}

Expected<void> train_epoch(LiveRun& run, std::uint32_t epoch, std::uint32_t slots, Progress& progress) {
  const Workload& work = run.request().workload;
  const auto order =
      data::epoch_order(work.seed, epoch, static_cast<std::uint32_t>(work.dataset->train.count));
  for (std::int64_t batch = 0;;) {
    const std::int64_t steps = refill(run, order, batch, slots);
    if (steps == 0) {
      return {};
    }
    set_rates(run, progress.steps, steps);
    const auto reply = run.train(steps, Drain::ends, loss_every_steps);
    if (!reply) {
      return tl::unexpected(reply.error());
    }
    for (const dlb_step_record& record : run.session().arena().records()) {
      if (record.loss_valid == 1) {
        progress.losses.push_back(record.loss);
      }
    }
    progress.train_ns += static_cast<double>(reply->window_ns);
    progress.steps += steps;
    batch += steps;
  }
}

// Test batches are full, the last one padded with the first test samples: the certified shape, and padding
// rows are not counted. So each test sample counts exactly once.
Expected<double> evaluate(LiveRun& run, std::uint32_t slots, Progress& progress) {
  const Workload& work = run.request().workload;
  const data::SampleSet& test = work.dataset->test;
  const std::int64_t batch = work.recipe.batch;
  const std::int64_t labels = work.graph.targets_per_sample;
  const std::int64_t logits_each = model::logits_shape(work.graph).back();
  std::vector<std::uint32_t> indices(static_cast<std::size_t>((test.count + batch - 1) / batch * batch));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    indices[i] = static_cast<std::uint32_t>(i % static_cast<std::size_t>(test.count));
  }
  std::int64_t correct = 0;
  for (std::int64_t done = 0; done < test.count;) {
    const std::int64_t left = (test.count - done + batch - 1) / batch;
    const std::int64_t steps = std::min<std::int64_t>(left, slots);
    for (std::int64_t k = 0; k < steps; ++k) {
      put_samples(run.session().arena(), static_cast<std::uint32_t>(k), test,
                  indices.data() + done + k * batch, batch);
    }
    const auto reply = run.session().infer(steps, Drain::ends, true);
    if (!reply) {
      return tl::unexpected(reply.error());
    }
    progress.evaluate_ns += static_cast<double>(reply->window_ns);
    for (std::int64_t k = 0; k < steps; ++k, done += batch) {
      const protocol::Slot slot = run.session().arena().slot(static_cast<std::uint32_t>(k));
      correct += correct_count(reinterpret_cast<const float*>(slot.output.data()),
                               test.labels.data() + done * labels,
                               std::min(batch, test.count - done) * labels, logits_each);
    }
  }
  return static_cast<double>(correct) / static_cast<double>(test.count * labels);
}

Expected<void> train_and_evaluate(LiveRun& run, std::uint32_t slots, Progress& progress) {
  for (int epoch = 0; epoch < run.request().epochs; ++epoch) {
    run.begin_phase("window");
    auto trained = train_epoch(run, static_cast<std::uint32_t>(epoch), slots, progress);
    run.end_phase();
    if (!trained) {
      return trained;
    }
    run.begin_phase("evaluate");
    const auto accuracy = evaluate(run, slots, progress);
    run.end_phase();
    if (!accuracy) {
      return tl::unexpected(accuracy.error());
    }
    progress.accuracies.push_back(*accuracy);
  }
  return {};
}

void record_progress(LiveRun& run, Progress progress) {
  const auto steps = static_cast<double>(progress.steps);
  run.metric("train_time_s", progress.train_ns * 1e-9);
  run.metric("evaluate_time_s", progress.evaluate_ns * 1e-9);
  run.metric("train_steps", steps);
  run.metric("step_time_ns", progress.train_ns / steps);
  if (!progress.accuracies.empty()) {
    run.metric("test_accuracy", progress.accuracies.back());
  }
  if (!progress.losses.empty()) {
    run.metric("final_loss", progress.losses.back());
  }
  run.series(record::SeriesKind::loss, "nat", std::move(progress.losses));
  run.series(record::SeriesKind::epoch_accuracy, "ratio", std::move(progress.accuracies));
}

}  // namespace

std::int64_t correct_count(const float* logits, const std::int32_t* labels, std::int64_t count,
                           std::int64_t logits_each) {
  std::int64_t correct = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const float* begin = logits + i * logits_each;
    const std::int64_t answer =
        logits_each == 1 ? (begin[0] > 0.0F ? 1 : 0) : std::max_element(begin, begin + logits_each) - begin;
    correct += answer == labels[i] ? 1 : 0;
  }
  return correct;
}

record::Run converge_run(const RunRequest& request) {
  LiveRun run(request);
  const std::uint32_t slots = ring_slots(request.workload, request.machine.last_level_cache_bytes);
  Progress progress;
  const Expected<void> result = run.start(slots, slots)
                                    .and_then([&] { return run.build(); })
                                    .and_then([&] { return run.put_initial(); })
                                    .and_then([&] {
                                      run.watch_begin();
                                      return train_and_evaluate(run, slots, progress);
                                    });
  if (progress.steps > 0) {
    record_progress(run, std::move(progress));
  }
  // Recorded, not judged: an outside cause changes how long training took, never what it reached.
  if (result) {
    run.watch_end();
  }
  return run.finish(result.and_then([&] { return run.recheck_and_stop(); }));
}

}  // namespace dlbench::host
