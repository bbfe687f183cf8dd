// conv_table: conv2d with a weight for every input channel, zero where the table connects nothing. That is
// some times the multiply-adds, but in products of whole matrices, and sums with added zeros are the same
// sums.
#include "base/error.hpp"
#include "model/builder.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

model::Node as_conv2d(model::Node node) {
  node.op = "conv2d";
  node.attributes["pads"] = model::extents({0, 0, 0, 0});
  node.attributes["dilation"] = model::extents({1, 1});
  node.attributes["groups"] = model::count(1);
  return node;
}

// Calls visit(cell of the table's weight, cell of a weight for every input channel).
template <typename T, typename Visit>
void for_each_weight(const NodeView<T>& view, Visit visit) {
  const std::vector<std::int64_t>& table = model::integers(view.node, "table");
  const model::Shape& shape = view.parameters[0]->shape;
  const std::int64_t channels = view.inputs[0]->shape.at(1);
  const std::int64_t cells = shape.at(2) * shape.at(3);
  for (std::int64_t output = 0; output < shape[0]; ++output) {
    for (std::int64_t r = 0; r < shape[1]; ++r) {
      const std::int64_t reading = output * shape[1] + r;
      const std::int64_t plane = output * channels + table[index_of(reading)];
      for (std::int64_t cell = 0; cell < cells; ++cell) {
        visit(index_of(reading * cells + cell), index_of(plane * cells + cell));
      }
    }
  }
}

// The node as that convolution. Borrows the view.
template <typename T>
class Connected {
 public:
  explicit Connected(const NodeView<T>& view)
      : node_(as_conv2d(view.node)),
        weight_(whole_shape(view)),
        view_{node_,       view.inputs,  {&weight_, view.parameters[1]}, view.target, view.conditions,
              view.number, view.products} {
    const std::vector<T>& weight = view.parameters[0]->values;
    for_each_weight(
        view, [&](std::size_t of_table, std::size_t of_all) { weight_.values[of_all] = weight[of_table]; });
  }
  Connected(const Connected&) = delete;  // the view points into it
  Connected& operator=(const Connected&) = delete;
  ~Connected() = default;

  [[nodiscard]] const NodeView<T>& view() const { return view_; }

 private:
  static model::Shape whole_shape(const NodeView<T>& view) {
    DLBENCH_ASSERT(view.inputs[0]->shape.size() == 4, "conv_table works on images");
    model::Shape shape = view.parameters[0]->shape;
    shape.at(1) = view.inputs[0]->shape[1];
    return shape;
  }

  model::Node node_;
  Array<T> weight_;
  NodeView<T> view_;
};

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  return conv2d<T>().forward(Connected<T>(view).view());
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  return conv2d<T>().input_gradients(Connected<T>(view).view(), output_gradient);
}

template <typename T>
std::vector<Array<T>> parameter_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  std::vector<Array<T>> gradients =
      conv2d<T>().parameter_gradients(Connected<T>(view).view(), output_gradient);
  Array<T> weight(view.parameters[0]->shape);
  for_each_weight(view, [&](std::size_t of_table, std::size_t of_all) {
    weight.values[of_table] = gradients[0].values[of_all];
  });
  gradients[0] = std::move(weight);
  return gradients;
}

}  // namespace

template <typename T>
Operator<T> conv_table() {
  return {"conv_table", forward<T>, input_gradients<T>, parameter_gradients<T>, nullptr};
}

template Operator<double> conv_table();
template Operator<float> conv_table();

}  // namespace dlbench::oracle::ops
