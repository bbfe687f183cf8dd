// conv_table as matrix products with a full matrix whose missing connections are zeros.
#include <algorithm>
#include <memory>

#include "ops.hpp"
#include "pictures.hpp"
#include "products.hpp"
#include "sgd.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;
using dnnl::memory;

memory::desc flat(const sdk::Parameter& parameter) {
  return {{model::element_count(parameter.shape)}, memory::data_type::f32, memory::format_tag::x};
}

// One operator of one program; works on one picture after the other.
class Table {
 public:
  Table(Program& program, const model::Node& node, const Place* in, Place* out)
      : in_(in),
        out_(out),
        rows_(program.rows()),
        outputs_(node.output_shape[0]),
        cells_(node.output_shape[1] * node.output_shape[2]),
        shape_(unrolling_of(node, *in)),
        weight_(&program.network().add_weights(node.parameters[0], sdk::Layout(node.parameters[0].shape),
                                               flat(node.parameters[0]), flat(node.parameters[0]))),
        bias_(&program.network().add_weights(node.parameters[1], sdk::Layout(node.parameters[1].shape),
                                             flat(node.parameters[1]), flat(node.parameters[1]))),
        places_(places_of(node, shape_)),
        matrix_(static_cast<std::size_t>(cells_ * shape_.row_width())),
        full_(static_cast<std::size_t>(outputs_ * shape_.row_width())),
        full_gradient_(static_cast<std::size_t>(outputs_ * shape_.row_width())) {}

  [[nodiscard]] Weights& weight() const { return *weight_; }
  [[nodiscard]] Weights& bias() const { return *bias_; }

  void forward() {
    spread();
    for (std::int64_t r = 0; r < rows_; ++r) {
      unroll(shape_, picture(r), 0, shape_.out_height, matrix_.data());
      float* y = out_->values->data() + r * cells_ * outputs_;
      for (std::int64_t cell = 0; cell < cells_; ++cell) {
        std::copy_n(bias_->values.data(), outputs_, y + cell * outputs_);
      }
      multiply('N', 'T', cells_, outputs_, width(), 1.0F, matrix_.data(), width(), full_.data(), width(),
               1.0F, y, outputs_);
    }
  }

  void backward_weights() {
    std::fill_n(full_gradient_.data(), outputs_ * width(), 0.0F);
    std::fill_n(bias_->gradient.data(), outputs_, 0.0F);
    for (std::int64_t r = 0; r < rows_; ++r) {
      unroll(shape_, picture(r), 0, shape_.out_height, matrix_.data());
      multiply('T', 'N', outputs_, width(), cells_, 1.0F, gradient(r), outputs_, matrix_.data(), width(),
               1.0F, full_gradient_.data(), width());
      add_rows(gradient(r), bias_->gradient.data(), cells_, outputs_);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      weight_->gradient.data()[i] = full_gradient_.data()[places_[i]];
    }
  }

  void backward_data() {
    float* dx = in_->gradient->data();
    std::fill_n(dx, rows_ * shape_.in_count(), 0.0F);
    for (std::int64_t r = 0; r < rows_; ++r) {
      multiply('N', 'N', cells_, width(), outputs_, 1.0F, gradient(r), outputs_, full_.data(), width(), 0.0F,
               matrix_.data(), width());
      add_back(shape_, matrix_.data(), 0, shape_.out_height, dx + r * shape_.in_count());
    }
  }

 private:
  static Unrolling unrolling_of(const model::Node& node, const Place& in) {
    const auto& kernel = model::integers(node, "kernel");
    const auto& stride = model::integers(node, "stride");
    return {in.shape[0],
            in.shape[1],
            in.shape[2],
            node.output_shape[1],
            node.output_shape[2],
            kernel[0],
            kernel[1],
            stride[0],
            stride[1],
            1,
            1,
            0,
            0};
  }

  // Where each weight [out, reading, kernel row, kernel column] lies in [out, kernel row, kernel column, in].
  static std::vector<std::int64_t> places_of(const model::Node& node, const Unrolling& shape) {
    const auto& table = model::integers(node, "table");
    const std::int64_t kernel_cells = shape.kernel_height * shape.kernel_width;
    const std::int64_t readings = static_cast<std::int64_t>(table.size()) / node.output_shape[0];
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(table.size()); ++i) {
      for (std::int64_t cell = 0; cell < kernel_cells; ++cell) {
        places.push_back(i / readings * shape.row_width() + cell * shape.channels +
                         table[static_cast<std::size_t>(i)]);
      }
    }
    return places;
  }

  // Missing connections stay zero, as the buffer was made.
  void spread() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      full_.data()[places_[i]] = weight_->values.data()[i];
    }
  }

  [[nodiscard]] std::int64_t width() const { return shape_.row_width(); }
  [[nodiscard]] const float* picture(std::int64_t row) const {
    return in_->values->data() + row * shape_.in_count();
  }
  [[nodiscard]] const float* gradient(std::int64_t row) const {
    return out_->gradient->data() + row * cells_ * outputs_;
  }

  const Place* in_;
  Place* out_;
  std::int64_t rows_;
  std::int64_t outputs_;
  std::int64_t cells_;
  Unrolling shape_;
  Weights* weight_;
  Weights* bias_;
  std::vector<std::int64_t> places_;
  Buffer matrix_;
  Buffer full_;
  Buffer full_gradient_;
};

}  // namespace

Place* lower_conv_table(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  const Place* in = program.channels_last(inputs[0]);
  Place* out = program.add_place(node.output_shape, true);
  const auto table = std::make_shared<Table>(program, node, in, out);
  program.forward(node.name + ".forward", [table] { table->forward(); });
  if (!program.trains()) {
    return out;
  }
  std::vector<Task> tasks = {{node.name + ".backward_weights", [table] { table->backward_weights(); }}};
  if (in->gradient != nullptr) {
    tasks.push_back({node.name + ".backward_data", [table] { table->backward_data(); }});
  }
  tasks.push_back(make_update(program.network(), table->weight()));
  tasks.push_back(make_update(program.network(), table->bias()));
  program.backward(tasks);
  return out;
}

}  // namespace reference
