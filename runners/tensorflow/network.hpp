// What the op table builds into: a TensorFlow graph with variables, and the gradients of what was added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph.hpp"
#include "model/graph.hpp"
#include "runner_sdk/cpp/layout.hpp"

namespace runner {

// A parameter: a resource variable in TensorFlow's layout.
struct Variable {
  std::string name;
  dlbench::model::ParameterRole role;
  dlbench::sdk::Layout layout;
  Extents shape;     // as TensorFlow keeps it
  TF_Output handle;  // of the variable
  TF_Output value;   // read once per run
  TF_Output given;   // placeholder: what `assign` stores
  TF_Operation* assign;
  TF_Output gradient{};                 // of the mean loss; clipped and decayed once the updates are added
  std::optional<TF_Output> average{};   // what evaluation reads in place of `value`
  std::vector<TF_Operation*> resets{};  // run with `assign`: training begins anew
};

// Something an operator made. Pictures are NHWC.
struct Value {
  std::size_t index;
  // Set when a picture was flattened as height, width, channel: its order is that, not the canonical one.
  std::optional<dlbench::sdk::Picture> channels_last;
};

// From the gradient of a result to those of the inputs, in their order.
using Backward = std::function<std::vector<TF_Output>(TF_Output gradient)>;

class Network {
 public:
  // `seed`: of all random numbers.
  Network(const dlbench::model::Graph& work, std::uint64_t seed);

  [[nodiscard]] Graph& graph() { return graph_; }
  [[nodiscard]] const dlbench::model::Graph& work() const { return work_; }
  [[nodiscard]] Value input() const { return {0, std::nullopt}; }
  // What is fed: reals or tokens (int64), of the shape of one sample as `feed` wants it.
  [[nodiscard]] TF_Output feed() const { return feed_; }
  [[nodiscard]] Extents feed_shape(std::int64_t rows) const;
  [[nodiscard]] TF_Output output(const Value& value) const { return outputs_[value.index]; }
  [[nodiscard]] std::vector<Variable>& variables() { return variables_; }
  [[nodiscard]] Variable& variable(const std::string& name);
  // Those that an optimizer moves.
  [[nodiscard]] std::vector<Variable*> trained();
  // What an operator reads of the variable at this place: where it evaluates the average, if there is one.
  [[nodiscard]] TF_Output read(std::size_t place) const;

  // What is built now: a network that trains, or one that evaluates with the same variables.
  [[nodiscard]] bool is_training() const { return is_training_; }
  void set_training(bool is_training) { is_training_ = is_training; }
  // TensorFlow wants two seeds for each random operation: the network's and the operation's own, from 1.
  [[nodiscard]] std::int64_t seed() const { return seed_; }
  std::int64_t next_random() { return ++random_count_; }

  Value add(TF_Output result, const std::vector<Value>& inputs, Backward backward);
  // `shape` where it is not the layout's: the same memory with other extents. Returns the variable's place,
  // which is the same when the parameter comes again.
  std::size_t add_variable(const dlbench::model::Parameter& parameter, const dlbench::sdk::Layout& layout,
                           const Extents& shape = {});
  // A training step stores `next` in the variable at this place.
  void add_statistic(std::size_t place, TF_Output next);
  [[nodiscard]] const std::vector<TF_Operation*>& statistics() const { return statistics_; }
  // Adds the gradient operations of everything `value` depends on; fills in the variables' gradients.
  void differentiate(const Value& value, TF_Output gradient);

 private:
  struct Call {
    std::vector<Value> inputs;
    std::size_t result;
    Backward backward;
  };

  TF_Output sum(const std::vector<TF_Output>& gradients);

  dlbench::model::Graph work_;
  Graph graph_;
  Extents sample_;  // as fed
  TF_Output feed_{};
  std::vector<TF_Output> outputs_;  // of each value
  std::vector<Call> calls_;
  std::vector<Variable> variables_;
  std::vector<TF_Operation*> statistics_;
  std::int64_t seed_;
  std::int64_t random_count_ = 0;
  bool is_training_ = false;
};

}  // namespace runner
