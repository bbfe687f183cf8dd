#include "optimizer.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "gradients.hpp"
#include "model/tensor.hpp"

namespace runner {

namespace {

namespace model = dlbench::model;
using dlbench::sdk::Unsupported;
using model::SgdForm;

// One call of an update operator for each parameter. Its velocity has the rate in it: v <- momentum * v -
// rate * d; w <- w + v, the form rate_inside. With v = -rate * V the form rate_outside is the same with the
// momentum scaled by the change of the rate: exactly equal, not an approximation.
class Updates : public Optimizer {
 public:
  // `type`: the operator. `states`: how many arrays of the parameter's shape it keeps, all of them 0 before
  // the first step but the first, which then is the recipe's initial_accumulator.
  Updates(const model::Recipe& recipe, const std::vector<Weights>& weights, const std::string& type,
          std::size_t states, OwnWork own)
      : wanted_(recipe.optimizer), changes_(changes_of_gradients(recipe, weights, own)) {
    for (const Weights& entry : weights) {
      if (model::is_statistic(entry.parameter.role)) {
        continue;
      }
      std::vector<Array> inputs{entry.values, entry.gradient};
      for (std::size_t i = 0; i < states; ++i) {
        inputs.push_back(make_array(Type::f32, entry.parameter.shape));
        states_.push_back({inputs.back(), i == 0 ? wanted_.initial_accumulator : 0.0,
                           static_cast<std::size_t>(model::element_count(entry.parameter.shape))});
      }
      const bool decays = own.decays && model::decays(entry.parameter.role, wanted_);
      Attributes attributes{{"wd", number(decays ? wanted_.weight_decay : 0.0)}};
      if (own.clips_elements && recipe.clip.by == model::ClipBy::element) {
        attributes["clip_gradient"] = number(recipe.clip.limit);
      }
      calls_.emplace_back(type, inputs, entry.values, attributes);
    }
    reset_states();
  }

  void update(double rate) final {
    const bool is_first = !last_rate_;
    if (wanted_.momentum != 0.0 && wanted_.form == SgdForm::rate_outside && !is_first && *last_rate_ == 0.0) {
      throw Unsupported("a rate that leaves 0 with momentum in the form rate_outside");
    }
    ++steps_;
    set("lr", operator_rate(rate));
    prepare(wanted_.form == SgdForm::rate_inside || is_first ? 1.0 : rate / *last_rate_);
    last_rate_ = rate;
    for (Invocation& change : changes_) {
      change.run();
    }
    for (Invocation& call : calls_) {
      call.run();
    }
  }

  void reset() final {
    reset_states();
    last_rate_.reset();
    steps_ = 0;
  }

 protected:
  struct State {
    Array values;
    double start;
    std::size_t count;
  };

  // What the operator takes as "lr".
  [[nodiscard]] virtual double operator_rate(double rate) const { return rate; }
  // Sets what changes from step to step beside "lr". `velocity_change`: the factor of the velocity in this
  // step that makes the form rate_outside.
  virtual void prepare(double velocity_change) = 0;

  // An attribute of all calls. MXNet takes text; it is made only when the number changes.
  void set(const std::string& attribute, double value) {
    const auto [place, is_new] = numbers_.try_emplace(attribute, value);
    if (is_new || place->second != value) {
      place->second = value;
      const std::string text = number(value);
      for (Invocation& call : calls_) {
        call.set(attribute, text);
      }
    }
  }

  [[nodiscard]] const model::Optimizer& wanted() const { return wanted_; }
  [[nodiscard]] const std::vector<State>& states() const { return states_; }
  // From 1 in the first update.
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  void reset_states() {
    for (const State& state : states_) {
      const std::vector<float> start(state.count, static_cast<float>(state.start));
      copy_in(state.values, start.data(), start.size());
    }
  }

  model::Optimizer wanted_;
  std::vector<Invocation> changes_;
  std::vector<Invocation> calls_;
  std::vector<State> states_;
  std::map<std::string, double> numbers_;  // in force, by attribute
  std::optional<double> last_rate_;
  std::int64_t steps_ = 0;
};

class Sgd : public Updates {
 public:
  Sgd(const model::Recipe& recipe, const std::vector<Weights>& weights)
      : Updates(recipe, weights, has_momentum(recipe) ? "sgd_mom_update" : "sgd_update",
                has_momentum(recipe) ? 1 : 0, {.clips_elements = true}) {}

