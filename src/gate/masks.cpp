#include "gate/masks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "gate/compare.hpp"
#include "gate/limits.hpp"
#include "gate/sample_work.hpp"
#include "model/builder.hpp"

namespace dlbench::gate {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int mask_repeats = 24;
constexpr std::int64_t mask_rows = 2;
constexpr std::int64_t hidden_units = 24;
constexpr double sigmas = 5.0;
constexpr double value_units = 64.0;  // round-offs of a value that is read from two gradients
constexpr double alike_share = 0.2;

using model::Builder;
using model::count;

// Masks of one repeat: [layer][row][element].
using Masks = std::vector<std::vector<std::vector<double>>>;

model::Graph masks_graph(double rate) {
  return Builder("dropout_masks", {8, 4, 4})
      .add_from("drop1", "dropout", {"input"}, {{"rate", rate}})
      .add("flat1", "flatten")
      .add("dense1", "dense", {{"out_features", count(4)}, {"bias", false}})
      .add_from("drop2", "dropout", {"input"}, {{"rate", rate}})
      .add("flat2", "flatten")
      .add("dense2", "dense", {{"out_features", count(4)}, {"bias", false}})
      .add_from("sum", "add", {"dense1", "dense2"})
      .finish();
}

model::Graph replay_graph(double rate) {
  return Builder("dropout_replay", {9})
      .add("below", "dense", {{"out_features", count(hidden_units)}})
      .add("drop", "dropout", {{"rate", rate}})
      .add("score", "dense", {{"out_features", count(3)}})
      .finish();
}

model::Recipe plain(const model::Recipe& recipe, std::int64_t rows) {
  model::Recipe result;
  result.optimizer = {.name = "sgd", .form = recipe.optimizer.form};
  result.rate = {.policy = "fixed", .base = 1.0};
  result.initialiser = recipe.initialiser;
  result.batch = rows;
  return result;
}

// Both samples are ones, so what a dense layer reads is the mask a of the first and b of the second. All
// logits are zero, so every class has probability 1/4, and with targets 0 and 1 the gradients of the mean
// loss are g0 = (-3a + b) / 8 and g1 = (a - 3b) / 8. So a = -(3 g0 + g1) and b = -(g0 + 3 g1).
std::vector<std::vector<double>> masks_of_layer(const oracle::Values& gradient, std::size_t elements) {
  std::vector<std::vector<double>> rows(mask_rows, std::vector<double>(elements));
  for (std::size_t i = 0; i < elements; ++i) {
    const double g0 = gradient[i];
    const double g1 = gradient[elements + i];
    rows[0][i] = -(3.0 * g0 + g1);
    rows[1][i] = -(g0 + 3.0 * g1);
  }
  return rows;
}

// Empty: the result has not the expected tensors.
Masks masks_of(const Experiment& experiment, const Result& result) {
  Masks masks;
  const auto elements = static_cast<std::size_t>(model::element_count(experiment.graph.input_shape));
  if (result.weights.size() != experiment.weights.size()) {
    return {};
  }
  for (std::size_t layer = 0; layer < result.weights.size(); ++layer) {
    oracle::Values gradient = result.weights[layer];
    if (gradient.size() != experiment.weights[layer].values.size()) {
      return {};
    }
    for (double& value : gradient) {
      value /= -experiment.rates.front();  // from weights that were zero
    }
    masks.push_back(masks_of_layer(gradient, elements));
  }
  return masks;
}

double rate_of(const model::Graph& graph) {
  const auto node = std::ranges::find(graph.nodes, std::string("dropout"), &model::Node::op);
  DLBENCH_ASSERT(node != graph.nodes.end(), graph.name);
  return model::real(*node, "rate");
}

// Of pairs of kept (1) and dropped (0).
class Correlation {
 public:
  void add(bool left, bool right) {
    ++count_;
    left_ += left ? 1.0 : 0.0;
    right_ += right ? 1.0 : 0.0;
    both_ += left && right ? 1.0 : 0.0;
  }
  // 0 where one side never changes: that is a matter of the share.
  [[nodiscard]] MaskStatistic statistic(const std::string& name) const {
    const double x = left_ / count_;
    const double y = right_ / count_;
    const double deviations = std::sqrt(x * (1.0 - x) * y * (1.0 - y));
    const double seen = deviations > 0.0 ? (both_ / count_ - x * y) / deviations : 0.0;
    return {name, 0.0, seen, sigmas / std::sqrt(count_)};
  }

