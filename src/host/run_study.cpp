#include "host/run_study.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/folders.hpp"
#include "gate/deviations.hpp"
#include "host/converge_run.hpp"
#include "host/measure_run.hpp"
#include "host/study_progress.hpp"

namespace dlbench::host {
namespace {

class StudyRun {
 public:
  StudyRun(const StudyPlan& plan, store::Store& store, const std::string& workspace,
           const RunOptions& options, StudyListener& listener)
      : plan_(plan),
        store_(store),
        options_(options),
        listener_(listener),
        folder_(workspace + "/runs"),
        cache_(plan.runners.front().places.cache),
        progress_(store.runs(plan.id, false), plan.study.limits),
        gate_plan_(cache_, gate_work(plan.workload), [&listener] {
          listener.note("computing the oracle's results for this work; they are kept for next time");
        }) {
    base::make_folders(folder_);
  }

  bool run() {
    store_plan();
    verify_all();
    if (auto timed = gate_plan_.take_timed()) {
      timed_.emplace(std::move(*timed));
    }
    count_total();
    for (int block = 0; block < plan_.study.blocks && !stopped(); ++block) {
      run_block(block);
    }
    for (const PlannedCase& planned : plan_.convergence) {
      if (wanted(planned, 0) && !progress_.has(planned.measured_case.id, 0, 0)) {
        run_case(planned, 0, 0);
      }
    }
    return !stopped();
  }

 private:
  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  void store_plan() {
    store_.add_study({plan_.id, plan_.study.name, plan_.study.text, analysis::to_json(plan_.family),
                      base::utc_now(), options_.environment_json});
    for (const auto* cases : {&plan_.throughput, &plan_.convergence}) {
      for (const PlannedCase& planned : *cases) {
        store_.add_case(plan_.id, planned.measured_case);
      }
    }
  }

  // A case that cannot be measured becomes one row with the reason.
  void store_verdict_row(const PlannedCase& planned, const record::Outcome& outcome, const std::string& key) {
    if (progress_.has_verdict_row(planned.measured_case.id)) {
      return;
    }
    record::Run row;
    row.id = new_run_token();
    row.case_id = planned.measured_case.id;
    row.begun = base::utc_now();
    row.outcome = outcome;
    row.certificate_key = key;
    row.command = command(planned, 0);
    store_.add_run(plan_.id, row);
    progress_.add(row);
  }

  void verify_all() {
    for (const auto* cases : {&plan_.throughput, &plan_.convergence}) {
      for (const PlannedCase& planned : *cases) {
        if (!stopped()) {
          verify(planned);
        }
      }
    }
  }

  // Cases that differ only in what is measured share a certificate.
  void verify(const PlannedCase& planned) {
    const record::Case& measured = planned.measured_case;
    const Runner& runner = plan_.runners[planned.runner];
    if (runner.installed.state != frameworks::State::ready) {
      const std::string reason = survey_.why_not(runner.manifest, runner.installed);
      store_verdict_row(planned, {record::OutcomeKind::not_installed, reason}, {});
      return;
    }
    const std::pair key(planned.runner, measured.threads);
    auto known = verifications_.find(key);
    if (known == verifications_.end()) {
      const VerifyRequest request = {plan_.workload,   gate_plan_, runner, plan_.machine,
                                     measured.threads, folder_,    {}};
      known = verifications_.emplace(key, verify_case(request, cache_, options_.fresh_certificates)).first;
      store_.add_certificate(known->second.certificate);
      listener_.verified(planned, known->second);
    }
    const record::Outcome& outcome = known->second.outcome;
    const bool measurable = outcome.kind == record::OutcomeKind::ok ||
                            (outcome.kind == record::OutcomeKind::mismatch && options_.allow_mismatch);
    if (measurable) {
      measurable_[measured.id] = &known->second;
    } else {
      store_verdict_row(planned, outcome, known->second.certificate.key);
    }
  }

  [[nodiscard]] bool wanted(const PlannedCase& planned, int block) const {
    return !stopped() && measurable_.contains(planned.measured_case.id) &&
           (!options_.only_case || planned.measured_case.id.starts_with(*options_.only_case)) &&
           (!options_.only_block || block == *options_.only_block);
  }

