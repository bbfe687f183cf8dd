#include "executors.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "model/tensor.hpp"

namespace runner {

namespace {

constexpr int cpu = 1;
constexpr std::uint32_t no_gradient = 0;  // MXNet's grad_req "null"
constexpr std::uint32_t write = 1;        // MXNet's grad_req "write"

Extents with_rows(std::int64_t rows, const Extents& sample) {
  Extents shape{rows};
  shape.insert(shape.end(), sample.begin(), sample.end());
  return shape;
}

Type input_type(const Network& network) {
  using dlbench::model::InputKind;
  return dlbench::model::input_kind(network.work) == InputKind::tokens ? Type::i64 : Type::f32;
}

// Arrays that the network itself writes in training, in the symbol's order.
std::vector<NDArrayHandle> statistics_of(const Network& network, const Symbol& symbol) {
  std::uint32_t count = 0;
  const char** names = nullptr;
  check(MXSymbolListAuxiliaryStates(symbol.get(), &count, &names));
  std::vector<NDArrayHandle> arrays;
  for (const std::string name : std::span(names, count)) {
    const auto entry = std::ranges::find_if(
        network.weights, [&](const Weights& weights) { return weights.parameter.name == name; });
    arrays.push_back(entry->values.get());
  }
  return arrays;
}

}  // namespace

Executors::Executors(const Network& network, const Symbols& symbols, std::int64_t rows)
    : rows_(rows),
      input_count_(static_cast<std::size_t>(rows * dlbench::model::element_count(network.work.input_shape))),
      target_count_(static_cast<std::size_t>(rows * network.work.targets_per_sample)),
      input_(make_array(input_type(network), with_rows(rows, network.work.input_shape))),
      target_(make_array(Type::i64, {rows * network.work.targets_per_sample})),
      evaluation_(bind(network, symbols.logits, false)) {
  if (symbols.loss) {
    training_ = bind(network, symbols.loss, true);
  }
}

Executors::Bound Executors::bind(const Network& network, const Symbol& symbol, bool trains) const {
  std::uint32_t count = 0;
  const char** names = nullptr;
  check(MXSymbolListArguments(symbol.get(), &count, &names));
  std::vector<NDArrayHandle> arrays;
  std::vector<NDArrayHandle> gradients;
  std::vector<std::uint32_t> requests;
  for (const char* argument : std::span(names, count)) {
    const std::string name = argument;
    const auto entry = std::ranges::find_if(
        network.weights, [&](const Weights& weights) { return weights.parameter.name == name; });
    const bool is_weight = entry != network.weights.end();
    const auto constant = network.constants.find(name);
    const Array& own = constant != network.constants.end() ? constant->second
                       : name == "target"                  ? target_
                                                           : input_;
    arrays.push_back(is_weight ? entry->values.get() : own.get());
    gradients.push_back(is_weight && trains ? entry->gradient.get() : nullptr);
    requests.push_back(is_weight && trains ? write : no_gradient);
  }
  std::vector<NDArrayHandle> statistics = statistics_of(network, symbol);
  ExecutorHandle handle = nullptr;
  check(MXExecutorBindEX(symbol.get(), cpu, 0, 0, nullptr, nullptr, nullptr, count, arrays.data(),
                         gradients.data(), requests.data(), static_cast<std::uint32_t>(statistics.size()),
                         statistics.data(), nullptr, &handle));
  Executor executor(handle, [](ExecutorHandle bound) { MXExecutorFree(bound); });
  std::uint32_t output_count = 0;
  NDArrayHandle* outputs = nullptr;
  check(MXExecutorOutputs(handle, &output_count, &outputs));
  std::vector<Array> owned;
  for (NDArrayHandle output : std::span(outputs, output_count)) {
    owned.emplace_back(output, [](NDArrayHandle array) { MXNDArrayFree(array); });
  }
  return {executor, owned.back()};
}

void Executors::load_input(const void* input) {
  copy_in(input_, input, input_count_);
}

void Executors::load_target(const std::int64_t* target) {
  copy_in(target_, target, target_count_);
}

void Executors::forward_backward() {
  check(MXExecutorForward(training_.executor.get(), 1));
  check(MXExecutorBackwardEx(training_.executor.get(), 0, nullptr, 1));
}

void Executors::evaluate() {
  check(MXExecutorForward(evaluation_.executor.get(), 0));
}

float Executors::loss() const {
  float value = 0.0F;
  copy_out(training_.output, &value, 1);
  return value;
}

void Executors::logits(float* values, std::size_t count) const {
  copy_out(evaluation_.output, values, count);
}

}  // namespace runner
