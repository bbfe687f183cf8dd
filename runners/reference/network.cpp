#include "network.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fan_out.hpp"
#include "ops.hpp"

namespace reference {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;
namespace {

// Calls move(index in NCHW, index in NHWC) for every number of `rows` pictures.
template <class Move>
void for_each_turned(const sdk::Picture& picture, std::int64_t rows, Move move) {
  const std::int64_t plane = picture.height * picture.width;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t first = r * plane * picture.channels;
    for (std::int64_t c = 0; c < picture.channels; ++c) {
      for (std::int64_t cell = 0; cell < plane; ++cell) {
        move(first + c * plane + cell, first + cell * picture.channels + c);
      }
    }
  }
}

}  // namespace

Network::Network(const sdk::Load& load) : load_(load) {
  numbers_.momentum = static_cast<float>(load.recipe.optimizer.momentum);
  numbers_.rate_inside = load.recipe.optimizer.form == model::SgdForm::rate_inside;
  programs_.emplace(load.batch, std::make_unique<Program>(*this, load.batch));
  if (load.partial != 0 && load.partial != load.batch) {
    programs_.emplace(load.partial, std::make_unique<Program>(*this, load.partial));
  }
}

Program& Network::program(std::int64_t rows) {
  const auto found = programs_.find(rows);
  if (found == programs_.end()) {
    throw std::runtime_error("no program was built for " + std::to_string(rows) + " rows");
  }
  return *found->second;
}

Weights& Network::add_weights(const sdk::Parameter& parameter, const sdk::Layout& layout,
                              const dnnl::memory::desc& plain, const dnnl::memory::desc& desc) {
  const auto found = weights_.find(parameter.name);
  if (found != weights_.end()) {
    return found->second;
  }
  const std::size_t count = desc.get_size() / sizeof(float);
  const bool trains = load_.mode == sdk::Mode::train;
  return weights_
      .emplace(parameter.name, Weights{parameter, layout, plain, desc, Buffer(count),
                                       Buffer(trains ? count : 0), Buffer(trains ? count : 0)})
      .first->second;
}

void Network::put(const std::string& name, std::span<const float> canonical) {
  Weights& weights = weights_.at(name);
  std::vector<float> plain(canonical.size());
  weights.layout.to_framework(canonical, plain);
  dnnl::memory from(weights.plain, engine(), plain.data());
  dnnl::memory to(weights.desc, engine(), weights.values.data());
  reorder(from, to);
  if (load_.mode == sdk::Mode::train) {
    std::fill_n(weights.velocity.data(), weights.buffer_count(), 0.0F);
    for (std::size_t i = 0; i < weights.state.size(); ++i) {
      std::fill_n(weights.state[i].data(), weights.buffer_count(), weights.state_starts[i]);
    }
    numbers_.step = 0;
  }
}

void Network::begin_step(double rate) {
  numbers_.is_training = true;
  numbers_.rate = static_cast<float>(rate);
  numbers_.gradient_squares = 0.0;
  ++numbers_.step;
}

void Network::end_step() {
  if (put_off_.empty()) {
    return;
  }
  const double limit = load_.recipe.clip.limit;
  numbers_.clip_factor = static_cast<float>(limit / std::max(limit, std::sqrt(numbers_.gradient_squares)));
  for (const auto& [name, update] : put_off_) {
    update.run();
  }
}

void Network::get(const std::string& name, std::span<float> canonical) {
  Weights& weights = weights_.at(name);
  std::vector<float> plain(canonical.size());
  dnnl::memory from(weights.desc, engine(), weights.values.data());
  dnnl::memory to(weights.plain, engine(), plain.data());
  reorder(from, to);
  weights.layout.to_canonical(plain, canonical);
}

Program::Program(Network& network, std::int64_t rows) : network_(network), rows_(rows) {
  const model::Graph graph = with_fan_outs(network.load().graph);
  places_.push_back({});
  input_ = &places_.back();
  input_->shape = graph.input_shape;
  input_->values = std::make_shared<Buffer>();
  // With one channel both orders are the same bytes.
  input_->channels_last = graph.input_shape.size() != 3 || graph.input_shape[0] == 1;
  // The loss returns the logits in the order that the host reads.
  logits_ = sdk::lower(graph, own_ops(), *this, input_).loss;
}