 private:
  double count_ = 0.0;
  double left_ = 0.0;
  double right_ = 0.0;
  double both_ = 0.0;
};

// Everything that is asked of the masks, in one pass.
class MaskCount {
 public:
  explicit MaskCount(double rate) : rate_(rate), scale_(1.0 / (1.0 - rate)) {}

  void add(const Masks& masks) {
    for (std::size_t layer = 0; layer < masks.size(); ++layer) {
      for (std::size_t row = 0; row < masks[layer].size(); ++row) {
        add_row(masks, layer, row);
      }
    }
    last_ = masks;
  }

  [[nodiscard]] std::vector<MaskStatistic> statistics() const {
    const double share_limit = sigmas * std::sqrt(rate_ * (1.0 - rate_) / count_);
    return {{"values", 0.0, worst_value_, value_units * round_off},
            {"share", 1.0 - rate_, kept_ / count_, share_limit},
            neighbours_.statistic("correlation of neighbours"),
            rows_.statistic("correlation of samples"),
            steps_.statistic("correlation of steps"),
            layers_.statistic("correlation of layers")};
  }

 private:
  [[nodiscard]] bool is_kept(double value) const { return value > scale_ / 2.0; }

  void add_row(const Masks& masks, std::size_t layer, std::size_t row) {
    const std::vector<double>& mask = masks[layer][row];
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const bool kept = is_kept(mask[i]);
      const double off = std::abs(mask[i] - (kept ? scale_ : 0.0)) / scale_;
      worst_value_ = std::isfinite(off) ? std::max(worst_value_, off) : infinite;
      count_ += 1.0;
      kept_ += kept ? 1.0 : 0.0;
      if (i > 0) {
        neighbours_.add(is_kept(mask[i - 1]), kept);
      }
      if (row > 0) {
        rows_.add(is_kept(masks[layer][row - 1][i]), kept);
      }
      if (layer > 0) {
        layers_.add(is_kept(masks[layer - 1][row][i]), kept);
      }
      if (!last_.empty()) {
        steps_.add(is_kept(last_[layer][row][i]), kept);
      }
    }
  }

  double rate_;
  double scale_;
  double worst_value_ = 0.0;
  double count_ = 0.0;
  double kept_ = 0.0;
  Correlation neighbours_, rows_, steps_, layers_;
  Masks last_;
};

}  // namespace

std::vector<double> dropout_rates(const model::Graph& graph) {
  std::set<double> rates;
  for (const model::Node& node : graph.nodes) {
    if (node.op == "dropout" && model::real(node, "rate") > 0.0) {
      rates.insert(model::real(node, "rate"));
    }
  }
  return {rates.begin(), rates.end()};
}

model::Graph with_dropout_rates(model::Graph graph, double (*changed)(double rate)) {
  for (model::Node& node : graph.nodes) {
    if (node.op == "dropout") {
      node.attributes["rate"] = changed(model::real(node, "rate"));
    }
  }
  return graph;
}

model::Graph without_dropout(model::Graph graph) {
  return with_dropout_rates(std::move(graph), [](double /*rate*/) { return 0.0; });
}

