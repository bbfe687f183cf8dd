#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "gate/byte_stream.hpp"
#include "gate/gate.hpp"
#include "model/json.hpp"

namespace dlbench::gate {
namespace {

// Part of the cache format: magic with its version, checksum of the rest as 32 hex digits, the rest.
constexpr std::string_view magic = "dlbench-plan-6\n";
constexpr std::size_t checksum_bytes = 32;

void write_values(ByteWriter& out, const std::vector<oracle::Values>& values) {
  out.list(values, [](ByteWriter& o, const oracle::Values& v) { o.numbers(v); });
}

std::vector<oracle::Values> read_values(ByteReader& in) {
  return in.list([](ByteReader& i) { return i.numbers<double>(); });
}

void write_tensor(ByteWriter& out, const model::Tensor& tensor) {
  out.numbers(tensor.shape);
  out.numbers(tensor.values);
}

// The product is bounded by the number of values that are really there, so it cannot overflow.
model::Tensor read_tensor(ByteReader& in) {
  model::Tensor tensor{in.numbers<std::int64_t>(), in.numbers<float>()};
  std::size_t count = 1;
  for (const std::int64_t extent : tensor.shape) {
    if (extent < 1 || static_cast<std::uint64_t>(extent) > tensor.values.size()) {
      throw base::UserError("cached plan: a tensor's shape does not fit its values");
    }
    count *= static_cast<std::size_t>(extent);
    if (count > tensor.values.size()) {
      throw base::UserError("cached plan: a tensor's shape does not fit its values");
    }
  }
  if (count != tensor.values.size()) {
    throw base::UserError("cached plan: a tensor's shape does not fit its values");
  }
  return tensor;
}

void write_batch(ByteWriter& out, const model::Batch& batch) {
  write_tensor(out, batch.input);
  out.numbers(batch.target);
}

model::Batch read_batch(ByteReader& in) {
  model::Batch batch{read_tensor(in), in.numbers<std::int64_t>()};
  if (batch.input.shape.empty() || batch.input.shape[0] < 1 ||
      static_cast<std::int64_t>(batch.target.size()) % batch.input.shape[0] != 0) {
    throw base::UserError("cached plan: a batch has another number of targets than rows");
  }
  return batch;
}

void write_experiment(ByteWriter& out, const Experiment& experiment) {
  out.text(experiment.id);
  out.number(static_cast<std::uint8_t>(experiment.quantity));
  out.text(model::to_json(experiment.graph));
  out.text(model::to_json(experiment.recipe));
  out.list(experiment.weights, write_tensor);
  out.list(experiment.batches, write_batch);
  out.numbers(experiment.rates);
  out.numbers(experiment.positions);
  out.list(experiment.undetermined,
           [](ByteWriter& o, const std::vector<std::uint32_t>& elements) { o.numbers(elements); });
  out.number(static_cast<std::uint8_t>(experiment.norm));
  out.number(static_cast<std::uint8_t>(experiment.evaluates));
  out.number(static_cast<std::uint8_t>(experiment.classifies));
  out.number(static_cast<std::uint8_t>(experiment.is_timed));
  out.number(static_cast<std::int32_t>(experiment.repeats));
}

bool are_elements(const std::vector<std::vector<std::uint32_t>>& undetermined,
                  const model::Weights& weights) {
  bool sound = undetermined.empty() || undetermined.size() == weights.size();
  for (std::size_t i = 0; sound && i < undetermined.size(); ++i) {
    sound =
        std::ranges::all_of(undetermined[i], [&](std::uint32_t e) { return e < weights[i].values.size(); });
  }
  return sound;
}

void check_experiment(const Experiment& experiment) {
  const std::vector<model::Parameter> parameters = model::parameters(experiment.graph);
  bool sound = parameters.size() == experiment.weights.size() && !experiment.batches.empty() &&
               experiment.repeats >= 1 && experiment.repeats <= 1000 &&
               (experiment.positions.empty() || experiment.positions.size() == experiment.batches.size());
  for (std::size_t i = 0; sound && i < parameters.size(); ++i) {
    sound = parameters[i].shape == experiment.weights[i].shape;
  }
  sound = sound && are_elements(experiment.undetermined, experiment.weights);
  const bool trains = experiment.quantity != Quantity::logits;
  sound = sound && (!experiment.evaluates || experiment.quantity == Quantity::delta);
  sound = sound && (!experiment.classifies || experiment.quantity == Quantity::logits);
  sound = sound && experiment.rates.size() == (trains ? experiment.batches.size() : 0);
  if (!sound) {
    throw base::UserError("cached plan: experiment " + experiment.id + " does not fit together");
  }
}

Experiment read_experiment(ByteReader& in) {
  Experiment experiment;
  experiment.id = in.text();
  const auto quantity = in.number<std::uint8_t>();
  if (quantity > static_cast<std::uint8_t>(Quantity::masks)) {
    throw base::UserError("cached plan: unknown quantity");
  }
  experiment.quantity = static_cast<Quantity>(quantity);
  experiment.graph = model::graph_from_json(in.text());
  experiment.recipe = model::recipe_from_json(in.text());
  experiment.weights = in.list(read_tensor);
  experiment.batches = in.list(read_batch);
  experiment.rates = in.numbers<double>();
  experiment.positions = in.numbers<std::int64_t>();
  experiment.undetermined = in.list([](ByteReader& i) { return i.numbers<std::uint32_t>(); });
  const auto norm = in.number<std::uint8_t>();
  if (norm > static_cast<std::uint8_t>(Norm::euclidean)) {
    throw base::UserError("cached plan: unknown norm");
  }
  experiment.norm = static_cast<Norm>(norm);
  experiment.evaluates = in.number<std::uint8_t>() != 0;
  experiment.classifies = in.number<std::uint8_t>() != 0;
  experiment.is_timed = in.number<std::uint8_t>() != 0;
  experiment.repeats = in.number<std::int32_t>();
  check_experiment(experiment);
  return experiment;
}

void write_expectation(ByteWriter& out, const Expectation& expectation) {
  write_experiment(out, expectation.experiment);
  write_values(out, expectation.truth.logits);
  out.numbers(expectation.truth.losses);
  write_values(out, expectation.truth.weights);
  out.numbers(expectation.tensor_limits);
  out.numbers(expectation.tensor_scales);
  out.numbers(expectation.loss_limits);
}

Expectation read_expectation(ByteReader& in) {
  Expectation expectation;
  expectation.experiment = read_experiment(in);
  expectation.truth.logits = read_values(in);
  expectation.truth.losses = in.numbers<double>();
  expectation.truth.weights = read_values(in);
  expectation.tensor_limits = in.numbers<double>();
  expectation.tensor_scales = in.numbers<double>();
  expectation.loss_limits = in.numbers<double>();
  const Experiment& experiment = expectation.experiment;
  const std::size_t judged = experiment.quantity == Quantity::logits
                                 ? 1
                                 : experiment.weights.size() + (experiment.evaluates ? 1 : 0);
  if (expectation.tensor_limits.size() != judged || expectation.tensor_scales.size() != judged ||
      expectation.loss_limits.size() != expectation.truth.losses.size()) {
    throw base::UserError("cached plan: limits do not fit experiment " + experiment.id);
  }
  return expectation;
}

void write_effect(ByteWriter& out, const record::FaultEffect& effect) {
  out.text(effect.fault);
  out.number(effect.effect_over_limit);
  out.number(static_cast<std::uint8_t>(effect.provable));
}

record::FaultEffect read_effect(ByteReader& in) {
  record::FaultEffect effect;
  effect.fault = in.text();
  effect.effect_over_limit = in.number<double>();
  effect.provable = in.number<std::uint8_t>() != 0;
  return effect;
}

}  // namespace

std::string serialise(const Plan& plan) {
  ByteWriter out;
  out.text(plan.key);
  out.list(plan.expectations, write_expectation);
  out.number(plan.certified_steps);
  out.list(plan.faults, write_effect);
  out.text(plan.unverified_reason);
  out.list(plan.notes, [](ByteWriter& o, const std::string& note) { o.text(note); });
  out.number(plan.verification_margins);
  const std::string body = out.take();
  return std::string(magic) + base::hash_hex(body) + body;
}

Plan deserialise(std::string_view bytes) {
  if (bytes.size() < magic.size() + checksum_bytes || !bytes.starts_with(magic)) {
    throw base::UserError("cached plan: not a plan of this version");
  }
  const std::string_view body = bytes.substr(magic.size() + checksum_bytes);
  if (base::hash_hex(body) != bytes.substr(magic.size(), checksum_bytes)) {
    throw base::UserError("cached plan: its checksum is wrong");
  }
  ByteReader in(body);
  Plan plan;
  plan.key = in.text();
  plan.expectations = in.list(read_expectation);
  plan.certified_steps = in.number<std::int64_t>();
  plan.faults = in.list(read_effect);
  plan.unverified_reason = in.text();
  plan.notes = in.list([](ByteReader& i) { return i.text(); });
  plan.verification_margins = in.number<std::int64_t>();
  if (!in.at_end()) {
    throw base::UserError("cached plan: bytes after its end");
  }
  return plan;
}

}  // namespace dlbench::gate
