#include "session.hpp"

#include <omp.h>

#include <algorithm>

#include "ops.hpp"
#include "sgd.hpp"

namespace reference {

namespace sdk = dlbench::sdk;

namespace {

// Before the network is built: primitives are compiled for a number of threads.
const sdk::Load& with_threads(const sdk::Load& load) {
  omp_set_dynamic(0);
  omp_set_num_threads(load.threads);
  dnnl::set_default_fpmath_mode(dnnl::fpmath_mode::strict);
  return load;
}

}  // namespace

ReferenceSession::ReferenceSession(const sdk::Load& load)
    : network_(with_threads(load)),
      averages_(load.mode == sdk::Mode::train ? load.recipe.weight_ema : dlbench::model::WeightEma{}) {}

void ReferenceSession::put(const sdk::Parameter& parameter, sdk::ConstTensor values) {
  averages_.show(network_.all_weights(), false);
  network_.put(parameter.name, values.values);
  averages_.restart(parameter.name, network_.weights(parameter.name));
}

void ReferenceSession::get(const sdk::Parameter& parameter, sdk::Tensor values) {
  averages_.show(network_.all_weights(), false);
  network_.get(parameter.name, values.values);
}

Program& ReferenceSession::prepare(const sdk::Batch& batch, double rate) {
  Program& program = network_.program(batch.rows);
  program.set_input(batch.input);
  network_.numbers().tokens = batch.tokens;
  network_.numbers().target = batch.target;
  network_.begin_step(rate);
  return program;
}

void ReferenceSession::step(const sdk::Batch& batch, double rate) {
  averages_.show(network_.all_weights(), false);
  const Program& program = prepare(batch, rate);
  program.run_forward();
  program.run_backward();
  network_.end_step();
  averages_.follow(network_.all_weights(), network_.numbers().step);
}

double ReferenceSession::loss() {
  return network_.numbers().loss;
}

void ReferenceSession::infer(const sdk::Batch& batch) {
  last_ = &network_.program(batch.rows);
  last_->set_input(batch.input);
  network_.numbers().tokens = batch.tokens;
  averages_.show(network_.all_weights(), true);
  network_.begin_evaluation();
  last_->run_forward();
}

void ReferenceSession::outputs(sdk::Tensor logits) {
  std::copy_n(last_->logits().values->data(), logits.values.size(), logits.values.begin());
}

std::vector<sdk::Setting> ReferenceSession::effective() {
  std::vector<sdk::Setting> settings = network_.choices();
  const bool strict = dnnl::get_default_fpmath_mode() == dnnl::fpmath_mode::strict;
  settings.push_back({"threads", std::to_string(omp_get_max_threads()), "omp_get_max_threads()"});
  settings.push_back({"fpmath", strict ? "strict" : "relaxed", "dnnl::get_default_fpmath_mode()"});
  settings.push_back({"isa", onednn_isa(), "dnnl::get_effective_cpu_isa()"});
  return settings;
}

sdk::Description describe() {
  sdk::Description description;
  description.runner = "reference";
  description.framework = "oneDNN";
  description.version = onednn_version();
  description.build =
      "convolutions, recurrent layers and matrix products by oneDNN; own pooling, loss and update compiled "
      "with " REFERENCE_FLAGS;
  description.ops = ops().names();
  description.optimizers = optimizer_names();
  description.input = "alias";
  return description;
}

}  // namespace reference
