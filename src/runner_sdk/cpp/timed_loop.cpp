#include "runner_sdk/cpp/timed_loop.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace dlbench::sdk {
namespace {

struct Ring {
  std::vector<Batch> batches;
  std::vector<dlb_batch> slots;
};

// Resolved before the window: inside it nothing is looked up, checked or allocated.
Ring resolve_ring(dlb_handle* handle, const Load& load) {
  std::uint32_t count = 0;
  if (dlb_slot_count(handle, &count) < 0 || count == 0) {
    throw ProtocolError("the arena has no batches");
  }
  const bool tokens = model::input_kind(load.graph) == model::InputKind::tokens;
  const std::uint64_t row_bytes = static_cast<std::uint64_t>(model::element_count(load.graph.input_shape)) *
                                  (tokens ? sizeof(std::int64_t) : sizeof(float));
  const std::uint64_t target_bytes =
      static_cast<std::uint64_t>(load.graph.targets_per_sample) * sizeof(std::int64_t);
  Ring ring;
  for (std::uint32_t k = 0; k < count; ++k) {
    dlb_batch slot = {};
    if (dlb_slot(handle, k, &slot) < 0) {
      throw ProtocolError(dlb_error(handle));
    }
    if (slot.rows == 0 || slot.rows > static_cast<std::uint64_t>(load.batch) ||
        slot.input_bytes != slot.rows * row_bytes || slot.target_bytes != slot.rows * target_bytes) {
      throw ProtocolError("slot " + std::to_string(k) + " does not fit the loaded work");
    }
    ring.slots.push_back(slot);
    ring.batches.push_back({.input = tokens ? nullptr : slot.input,
                            .target = slot.target,
                            .rows = static_cast<std::int64_t>(slot.rows),
                            .slot = k,
                            .tokens = tokens ? reinterpret_cast<const std::int64_t*>(slot.input) : nullptr});
  }
  return ring;
}

std::vector<double> resolve_rates(const dlb_handle* handle, std::uint64_t steps) {
  std::vector<double> rates(steps);
  for (std::uint64_t i = 0; i < steps; ++i) {
    rates[i] = dlb_rate(handle, i);
    if (std::isnan(rates[i])) {
      throw ProtocolError("no learning rate for step " + std::to_string(i));
    }
  }
  return rates;
}

void check_capacity(const dlb_handle* handle, const Chunk& chunk) {
  if (chunk.steps > dlb_step_capacity(handle)) {
    throw ProtocolError("more steps than the arena has records");
  }
}

void store_logits(Session& session, const dlb_batch& slot, model::Shape shape) {
  shape.insert(shape.begin(), static_cast<std::int64_t>(slot.rows));
  const auto count = static_cast<std::uint64_t>(model::element_count(shape));
  if (slot.output == nullptr || slot.output_bytes < count * sizeof(float)) {
    throw ProtocolError("no room for the logits");
  }
  session.outputs({{slot.output, static_cast<std::size_t>(count)}, shape});
}

}  // namespace

double run_training(dlb_handle* handle, Session& session, const Load& load, const Chunk& chunk) {
  check_capacity(handle, chunk);
  const Ring ring = resolve_ring(handle, load);
  const std::vector<double> rates = resolve_rates(handle, chunk.steps);
  const std::size_t slot_count = ring.batches.size();
  session.drain();
  dlb_window_begin(handle);
  std::size_t slot = 0;
  for (std::uint64_t i = 0; i < chunk.steps; ++i) {
    const Batch& batch = ring.batches[slot];
    const double rate = rates[i];
    dlb_step_begin(handle, i);
    // Inside the clock: the framework's step, and its drain where the host asked for drained steps.
    session.step(batch, rate);
    if (chunk.drain_each) {
      session.drain();
    }
    dlb_step_end(handle, i);
    if (chunk.loss_every != 0 && (i + 1) % chunk.loss_every == 0) {
      dlb_loss(handle, i, session.loss());
    }
    slot = slot + 1 == slot_count ? 0 : slot + 1;
  }
  session.drain();
  dlb_window_end(handle);
  return chunk.steps == 0 ? std::numeric_limits<double>::quiet_NaN() : session.loss();
}

void run_inference(dlb_handle* handle, Session& session, const Load& load, const Chunk& chunk) {
  check_capacity(handle, chunk);
  const Ring ring = resolve_ring(handle, load);
  const std::size_t slot_count = ring.batches.size();
  session.drain();
  dlb_window_begin(handle);
  std::size_t slot = 0;
  for (std::uint64_t i = 0; i < chunk.steps; ++i) {
    const Batch& batch = ring.batches[slot];
    dlb_step_begin(handle, i);
    // Inside the clock: the framework's forward pass, and its drain where the host asked for drained steps.
    session.infer(batch);
    if (chunk.drain_each) {
      session.drain();
    }
    dlb_step_end(handle, i);
    if (chunk.store) {
      store_logits(session, ring.slots[slot], model::logits_shape(load.graph));
    }
    slot = slot + 1 == slot_count ? 0 : slot + 1;
  }
  session.drain();
  dlb_window_end(handle);
}

}  // namespace dlbench::sdk