Experiment masks_experiment(double rate, const model::Recipe& recipe) {
  Experiment experiment;
  experiment.id = fmt::format("dropout.masks {}", rate);
  experiment.quantity = Quantity::masks;
  experiment.graph = masks_graph(rate);
  experiment.recipe = plain(recipe, mask_rows);
  for (const model::Parameter& parameter : model::parameters(experiment.graph)) {
    const auto elements = static_cast<std::size_t>(model::element_count(parameter.shape));
    experiment.weights.push_back({parameter.shape, std::vector<float>(elements, 0.0F)});
  }
  model::Batch batch;
  batch.input.shape = experiment.graph.input_shape;
  batch.input.shape.insert(batch.input.shape.begin(), mask_rows);
  batch.input.values.assign(static_cast<std::size_t>(model::element_count(batch.input.shape)), 1.0F);
  batch.target = {0, 1};
  experiment.batches = {std::move(batch)};
  experiment.rates = {experiment.recipe.rate.base};
  experiment.repeats = mask_repeats;
  return experiment;
}

Work replay_work(double rate, const model::Recipe& recipe) {
  Work work;
  work.graph = replay_graph(rate);
  work.recipe = plain(recipe, 1);
  work.batches = {sample_batch(work.graph, 1, 0)};
  return work;
}

Result replayed(const Experiment& experiment, const Result& seen) {
  const std::size_t upper = experiment.weights.size() - 2;  // score.weight, in front of its bias
  const std::vector<float>& before = experiment.weights[upper].values;
  oracle::Arithmetic arithmetic;
  if (seen.weights.size() == experiment.weights.size() && seen.weights[upper].size() == before.size()) {
    const double scale = 1.0 / (1.0 - rate_of(experiment.graph));
    arithmetic.dropping.factors.assign(hidden_units, 0.0);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (seen.weights[upper][i] != static_cast<double>(before[i])) {
        arithmetic.dropping.factors[i % hidden_units] = scale;
      }
    }
  }
  return perform(experiment, oracle::Precision::fp64, arithmetic);
}

double MaskStatistic::error() const {
  return std::isfinite(seen) ? std::abs(seen - expected) : infinite;
}

std::vector<MaskStatistic> mask_statistics(const Experiment& experiment, const std::vector<Result>& repeats) {
  MaskCount masks(rate_of(experiment.graph));
  for (const Result& result : repeats) {
    const Masks one = masks_of(experiment, result);
    if (one.empty()) {
      return {{"values", 0.0, infinite, value_units * round_off}};
    }
    masks.add(one);
  }
  return masks.statistics();
}

double error_over_limit(const std::vector<MaskStatistic>& statistics) {
  double worst = 0.0;
  for (const MaskStatistic& statistic : statistics) {
    worst = std::max(worst, statistic.error() / statistic.limit);
  }
  return worst;
}

std::vector<record::Check> checks_of(const Experiment& experiment,
                                     const std::vector<MaskStatistic>& statistics) {
  std::vector<record::Check> checks;
  checks.reserve(statistics.size());
  for (const MaskStatistic& statistic : statistics) {
    checks.push_back({experiment.id, "masks", statistic.name, statistic.error(), statistic.limit,
                      statistic.error() <= statistic.limit});
  }
  return checks;
}

std::string first_difference(const Experiment& experiment, const std::vector<MaskStatistic>& statistics) {
  const auto found = std::ranges::find_if(
      statistics, [](const MaskStatistic& statistic) { return !(statistic.error() <= statistic.limit); });
  return found == statistics.end()
             ? std::string{}
             : fmt::format("{}: {} of the masks is {:.4g}, should be {:.4g} (limit {:.2g})", experiment.id,
                           found->name, found->seen, found->expected, found->limit);
}

bool is_alike(const std::vector<MaskStatistic>& left, const std::vector<MaskStatistic>& right) {
  return std::ranges::equal(left, right, [](const MaskStatistic& a, const MaskStatistic& b) {
    const bool a_passes = a.error() <= a.limit;
    const bool b_passes = b.error() <= b.limit;
    const bool near = std::abs(a.error() - b.error()) <= alike_share * b.error() || a.error() == b.error();
    return a.name == b.name && a_passes == b_passes && (a_passes || near);
  });
}

}  // namespace dlbench::gate
