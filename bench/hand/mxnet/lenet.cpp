#include "lenet.hpp"

#include <array>
#include <span>
#include <string_view>

#include "../hand.hpp"

namespace hand {

namespace {

SymbolHandle conv_and_pool(SymbolHandle x, const char* weight, const char* bias, const char* filters) {
  const SymbolHandle y = apply("Convolution", {x, variable(weight), variable(bias)},
                               {{"kernel", "(5, 5)"}, {"num_filter", filters}});
  return apply("Pooling", {y}, {{"pool_type", "max"}, {"kernel", "(2, 2)"}, {"stride", "(2, 2)"}});
}

SymbolHandle dense(SymbolHandle x, const char* weight, const char* bias, const char* units) {
  return apply("FullyConnected", {x, variable(weight), variable(bias)},
               {{"num_hidden", units}, {"flatten", "False"}});
}

// SoftmaxOutput has the gradient but no loss; that is computed from its shares.
SymbolHandle cross_entropy(SymbolHandle logits) {
  const SymbolHandle target = variable("target");
  const SymbolHandle shares =
      apply("SoftmaxOutput", {logits, apply("Cast", {target}, {{"dtype", "float32"}})},
            {{"normalization", "batch"}});
  const SymbolHandle picked = apply("pick", {apply("BlockGrad", {shares}), target}, {{"axis", "-1"}});
  const SymbolHandle mean = apply("mean", {apply("log", {picked})});
  std::array<SymbolHandle, 2> outputs{shares, apply("BlockGrad", {apply("negative", {mean})})};
  SymbolHandle both = nullptr;
  check(MXSymbolCreateGroup(2, outputs.data(), &both));
  return both;
}

}  // namespace

LeNet::LeNet(const float* values)
    : input_(make_array(float32, {batch_size, 1, 28, 28})), target_(make_array(int64, {batch_size})) {
  const std::array<std::pair<const char*, Shape>, 8> shapes{{{"w1", {20, 1, 5, 5}},
                                                             {"b1", {20}},
                                                             {"w2", {50, 20, 5, 5}},
                                                             {"b2", {50}},
                                                             {"w3", {500, 800}},
                                                             {"b3", {500}},
                                                             {"w4", {10, 500}},
                                                             {"b4", {10}}}};
  for (const auto& [name, shape] : shapes) {
    const std::size_t count = element_count(shape);
    const std::vector<float> zeros(count, 0.0F);
    const Parameter own{name, shape, make_array(float32, shape), make_array(float32, shape),
                        make_array(float32, shape)};
    check(MXNDArraySyncCopyFromCPU(own.value, values, count));
    check(MXNDArraySyncCopyFromCPU(own.velocity, zeros.data(), count));
    parameters_.push_back(own);
    values += count;
  }
  SymbolHandle x = conv_and_pool(variable("input"), "w1", "b1", "20");
  x = conv_and_pool(x, "w2", "b2", "50");
  x = apply("relu", {dense(apply("Flatten", {x}), "w3", "b3", "500")});
  bind(cross_entropy(dense(x, "w4", "b4", "10")));
}

void LeNet::bind(SymbolHandle symbol) {
  constexpr std::uint32_t no_gradient = 0;
  constexpr std::uint32_t write = 1;
  std::uint32_t count = 0;
  const char** names = nullptr;
  check(MXSymbolListArguments(symbol, &count, &names));
  std::vector<NDArrayHandle> arrays;
  std::vector<NDArrayHandle> gradients;
  std::vector<std::uint32_t> requests;
  for (const std::string_view name : std::span(names, count)) {
    arrays.push_back(name == "input" ? input_ : target_);
    gradients.push_back(nullptr);
    requests.push_back(no_gradient);
    for (const Parameter& parameter : parameters_) {
      if (name == parameter.name) {
        arrays.back() = parameter.value;
        gradients.back() = parameter.gradient;
        requests.back() = write;
      }
    }
  }
  check(MXExecutorBindEX(symbol, cpu, 0, 0, nullptr, nullptr, nullptr, count, arrays.data(), gradients.data(),
                         requests.data(), 0, nullptr, nullptr, &executor_));
  std::uint32_t output_count = 0;
  NDArrayHandle* outputs = nullptr;
  check(MXExecutorOutputs(executor_, &output_count, &outputs));
  loss_ = outputs[output_count - 1];
}

void LeNet::update(Parameter& parameter) {
  std::array<const char*, 3> keys{"lr", "wd", "momentum"};
  std::array<const char*, 3> values{"0.01", "0", "0.9"};
  std::array<NDArrayHandle, 3> inputs{parameter.value, parameter.gradient, parameter.velocity};
  NDArrayHandle* outputs = &parameter.value;
  int output_count = 1;
  check(MXImperativeInvoke(optimizer_, 3, inputs.data(), &output_count, &outputs, 3, keys.data(),
                           values.data()));
}

void LeNet::step(const float* input, const std::int64_t* target) {
  check(MXNDArraySyncCopyFromCPU(input_, input, batch_size * picture_values));
  check(MXNDArraySyncCopyFromCPU(target_, target, batch_size));
  check(MXExecutorForward(executor_, 1));
  check(MXExecutorBackwardEx(executor_, 0, nullptr, 1));
  for (Parameter& parameter : parameters_) {
    update(parameter);
  }
}

float LeNet::loss() const {
  float value = 0.0F;
  check(MXNDArraySyncCopyToCPU(loss_, &value, 1));
  return value;
}

}  // namespace hand