Place* Program::add_place(const model::Shape& shape, bool needs_gradient) {
  const auto count = static_cast<std::size_t>(rows_ * model::element_count(shape));
  places_.push_back({});
  Place& place = places_.back();
  place.shape = shape;
  place.values = std::make_shared<Buffer>(count);
  if (needs_gradient && trains()) {
    place.gradient = std::make_shared<Buffer>(count);
  }
  return &place;
}

Place* Program::add_view(const Place& place, const model::Shape& shape) {
  places_.push_back(place);
  places_.back().shape = shape;
  return &places_.back();
}

bool Program::relu_follows(const model::Node& node) const {
  const model::Graph& graph = network_.load().graph;
  return read_count(graph, node.name) == 1 &&
         std::ranges::any_of(graph.nodes, [&](const model::Node& reader) {
           return reader.op == "relu" && reader.inputs.front() == node.name;
         });
}

void Program::backward(const std::vector<Task>& tasks) {
  if (trains()) {
    backward_.push_back(tasks);
  }
}

Place* Program::canonical(Place* place) {
  if (!place->flattened) {
    return place;
  }
  const sdk::Picture picture = *place->flattened;
  if (picture.channels == 1 || picture.height * picture.width == 1) {
    return place;
  }
  Place* turned = add_place(place->shape, place->gradient != nullptr);
  const std::int64_t rows = rows_;
  forward("flatten.canonical", [=] {
    for_each_turned(picture, rows, [&](std::int64_t canonical, std::int64_t own) {
      turned->values->data()[canonical] = place->values->data()[own];
    });
  });
  if (place->gradient != nullptr) {
    backward({{"flatten.canonical.backward", [=] {
                 for_each_turned(picture, rows, [&](std::int64_t canonical, std::int64_t own) {
                   place->gradient->data()[own] = turned->gradient->data()[canonical];
                 });
               }}});
  }
  return turned;
}

Place* Program::channels_last(Place* place) {
  if (place->channels_last) {
    return place;
  }
  // Only the input and what is computed from it alone are in another order; nobody needs their gradients.
  Place* turned = add_place(place->shape, false);
  const dnnl::memory::dims dims = {rows_, place->shape[0], place->shape[1], place->shape[2]};
  const auto type = dnnl::memory::data_type::f32;
  const dnnl::memory from({dims, type, dnnl::memory::format_tag::nchw}, engine(), DNNL_MEMORY_NONE);
  const dnnl::memory to({dims, type, dnnl::memory::format_tag::nhwc}, engine(), turned->values->data());
  if (place->values == input_->values) {
    follow_input(from);
  } else {
    from.set_data_handle(place->values->data());
  }
  const auto call = std::make_shared<Call>(
      dnnl::reorder(from, to),
      std::vector<std::pair<int, dnnl::memory>>{{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  forward("input.channels_last", [call] { call->run(); });
  return turned;
}

void Program::set_input(const float* input) {
  // Null where the batch holds tokens, which no primitive reads.
  // oneDNN's interface knows no constant memory; no primitive writes to its source.
  auto* data = const_cast<float*>(input);
  input_->values->alias(data);
  for (const dnnl::memory& memory : input_memories_) {
    dnnl::error::wrap_c_api(dnnl_memory_set_data_handle(memory.get(), data), "cannot set the input");
  }
}

void Program::run_forward() const {
  for (const Task& task : forward_) {
    task.run();
  }
}

void Program::run_backward() const {
  for (auto node = backward_.rbegin(); node != backward_.rend(); ++node) {
    for (const Task& task : *node) {
      task.run();
    }
  }
}

std::vector<const Task*> Program::tasks() const {
  std::vector<const Task*> all;
  for (const Task& task : forward_) {
    all.push_back(&task);
  }
  for (auto node = backward_.rbegin(); node != backward_.rend(); ++node) {
    for (const Task& task : *node) {
      all.push_back(&task);
    }
  }
  return all;
}

}  // namespace reference
