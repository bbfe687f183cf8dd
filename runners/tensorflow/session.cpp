#include "session.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "averages.hpp"
#include "device_threads.hpp"
#include "gradients.hpp"
#include "losses.hpp"
#include "ops.hpp"
#include "optimizer.hpp"

namespace runner {

namespace sdk = dlbench::sdk;

namespace {

// A serialised ConfigProto: intra_op_parallelism_threads (field 2), inter_op_parallelism_threads (5) 1,
// use_per_session_threads (9) true.
std::vector<unsigned char> config(int threads) {
  std::vector<unsigned char> bytes{0x10};
  auto rest = static_cast<unsigned>(threads);
  for (; rest >= 0x80U; rest >>= 7U) {
    bytes.push_back(static_cast<unsigned char>((rest & 0x7FU) | 0x80U));
  }
  bytes.push_back(static_cast<unsigned char>(rest));
  bytes.insert(bytes.end(), {0x28, 1, 0x48, 1});
  return bytes;
}

float* floats(const Tensor& tensor) {
  return static_cast<float*>(TF_TensorData(tensor.get()));
}

// Such a network is built once more, for evaluation.
bool evaluates_differently(const sdk::Load& load) {
  const auto differs = [](const dlbench::model::Node& node) {
    return node.op == "batch_norm" || node.op == "dropout";
  };
  return load.recipe.weight_ema.decay != 0.0 || std::ranges::any_of(load.graph.nodes, differs);
}

std::size_t float_count(const Tensor& tensor) {
  return TF_TensorByteSize(tensor.get()) / sizeof(float);
}

}  // namespace

void Session::SessionDeleter::operator()(TF_Session* session) const {
  const Status status;  // a failure to close changes nothing that is still wanted
  TF_CloseSession(session, status.get());
  TF_DeleteSession(session, status.get());
}

Session::Session(const sdk::Load& load)
    : network_(load.graph, load.recipe.initialiser.seed),
      feed_shape_(network_.feed_shape(load.batch)),
      targets_per_sample_(load.graph.targets_per_sample),
      rate_value_(allocate(TF_FLOAT, {})) {
  const bool trains = load.mode == sdk::Mode::train;
  const Value logits = add_network(load.graph, trains);
  if (trains) {
    add_training(logits, load.recipe);
  }
  const bool evaluates_otherwise = trains && evaluates_differently(load);
  logits_ = network_.output(evaluates_otherwise ? add_network(load.graph, false) : logits);
  start(load.threads);
  for (Variable& variable : network_.variables()) {
    const Tensor zeros = allocate(TF_FLOAT, variable.shape);
    std::fill_n(floats(zeros), float_count(zeros), 0.0F);
    store(variable, zeros);
  }
  warm(load.batch);
  if (load.partial > 0) {
    warm(load.partial);
  }
  const int threads = count_intra_op_threads();
  if (threads != load.threads) {
    throw sdk::Unsupported("threads " + std::to_string(load.threads) +
                           ": TensorFlow's pool was made once in this process, with " +
                           std::to_string(threads));
  }
}

Value Session::add_network(const dlbench::model::Graph& graph, bool trains) {
  network_.set_training(trains);
  return sdk::lower(graph, ops(), network_, network_.input()).logits;
}

void Session::add_training(const Value& logits, const dlbench::model::Recipe& recipe) {
  Graph& graph = network_.graph();
  const TF_Output target = graph.placeholder(TF_INT64, {-1});
  const TF_Output rate = graph.placeholder(TF_FLOAT, {});
  const dlbench::model::Node& node = network_.work().nodes.back();
  const Loss loss = losses().at(node.op)(network_, node, network_.output(logits), target);
  loss_ = loss.mean;
  network_.differentiate(logits, loss.gradient);
  train_feeds_ = {network_.feed(), target, rate};
  change_gradients(network_, recipe);
  updates_ = optimizers().at(recipe.optimizer.name)(network_, recipe.optimizer, rate);
  if (recipe.weight_ema.decay != 0.0) {
    updates_ = add_averages(network_, recipe.weight_ema, updates_);
  }
  updates_.insert(updates_.end(), network_.statistics().begin(), network_.statistics().end());
}

void Session::start(int threads) {
  const std::unique_ptr<TF_SessionOptions, decltype(&TF_DeleteSessionOptions)> options(
      TF_NewSessionOptions(), TF_DeleteSessionOptions);
  const std::vector<unsigned char> bytes = config(threads);
  TF_SetConfig(options.get(), bytes.data(), bytes.size(), status_.get());
  status_.check();
  session_.reset(TF_NewSession(network_.graph().get(), options.get(), status_.get()));
  status_.check();
}

void Session::warm(std::int64_t rows) {
  const auto values = static_cast<std::size_t>(dlbench::model::element_count(network_.feed_shape(rows)));
  const bool has_tokens = dlbench::model::input_kind(network_.work()) == dlbench::model::InputKind::tokens;
  const std::vector<float> input(has_tokens ? 0 : values, 0.0F);
  const std::vector<std::int64_t> tokens(has_tokens ? values : 0, 0);
  const std::vector<std::int64_t> target(static_cast<std::size_t>(rows * targets_per_sample_), 0);
  const sdk::Batch batch{input.data(), target.data(), rows, 0, has_tokens ? tokens.data() : nullptr};
  if (!updates_.empty()) {
    step(batch, 0.0);
  }
  infer(batch);
}

Tensor Session::run(std::span<const TF_Output> feeds, std::span<TF_Tensor* const> values,
                    const TF_Output* fetch, std::span<TF_Operation* const> targets) {
  TF_Tensor* fetched = nullptr;
  TF_SessionRun(session_.get(), nullptr, feeds.data(), values.data(), static_cast<int>(feeds.size()), fetch,
                &fetched, fetch == nullptr ? 0 : 1, targets.data(), static_cast<int>(targets.size()), nullptr,
                status_.get());
  status_.check();
  return Tensor(fetched);
}

void Session::store(Variable& variable, const Tensor& tensor) {
  const std::array<TF_Tensor*, 1> values{tensor.get()};
  std::vector<TF_Operation*> targets{variable.assign};
  targets.insert(targets.end(), variable.resets.begin(), variable.resets.end());
  run({&variable.given, 1}, values, nullptr, targets);
}

void Session::put(const sdk::Parameter& parameter, sdk::ConstTensor values) {
  Variable& variable = network_.variable(parameter.name);
  const Tensor tensor = allocate(TF_FLOAT, variable.shape);
  variable.layout.to_framework(values.values, {floats(tensor), float_count(tensor)});
  store(variable, tensor);
}

void Session::get(const sdk::Parameter& parameter, sdk::Tensor values) {
  const Variable& variable = network_.variable(parameter.name);
  const Tensor tensor = run({}, {}, &variable.value, {});
  variable.layout.to_canonical({floats(tensor), float_count(tensor)}, values.values);
}

Tensor Session::input_of(const sdk::Batch& batch) {
  feed_shape_[0] = batch.rows;
  return batch.tokens != nullptr ? alias(TF_INT64, feed_shape_, batch.tokens)
                                 : alias(TF_FLOAT, feed_shape_, batch.input);
}

void Session::step(const sdk::Batch& batch, double rate) {
  const Tensor input = input_of(batch);
  const Tensor target = alias(TF_INT64, {batch.rows * targets_per_sample_}, batch.target);
  *floats(rate_value_) = static_cast<float>(rate);
  const std::array<TF_Tensor*, 3> values{input.get(), target.get(), rate_value_.get()};
  loss_value_ = run(train_feeds_, values, &loss_, updates_);
}

double Session::loss() {
  return *floats(loss_value_);
}

void Session::infer(const sdk::Batch& batch) {
  const Tensor input = input_of(batch);
  const std::array<TF_Tensor*, 1> values{input.get()};
  const TF_Output feed = network_.feed();
  logits_value_ = run({&feed, 1}, values, &logits_, {});
}

void Session::outputs(sdk::Tensor logits) {
  std::ranges::copy_n(floats(logits_value_), static_cast<std::ptrdiff_t>(logits.values.size()),
                      logits.values.begin());
}

std::vector<sdk::Setting> Session::effective() {
  return {{"threads", std::to_string(count_intra_op_threads()),
           "threads of the intra-op pool in /proc/self/task"},
          {"inter_op_threads", std::to_string(count_inter_op_threads()),
           "threads named tf_Compute in /proc/self/task"}};
}

}  // namespace runner