 private:
  static bool has_momentum(const model::Recipe& recipe) { return recipe.optimizer.momentum != 0.0; }

  void prepare(double velocity_change) override {
    if (wanted().momentum != 0.0) {
      set("momentum", wanted().momentum * velocity_change);
    }
  }
};

// Looks ahead by its momentum, so where the rate changes the velocities are multiplied by the change instead.
// The operator reads the weight again after it has written it and would decay the velocity by the new one.
class Nag : public Updates {
 public:
  Nag(const model::Recipe& recipe, const std::vector<Weights>& weights)
      : Updates(recipe, weights, "nag_mom_update", 1, {.decays = false}) {
    for (const State& velocity : states()) {
      rescalings_.emplace_back("_mul_scalar", std::vector{velocity.values}, velocity.values, Attributes{});
    }
  }

 private:
  void prepare(double velocity_change) override {
    set("momentum", wanted().momentum);
    if (velocity_change == 1.0) {
      return;
    }
    const std::string change = number(velocity_change);
    for (Invocation& rescaling : rescalings_) {
      rescaling.set("scalar", change);
      rescaling.run();
    }
  }

  std::vector<Invocation> rescalings_;
};

// The operator has no bias correction: it lies in the rate, as in MXNet's own class. It adds epsilon to the
// uncorrected root, so it is given one that shrinks with the correction. 1 - beta is a number of single
// precision there: only corrections by the same beta go with it.
class Adam : public Updates {
 public:
  Adam(const model::Recipe& recipe, const std::vector<Weights>& weights)
      : Updates(recipe, weights, "adam_update", 2, {}) {
    set("beta1", wanted().beta1);
    set("beta2", wanted().beta2);
  }

 private:
  [[nodiscard]] double correction(double beta) const {
    return 1.0 - std::pow(static_cast<double>(static_cast<float>(beta)), static_cast<double>(steps()));
  }

  [[nodiscard]] double root() const { return std::sqrt(correction(wanted().beta2)); }

  [[nodiscard]] double operator_rate(double rate) const override {
    return rate * root() / correction(wanted().beta1);
  }

  void prepare(double /*velocity_change*/) override { set("epsilon", wanted().epsilon * root()); }
};

class Rmsprop : public Updates {
 public:
  Rmsprop(const model::Recipe& recipe, const std::vector<Weights>& weights)
      : Updates(recipe, weights, recipe.optimizer.centered ? "rmspropalex_update" : "rmsprop_update",
                recipe.optimizer.centered ? 3 : 1, {}) {
    set("gamma1", wanted().rho);
    set("epsilon", wanted().epsilon);
  }

 private:
  void prepare(double velocity_change) override {
    if (wanted().centered) {
      set("gamma2", wanted().momentum * velocity_change);
    }
  }
};

std::unique_ptr<Optimizer> make_sgd(const model::Recipe& recipe, const std::vector<Weights>& weights) {
  if (recipe.optimizer.nesterov && recipe.optimizer.momentum != 0.0) {
    return std::make_unique<Nag>(recipe, weights);
  }
  return std::make_unique<Sgd>(recipe, weights);
}

std::unique_ptr<Optimizer> make_adam(const model::Recipe& recipe, const std::vector<Weights>& weights) {
  return std::make_unique<Adam>(recipe, weights);
}

std::unique_ptr<Optimizer> make_rmsprop(const model::Recipe& recipe, const std::vector<Weights>& weights) {
  if (recipe.optimizer.epsilon_place == model::EpsilonPlace::outside) {
    throw Unsupported("rmsprop with epsilon outside the root");
  }
  if (recipe.optimizer.momentum != 0.0 && !recipe.optimizer.centered) {
    throw Unsupported("rmsprop with momentum that is not centered");
  }
  return std::make_unique<Rmsprop>(recipe, weights);
}

}  // namespace

const dlbench::sdk::Table<MakeOptimizer>& optimizers() {
  static const dlbench::sdk::Table<MakeOptimizer> table(
      "optimizer", {{"sgd", make_sgd}, {"adam", make_adam}, {"rmsprop", make_rmsprop}});
  return table;
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names = optimizers().names();
  names.insert(names.end(), {"nesterov", "clip=element", "clip=global_norm"});
  return names;
}

}  // namespace runner
