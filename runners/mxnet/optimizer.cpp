#include "optimizer.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "model/tensor.hpp"

namespace runner {

namespace {

using dlbench::model::ParameterRole;
using dlbench::model::SgdForm;

// One call of an operator that updates a parameter in place.
class Update {
 public:
  Update(std::vector<NDArrayHandle> inputs, const std::string& decay)
      : inputs_(std::move(inputs)), output_(inputs_.front()), decay_(decay) {}

  void run(AtomicSymbolCreator creator, const std::string& rate, const std::string& momentum) {
    std::array<const char*, 3> values{rate.c_str(), decay_.c_str(), momentum.c_str()};
    int output_count = 1;
    NDArrayHandle* outputs = &output_;
    check(MXImperativeInvoke(creator, static_cast<int>(inputs_.size()), inputs_.data(), &output_count,
                             &outputs, momentum.empty() ? 2 : 3, keys_.data(), values.data()));
  }

 private:
  std::array<const char*, 3> keys_{"lr", "wd", "momentum"};
  std::vector<NDArrayHandle> inputs_;
  NDArrayHandle output_;
  std::string decay_;
};

// sgd_mom_update: v <- momentum * v - rate * (g + decay * w); w <- w + v, the form rate_inside. With
// V = rate * v the form rate_outside is the same with the momentum scaled by the change of the rate: exactly
// equal, not an approximation.
class Sgd : public Optimizer {
 public:
  Sgd(const dlbench::model::Optimizer& wanted, const std::vector<Weights>& weights)
      : wanted_(wanted), creator_(find_operator(wanted.momentum == 0.0 ? "sgd_update" : "sgd_mom_update")) {
    for (const Weights& entry : weights) {
      const bool decays = entry.parameter.role == ParameterRole::weight || wanted.decay_bias;
      std::vector<NDArrayHandle> inputs{entry.values.get(), entry.gradient.get()};
      if (wanted.momentum != 0.0) {
        velocities_.push_back(make_array(Type::f32, entry.parameter.shape));
        counts_.push_back(static_cast<std::size_t>(dlbench::model::element_count(entry.parameter.shape)));
        inputs.push_back(velocities_.back().get());
      }
      updates_.emplace_back(std::move(inputs), number(decays ? wanted.weight_decay : 0.0));
    }
    reset();
  }

  void update(double rate) override {
    if (!last_rate_ || rate != *last_rate_) {
      momentum_text_ = wanted_.momentum == 0.0 ? std::string() : number(momentum(rate));
      rate_text_ = number(rate);
      is_changed_ = true;
    } else if (is_changed_) {
      momentum_text_ = wanted_.momentum == 0.0 ? std::string() : number(wanted_.momentum);
      is_changed_ = false;
    }
    last_rate_ = rate;
    for (Update& update : updates_) {
      update.run(creator_, rate_text_, momentum_text_);
    }
  }

  void reset() override {
    for (std::size_t i = 0; i < velocities_.size(); ++i) {
      const std::vector<float> zeros(counts_[i], 0.0F);
      copy_in(velocities_[i], zeros.data(), zeros.size());
    }
    last_rate_.reset();
  }

 private:
  [[nodiscard]] double momentum(double rate) const {
    if (wanted_.form == SgdForm::rate_inside || !last_rate_) {
      return wanted_.momentum;
    }
    if (*last_rate_ == 0.0) {
      throw dlbench::sdk::Unsupported("momentum after rate 0 in the form rate_outside");
    }
    return wanted_.momentum * rate / *last_rate_;
  }

  dlbench::model::Optimizer wanted_;
  AtomicSymbolCreator creator_;
  std::vector<Update> updates_;
  std::vector<Array> velocities_;
  std::vector<std::size_t> counts_;
  std::optional<double> last_rate_;
  bool is_changed_ = false;  // whether the momentum in force is that of a changed rate
  std::string rate_text_;
  std::string momentum_text_;
};

std::unique_ptr<Optimizer> make_sgd(const dlbench::model::Optimizer& wanted,
                                    const std::vector<Weights>& weights) {
  return std::make_unique<Sgd>(wanted, weights);
}

}  // namespace

const dlbench::sdk::Table<MakeOptimizer>& optimizers() {
  static const dlbench::sdk::Table<MakeOptimizer> table("optimizer", {{"sgd", make_sgd}});
  return table;
}

}  // namespace runner
