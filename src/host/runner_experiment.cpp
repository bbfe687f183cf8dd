#include "host/runner_experiment.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "model/json.hpp"

namespace dlbench::host {
namespace {

std::int64_t full_rows(const gate::Experiment& experiment) {
  const std::int64_t rows = experiment.batches.front().input.shape.at(0);
  return std::max(rows, experiment.recipe.batch);
}

void fill_arena(protocol::Arena& arena, const gate::Experiment& experiment) {
  put_weights(arena, experiment.weights);
  for (std::size_t i = 0; i < experiment.batches.size(); ++i) {
    put_batch(arena, static_cast<std::uint32_t>(i), experiment.batches[i],
              model::input_kind(experiment.graph));
  }
  std::copy(experiment.rates.begin(), experiment.rates.end(), arena.rates().begin());
}

// Of the first `batches` slots.
std::vector<oracle::Values> read_logits(protocol::Arena& arena, const gate::Experiment& experiment,
                                        std::size_t batches) {
  std::vector<oracle::Values> all;
  for (std::size_t i = 0; i < batches; ++i) {
    const protocol::Slot slot = arena.slot(static_cast<std::uint32_t>(i));
    const auto* logits = reinterpret_cast<const float*>(slot.output.data());
    const auto count = static_cast<std::size_t>(experiment.batches[i].input.shape.at(0) *
                                                model::element_count(model::logits_shape(experiment.graph)));
    all.emplace_back(logits, logits + count);
  }
  return all;
}

// A loss that the runner could not give as a finite number stays NaN, which the gate refuses by name.
gate::Result read_training(const protocol::Arena& arena, const gate::Experiment& experiment) {
  gate::Result result;
  for (const dlb_step_record& record : arena.records()) {
    result.losses.push_back(record.loss_valid == 1 ? record.loss : std::numeric_limits<double>::quiet_NaN());
  }
  for (std::size_t i = 0; i < experiment.weights.size(); ++i) {
    const std::span<const float> out = arena.parameter_out(i);
    result.weights.emplace_back(out.begin(), out.end());
  }
  return result;
}

}  // namespace

protocol::ArenaPlan arena_plan_for(const gate::Experiment& experiment) {
  const auto count = static_cast<std::uint32_t>(experiment.batches.size());
  return arena_plan(experiment.graph, full_rows(experiment), count, count);
}

std::uint64_t arena_bytes_for(const std::vector<gate::Experiment>& experiments) {
  std::uint64_t bytes = 0;
  for (const gate::Experiment& experiment : experiments) {
    bytes = std::max(bytes, protocol::arena_bytes(arena_plan_for(experiment)));
  }
  return bytes;
}

session::LoadRequest load_request_for(const gate::Experiment& experiment, int threads) {
  const std::int64_t rows = experiment.batches.front().input.shape.at(0);
  session::LoadRequest request;
  request.graph_json = model::to_json(experiment.graph);
  request.recipe_json = model::to_json(experiment.recipe);
  request.mode = experiment.quantity == gate::Quantity::logits ? "infer" : "train";
  request.threads = threads;
  request.batch = full_rows(experiment);
  request.partial = rows < request.batch ? rows : 0;
  return request;
}

namespace {

session::Expected<gate::Result> infer_all(session::Session& session, const gate::Experiment& experiment) {
  const std::size_t count = experiment.batches.size();
  return session.infer(static_cast<std::int64_t>(count), session::Drain::ends, true)
      .map([&](const session::ChunkReply&) {
        return gate::Result{read_logits(session.arena(), experiment, count), {}, {}};
      });
}

session::Expected<gate::Result> evaluate_first(session::Session& session, const gate::Experiment& experiment,
                                               gate::Result trained) {
  return session.infer(1, session::Drain::ends, true).map([&](const session::ChunkReply&) {
    trained.logits = read_logits(session.arena(), experiment, 1);
    return std::move(trained);
  });
}

}  // namespace

session::Expected<gate::Result> perform_once(session::Session& session, const gate::Experiment& experiment) {
  protocol::Arena& arena = session.arena();
  const auto steps = static_cast<std::int64_t>(experiment.batches.size());
  fill_arena(arena, experiment);
  arena.clear_written();
  return session.put().and_then([&]() -> session::Expected<gate::Result> {
    if (experiment.quantity == gate::Quantity::logits) {
      return infer_all(session, experiment);
    }
    return session.train(steps, session::Drain::ends, 1)
        .and_then([&](const session::ChunkReply&) { return session.get(); })
        .map([&] { return read_training(arena, experiment); })
        .and_then([&](gate::Result trained) -> session::Expected<gate::Result> {
          if (!experiment.evaluates) {
            return trained;
          }
          return evaluate_first(session, experiment, std::move(trained));
        });
  });
}

}  // namespace dlbench::host
