// What a runner implements: one session per `load`, eight verbs. Everything else (arena, JSON, clocks) is the
// SDK's.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/graph.hpp"
#include "model/recipe.hpp"

namespace dlbench::sdk {

using model::Parameter;  // name, role, canonical shape

// A float32 tensor in canonical layout (row-major, NCHW order) that lies in the arena; valid during the call
// only.
template <class Element>
struct View {
  std::span<Element> values;
  std::span<const std::int64_t> shape;
};
using ConstTensor = View<const float>;
using Tensor = View<float>;

// One ready batch of the ring. The memory is 64-byte aligned and stays unchanged until the session has
// drained, so a framework may alias it.
struct Batch {
  const float* input = nullptr;          // [rows, input shape of the graph…]; null where that holds tokens
  const std::int64_t* target = nullptr;  // [rows], or [rows, positions] where each position has one
  std::int64_t rows = 0;                 // the full batch, or the last partial one
  std::uint32_t slot = 0;
  const std::int64_t* tokens = nullptr;  // in place of the input, of its shape; null where that is real
};

// A setting in force as somebody reports it. `source` says who ("at::get_num_threads()").
struct Setting {
  std::string name;
  std::string value;
  std::string source;
};

enum class Mode { train, infer };

// The work of one `load`: a completed graph and everything that must be in force while it runs.
struct Load {
  model::Graph graph;
  model::Recipe recipe;
  Mode mode = Mode::train;
  std::string device;
  std::string precision;
  int threads = 1;
  std::int64_t batch = 0;    // rows of a full batch
  std::int64_t partial = 0;  // rows of the last partial batch; 0: there is none
  std::map<std::string, std::string> knobs;
};

// Any exception of these functions becomes an error reply; the session then still takes the next command.
class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  // Takes over a parameter; its optimizer state starts anew. The host puts all parameters together.
  virtual void put(const Parameter& parameter, ConstTensor values) = 0;
  // Drains, then copies the parameter out.
  virtual void get(const Parameter& parameter, Tensor values) = 0;
  // TIMED: input, forward, loss, backward, update. May return before the work is done if drain() waits for
  // it.
  virtual void step(const Batch& batch, double rate) = 0;
  // Mean loss of the last step's batch before its update; drains.
  virtual double loss() = 0;
  // TIMED: forward in evaluation mode.
  virtual void infer(const Batch& batch) = 0;
  // Logits [rows, classes] or [rows, positions, classes] of the last infer; drains.
  virtual void outputs(Tensor logits) = 0;
  // Returns when parameters, optimizer state and loss of the last step are complete. TIMED where steps are
  // drained.
  virtual void drain() {}
  // What the framework itself reports; must contain `threads`.
  [[nodiscard]] virtual std::vector<Setting> effective() = 0;
};

}  // namespace dlbench::sdk
