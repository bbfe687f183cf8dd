#include "bench/sdk_loop.hpp"

#include <algorithm>
#include <utility>

#include "data/dataset.hpp"

namespace dlbench::bench {
namespace {

class SdkLoop final : public TimedLoop {
 public:
  explicit SdkLoop(std::unique_ptr<session::Session> session) : session_(std::move(session)) {}

  tl::expected<Chunk, std::string> run(std::int64_t steps) override {
    const auto reply = session_->train(steps, session::Drain::ends);
    if (!reply) {
      return tl::unexpected(to_text(reply.error()));
    }
    if (!reply->last_loss) {
      return tl::unexpected<std::string>("the loss is not finite");
    }
    return Chunk{reply->window_ns, *reply->last_loss};
  }

  [[nodiscard]] int pid() const override { return session_->pid(); }

 private:
  std::unique_ptr<session::Session> session_;
};

void fill_arena(const Setup& setup, protocol::Arena& arena) {
  const host::Workload& work = setup.workload;
  const auto order = data::epoch_order(work.seed, 0, static_cast<std::uint32_t>(work.dataset->train.count));
  for (std::uint32_t k = 0; k < setup.slots; ++k) {
    host::put_samples(arena, k, work.dataset->train, order.data() + k * work.recipe.batch, work.recipe.batch);
  }
  host::put_weights(arena, work.weights);
  std::ranges::fill(arena.rates(), work.recipe.rate.base);
}

}  // namespace

std::string to_text(const session::Failure& failure) {
  return failure.outcome + ": " + failure.reason;
}

tl::expected<std::unique_ptr<session::Session>, std::string> start_session(const Setup& setup,
                                                                           const host::Runner& runner,
                                                                           const host::Launch& launch) {
  const host::Workload& work = setup.workload;
  auto session = session::Session::start(
      host::launch_spec(runner, launch),
      host::arena_plan(work.graph, work.recipe.batch, setup.slots, step_capacity), {});
  if (!session) {
    return tl::unexpected(to_text(session.error()));
  }
  if (const auto loaded = (*session)->load(host::load_request(work, launch.threads)); !loaded) {
    return tl::unexpected(to_text(loaded.error()));
  }
  fill_arena(setup, (*session)->arena());
  if (const auto put = (*session)->put(); !put) {
    return tl::unexpected(to_text(put.error()));
  }
  return std::move(*session);
}

StartedLoop start_sdk_loop(const Setup& setup, const host::Runner& runner, const host::Launch& launch) {
  auto session = start_session(setup, runner, launch);
  if (!session) {
    return tl::unexpected(session.error());
  }
  return std::make_unique<SdkLoop>(std::move(*session));
}

}  // namespace dlbench::bench
