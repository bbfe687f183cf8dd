#include "host/live_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/clock.hpp"
#include "host/verify_case.hpp"

namespace dlbench::host {
namespace {

constexpr std::size_t output_tail_bytes = 4096;

std::uint64_t own_ticks(const Placement& placement, int runner_pid) {
  std::uint64_t ticks = probes::process_ticks(runner_pid).value_or(0);
  if (placement.shared_host) {
    ticks += probes::process_ticks(getpid()).value_or(0);
  }
  return ticks;
}

}  // namespace

std::int64_t host_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

LiveRun::LiveRun(const RunRequest& request)
    : request_(request),
      placement_(place(request.machine.cpus, request.measured_case.threads)),
      confinement_(placement_),
      token_(new_run_token()) {
  const Launch launch = {placement_,
                         request.measured_case.threads,
                         frameworks::Purpose::measure,
                         token_,
                         request.folder,
                         environment_padding_bytes(request.seed, request.block),
                         {}};
  spec_ = launch_spec(request.runner, launch);
  run_.id = token_;
  run_.case_id = request.measured_case.id;
  run_.block = request.block;
  run_.attempt = request.attempt;
  run_.begun = base::utc_now();
  run_.certificate_key = request.certificate_key;
  run_.command = request.command;
  add_setting("threads", std::to_string(launch.threads), "requested");
  add_setting("cpus", fmt::format("{}", fmt::join(placement_.runner_cpus, ",")), "requested");
  add_setting("shared_host", placement_.shared_host ? "yes" : "no", "host");
  add_setting("environment_padding_bytes", std::to_string(launch.padding_bytes), "host");
  for (const std::string& variable : spec_.environment) {
    if (!variable.starts_with("DLBENCH_PADDING=")) {
      add_setting("environment", variable, "host");
    }
  }
}

void LiveRun::add_setting(const std::string& name, const std::string& value, const std::string& source) {
  run_.settings.push_back({name, value, source});
}

void LiveRun::begin_phase(const std::string& phase) {
  run_.phases.push_back({phase, base::monotonic_ns(), 0});
}

void LiveRun::end_phase() {
  run_.phases.back().end_ns = base::monotonic_ns();
}

void LiveRun::mark(record::OutcomeKind kind, const std::string& reason) {
  if (mark_.kind == record::OutcomeKind::ok) {
    mark_ = {kind, reason};
  }
}

void LiveRun::series(record::SeriesKind kind, const std::string& unit, std::vector<double> values) {
  run_.series.push_back({kind, unit, std::move(values)});
}

session::Expected<void> LiveRun::start(std::uint32_t slots, std::uint64_t step_capacity) {
  begin_phase("start");
  const Workload& work = request_.workload;
  auto session =
      session::Session::start(spec_, arena_plan(work.graph, work.recipe.batch, slots, step_capacity), {});
  end_phase();
  if (!session) {
    return tl::unexpected(start_failure(request_.runner, session.error()));
  }
  session_ = std::move(*session);
  metric("start_ns", static_cast<double>(session_->start_ns()));
  return {};
}

session::Expected<void> LiveRun::build() {
  begin_phase("build");
  const auto reply = session_->load(load_request(request_.workload, request_.measured_case.threads));
  end_phase();
  if (!reply) {
    return tl::unexpected(reply.error());
  }
  metric("build_ns", static_cast<double>(run_.phases.back().end_ns - run_.phases.back().begin_ns));
  check_threads(reply->effective);
  return {};
}

// Requested and not in force is not a number but an INVALID row.
void LiveRun::check_threads(const std::vector<session::Setting>& effective) {
  const std::string wanted = std::to_string(request_.measured_case.threads);
  const auto found = std::find_if(effective.begin(), effective.end(),
                                  [](const session::Setting& setting) { return setting.name == "threads"; });
  if (found == effective.end()) {
    mark(record::OutcomeKind::invalid, "the runner does not say how many threads are in force");
  } else if (found->value != wanted) {
    mark(record::OutcomeKind::invalid,
         fmt::format("{} asked for, {} in force", record::thread_text(request_.measured_case.threads),
                     found->value));
  }
}

session::Expected<void> LiveRun::put_initial() {
  protocol::Arena& arena = session_->arena();
  put_weights(arena, request_.workload.weights);
  const std::span<double> rates = arena.rates();
  std::fill(rates.begin(), rates.end(), request_.workload.recipe.rate.base);
  return session_->put();
}

session::Expected<session::ChunkReply> LiveRun::work(std::int64_t steps, session::Drain drain) {
  return request_.workload.task == record::Task::training ? train(steps, drain)
                                                          : session_->infer(steps, drain, false);
}

session::Expected<session::ChunkReply> LiveRun::train(std::int64_t steps, session::Drain drain,
                                                      std::int64_t loss_every) {
  return session_->train(steps, drain, loss_every)
      .and_then([](const session::ChunkReply& reply) -> session::Expected<session::ChunkReply> {
        if (!reply.last_loss) {
          return tl::unexpected(session::Failure{"NAN", "the loss of a training step is not finite", false});
        }
        return reply;
      });
}

void LiveRun::watch_begin() {
  ticks_before_ = own_ticks(placement_, session_->pid());
  before_ = probes::read_machine();
  run_.machine_before = probes::to_json(before_);
}

void LiveRun::watch_end() {
  const probes::MachineState after = probes::read_machine();
  run_.machine_after = probes::to_json(after);
  const std::uint64_t own = own_ticks(placement_, session_->pid()) - ticks_before_;
  disturbance_ = probes::disturbance(before_, after, placement_.runner_cpus, own);
  metric("steal_ratio", disturbance_.steal_ratio);
  metric("foreign_ratio", disturbance_.foreign_ratio);
}

void LiveRun::judge_disturbance() {
  if (disturbance_.steal_ratio > request_.limits.steal_ratio) {
    mark(record::OutcomeKind::invalid,
         fmt::format("steal: the hypervisor took {:.1f} % of the window (limit {:.0f} %)",
                     100 * disturbance_.steal_ratio, 100 * request_.limits.steal_ratio));
  } else if (disturbance_.foreign_ratio > request_.limits.foreign_ratio) {
    mark(record::OutcomeKind::invalid,
         fmt::format("foreign CPU: other processes took {:.1f} % of the window (limit {:.0f} %)",
                     100 * disturbance_.foreign_ratio, 100 * request_.limits.foreign_ratio));
  }
}

// What was really in force, asked and looked up after the windows.
void LiveRun::read_back() {
  if (const auto inspection = session_->inspect()) {
    for (const session::Setting& setting : inspection->effective) {
      add_setting(setting.name, setting.value, setting.source.empty() ? "runner" : setting.source);
    }
    check_threads(inspection->effective);
    add_setting("libraries", inspection->libraries_json, "library");
  }
  const probes::ThreadView threads = probes::read_threads(session_->pid(), placement_.runner_cpus);
  add_setting("thread_count", std::to_string(threads.thread_count), "host");
  if (!threads.inside) {
    mark(record::OutcomeKind::invalid, "affinity: " + threads.outside_detail);
  }
  for (const std::string& file : probes::mapped_math_libraries(session_->pid())) {
    add_setting("mapped_library", file, "host");
  }
  const probes::ProcessMemory memory = probes::read_memory(session_->pid());
  if (memory.peak_rss_bytes) {
    const auto peak = static_cast<double>(*memory.peak_rss_bytes);
    metric("peak_rss_bytes", peak);
    metric("peak_memory_bytes", std::max(0.0, peak - static_cast<double>(session_->arena().bytes())));
  }
}

session::Expected<void> LiveRun::recheck_and_stop() {
  read_back();
  if (request_.recheck != nullptr) {
    begin_phase("recheck");
    const auto failure =
        recheck(*session_, *request_.recheck, request_.recheck_limit_factor, request_.workload.graph);
    end_phase();
    if (failure) {
      return tl::unexpected(*failure);
    }
  }
  begin_phase("stop");
  const session::Expected<void> result = session_->quit();
  end_phase();
  return result;
}

record::Run LiveRun::finish(const session::Expected<void>& result) {
  if (!result) {
    const auto kind = record::outcome_from_text(result.error().outcome);
    run_.outcome = {kind.value_or(record::OutcomeKind::protocol), result.error().reason};
  } else {
    run_.outcome = mark_;
  }
  session_.reset();
  run_.output_tail = process::tail_of_file(spec_.output_path, output_tail_bytes);
  return std::move(run_);
}

}  // namespace dlbench::host