  void count_total() {
    for (int block = 0; block < plan_.study.blocks; ++block) {
      for (const PlannedCase& planned : plan_.throughput) {
        total_ += wanted(planned, block) &&
                  !progress_.has(planned.measured_case.id, block, progress_.attempt(block));
      }
    }
    for (const PlannedCase& planned : plan_.convergence) {
      total_ += wanted(planned, 0) && !progress_.has(planned.measured_case.id, 0, 0);
    }
  }

  // One run of every case in random order; repeated as a whole when something outside disturbed it.
  void run_block(int block) {
    for (int attempt = progress_.attempt(block); !stopped(); ++attempt) {
      for (const std::uint32_t index : block_order(plan_.study.seed, block, plan_.throughput.size())) {
        const PlannedCase& planned = plan_.throughput[index];
        if (wanted(planned, block) && !progress_.has(planned.measured_case.id, block, attempt)) {
          run_case(planned, block, attempt);
        }
      }
      if (!progress_.disturbed(block, attempt) ||
          progress_.repeated_blocks() >= plan_.study.max_repeated_blocks) {
        return;
      }
      listener_.note(fmt::format("block {} was disturbed from outside and is repeated", block + 1));
      total_ += plan_.throughput.size();
    }
  }

  [[nodiscard]] std::string command(const PlannedCase& planned, int block) const {
    return fmt::format("dlbench run {} --case {} --block {}", plan_.study.path,
                       planned.measured_case.id.substr(0, 12), block);
  }

  void run_case(const PlannedCase& planned, int block, int attempt) {
    const record::Case& measured = planned.measured_case;
    const bool is_convergence = measured.study_phase == "convergence";
    const Verification& verification = *measurable_.at(measured.id);
    RunRequest request(plan_.workload, plan_.runners[planned.runner], plan_.machine, measured,
                       plan_.study.windows);
    request.block = block;
    request.attempt = attempt;
    request.seed = plan_.study.seed;
    request.folder = folder_;
    request.command = command(planned, block);
    request.certificate_key = verification.certificate.key;
    request.recheck = verification.outcome.kind == record::OutcomeKind::ok && timed_ ? &*timed_ : nullptr;
    request.recheck_limit_factor = gate::limit_factor_of(verification.certificate.deviations);
    request.warm_up_steps = progress_.warm_up_steps(measured.id);
    request.limits = plan_.study.limits;
    request.epochs = plan_.study.convergence_epochs;
    listener_.run_begins(planned, block, done_, total_, seconds_left());
    const std::int64_t begin_ns = base::monotonic_ns();
    record::Run run = is_convergence ? converge_run(request) : measure_run(request);
    if (const auto change = change_of(request.runner)) {
      run.outcome = {record::OutcomeKind::invalid, change->reason};
    }
    elapsed_ns_ += base::monotonic_ns() - begin_ns;
    store_.add_run(plan_.id, run);
    progress_.add(run);
    ++done_;
    listener_.run_ended(planned, run);
  }

  [[nodiscard]] std::optional<double> seconds_left() const {
    if (done_ == 0) {
      return std::nullopt;
    }
    const double per_run = static_cast<double>(elapsed_ns_) * 1e-9 / static_cast<double>(done_);
    return per_run * static_cast<double>(total_ - std::min(done_, total_));
  }

  const StudyPlan& plan_;
  store::Store& store_;
  const RunOptions& options_;
  StudyListener& listener_;
  std::string folder_;
  CertificateCache cache_;
  frameworks::Survey survey_;
  StudyProgress progress_;
  WorkPlan gate_plan_;
  std::optional<TimedTruth> timed_;
  std::map<std::pair<std::size_t, int>, Verification> verifications_;
  std::map<std::string, const Verification*> measurable_;
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  std::int64_t elapsed_ns_ = 0;
};

}  // namespace

bool run_study(const StudyPlan& plan, store::Store& store, const std::string& workspace,
               const RunOptions& options, StudyListener& listener) {
  return StudyRun(plan, store, workspace, options, listener).run();
}

}  // namespace dlbench::host
