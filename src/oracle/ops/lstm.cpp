// lstm: gates i, f, g, o in four blocks of rows, no peepholes, h and c zero at the start.
#include <algorithm>
#include <any>
#include <array>
#include <cmath>
#include <utility>

#include "oracle/ops/ops.hpp"
#include "oracle/ops/sigmoid.hpp"

namespace dlbench::oracle::ops {
namespace {

enum Parameter : std::size_t { weight, recurrent, bias };
enum Gate : std::size_t { input_gate, forget_gate, candidate, output_gate, gates };

// Inside, time comes first: the rows of one position lie together.
template <typename T>
struct Pass {
  std::int64_t positions = 0, rows = 0, features = 0, hidden = 0;
  std::vector<T> x;           // [positions, rows, features]
  std::vector<T> gate;        // [positions, rows, 4 hidden], behind its function
  std::vector<T> cell, h;     // [positions + 1, rows, hidden], the first is the zero start
  std::vector<T> cell_value;  // tanh of the cell, [positions, rows, hidden]

  [[nodiscard]] std::int64_t gate_columns() const { return static_cast<std::int64_t>(gates) * hidden; }
  [[nodiscard]] std::size_t state_size() const { return index_of(rows * hidden); }
  // Of element (row, unit) of one position, for the given gate.
  [[nodiscard]] std::size_t gate_at(std::int64_t position, std::size_t element, std::size_t which) const {
    const std::size_t units = index_of(hidden);
    return index_of(position * rows * gate_columns()) + element / units * gates * units + which * units +
           element % units;
  }
};

// Swaps the first two extents.
template <typename T>
std::vector<T> swapped(const std::vector<T>& values, std::int64_t first, std::int64_t second) {
  std::vector<T> result(values.size());
  const std::size_t inner = values.size() / index_of(first * second);
  for (std::size_t i = 0; i < index_of(first * second); ++i) {
    const std::size_t to = i % index_of(second) * index_of(first) + i / index_of(second);
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * inner), inner,
                result.begin() + static_cast<std::ptrdiff_t>(to * inner));
  }
  return result;
}

template <typename T>
MatrixView<T> parameter_matrix(const NodeView<T>& view, Parameter which, bool transposed) {
  const Array<T>& array = *view.parameters[which];
  return {array.values.data(), array.shape[0], array.shape[1], transposed};
}

template <typename T>
Pass<T> start(const NodeView<T>& view) {
  const Array<T>& input = *view.inputs[0];
  Pass<T> pass;
  pass.positions = input.shape[1];
  pass.rows = input.rows();
  pass.features = input.shape[2];
  pass.hidden = model::integer(view.node, "hidden");
  pass.x = swapped(input.values, pass.rows, pass.positions);
  pass.gate.resize(index_of(pass.positions * pass.rows * pass.gate_columns()));
  pass.cell.resize(index_of(pass.positions + 1) * pass.state_size());
  pass.h.resize(pass.cell.size());
  pass.cell_value.resize(index_of(pass.positions) * pass.state_size());
  return pass;
}

// Activates the gates of one position and moves the state on.
template <typename T>
void advance(const NodeView<T>& view, Pass<T>& pass, std::int64_t position) {
  const std::vector<T>& bias_values = view.parameters[bias]->values;
  const T forget_bias = static_cast<T>(view.arithmetic().forget_bias);
  const std::size_t now = index_of(position) * pass.state_size();
  const std::size_t next = now + pass.state_size();
  for (std::size_t i = 0; i < pass.state_size(); ++i) {
    const std::size_t unit = i % index_of(pass.hidden);
    std::array<T, gates> value{};
    for (std::size_t g = 0; g < gates; ++g) {
      T& cell = pass.gate[pass.gate_at(position, i, g)];
      const T sum =
          cell + bias_values[g * index_of(pass.hidden) + unit] + (g == forget_gate ? forget_bias : T{0});
      cell = g == candidate ? std::tanh(sum) : sigmoid_of(sum);
      value[g] = cell;
    }
    pass.cell[next + i] = value[forget_gate] * pass.cell[now + i] + value[input_gate] * value[candidate];
    pass.cell_value[now + i] = std::tanh(pass.cell[next + i]);
    pass.h[next + i] = value[output_gate] * pass.cell_value[now + i];
  }
}

template <typename T>
Pass<T> run(const NodeView<T>& view) {
  Pass<T> pass = start(view);
  view.products.multiply({pass.x.data(), pass.positions * pass.rows, pass.features, false},
                         parameter_matrix(view, weight, true), pass.gate.data());
  for (std::int64_t t = 0; t < pass.positions; ++t) {
    const T* const h = pass.h.data() + index_of(t) * pass.state_size();
    T* const sums = pass.gate.data() + index_of(t * pass.rows * pass.gate_columns());
    view.products.multiply({h, pass.rows, pass.hidden, false}, parameter_matrix(view, recurrent, true), sums,
                           Store::add);
    advance(view, pass, t);
  }
  return pass;
}

template <typename T>
Array<T> output_of(const NodeView<T>& view, const Pass<T>& pass) {
  const auto state = static_cast<std::ptrdiff_t>(pass.state_size());
  if (model::flag(view.node, "last_only")) {
    Array<T> output({pass.rows, pass.hidden});
    std::copy(pass.h.end() - state, pass.h.end(), output.values.begin());
    return output;
  }
  Array<T> output({pass.rows, pass.positions, pass.hidden});
  output.values = swapped(std::vector<T>(pass.h.begin() + state, pass.h.end()), pass.positions, pass.rows);
  return output;
}

// What one evaluation's forward pass leaves, and the gates' gradients once they are known.
template <typename T>
struct Kept {
  Pass<T> pass;
  std::vector<T> dgate{};
};

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  Pass<T> pass = run(view);
  Array<T> output = output_of(view, pass);
  if (view.kept != nullptr) {
    *view.kept = Kept<T>{std::move(pass)};
  }
  return output;
}

// d loss / d output with time first; zero before the last position where only that one is read.
template <typename T>
std::vector<T> output_gradients(const NodeView<T>& view, const Pass<T>& pass, const Array<T>& given) {
  if (!model::flag(view.node, "last_only")) {
    return swapped(given.values, pass.rows, pass.positions);
  }
  std::vector<T> result(pass.cell_value.size());
  std::ranges::copy(given.values, result.end() - static_cast<std::ptrdiff_t>(pass.state_size()));
  return result;
}

// One position back: fills in its gates' gradients and turns d loss / d cell into that of the cell before.
template <typename T>
void retreat(const Pass<T>& pass, std::int64_t position, const std::vector<T>& dh, std::vector<T>& dcell,
             std::vector<T>& dgate) {
  const std::size_t now = index_of(position) * pass.state_size();
  for (std::size_t i = 0; i < pass.state_size(); ++i) {
    const auto gate = [&](std::size_t g) { return pass.gate[pass.gate_at(position, i, g)]; };
    const auto put = [&](std::size_t g, T gradient) { dgate[pass.gate_at(position, i, g)] = gradient; };
    const auto slope = [&](std::size_t g) { return gate(g) * (T{1} - gate(g)); };
    const T value = pass.cell_value[now + i];
    const T dc = dcell[i] + dh[i] * gate(output_gate) * (T{1} - value * value);
    put(input_gate, dc * gate(candidate) * slope(input_gate));
    put(forget_gate, dc * pass.cell[now + i] * slope(forget_gate));
    put(candidate, dc * gate(input_gate) * (T{1} - gate(candidate) * gate(candidate)));
    put(output_gate, dh[i] * value * slope(output_gate));
    dcell[i] = dc * gate(forget_gate);
  }
}

// d loss / d (the gates' sums), [positions, rows, 4 hidden].
template <typename T>
std::vector<T> gate_gradients(const NodeView<T>& view, const Pass<T>& pass, const Array<T>& given) {
  const std::vector<T> dy = output_gradients(view, pass, given);
  std::vector<T> dgate(pass.gate.size());
  std::vector<T> dh(pass.state_size());
  std::vector<T> dcell(pass.state_size());
  for (std::int64_t t = pass.positions; t-- > 0;) {
    for (std::size_t i = 0; i < dh.size(); ++i) {
      dh[i] += dy[index_of(t) * pass.state_size() + i];
    }
    retreat(pass, t, dh, dcell, dgate);
    const T* const sums = dgate.data() + index_of(t * pass.rows * pass.gate_columns());
    view.products.multiply({sums, pass.rows, pass.gate_columns(), false},
                           parameter_matrix(view, recurrent, false), dh.data());
  }
  return dgate;
}

// The evaluation's pass and the gates' gradients, from the walk where it has them.
template <typename T>
const Kept<T>& recall(const NodeView<T>& view, const Array<T>& output_gradient, Kept<T>& own) {
  auto* kept = view.kept != nullptr ? std::any_cast<Kept<T>>(view.kept) : nullptr;
  if (kept == nullptr) {
    own.pass = run(view);
    kept = &own;
  }
  if (kept->dgate.empty()) {
    kept->dgate = gate_gradients(view, kept->pass, output_gradient);
  }
  return *kept;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Kept<T> own;
  const auto& [pass, dgate] = recall(view, output_gradient, own);
  std::vector<T> dx(pass.x.size());
  view.products.multiply({dgate.data(), pass.positions * pass.rows, pass.gate_columns(), false},
                         parameter_matrix(view, weight, false), dx.data());
  Array<T> gradient(view.inputs[0]->shape);
  gradient.values = swapped(dx, pass.positions, pass.rows);
  return {std::move(gradient)};
}

// Sums over all positions of the gates' gradients times what they were multiplied with.
template <typename T>
std::vector<Array<T>> sums_of_products(const NodeView<T>& view, const Pass<T>& pass,
                                       const std::vector<T>& dgate) {
  std::vector<Array<T>> gradients;
  gradients.reserve(view.parameters.size());
  for (const Array<T>* parameter : view.parameters) {
    gradients.emplace_back(parameter->shape);
  }
  const std::int64_t height = pass.positions * pass.rows;
  const MatrixView<T> sums{dgate.data(), height, pass.gate_columns(), true};
  view.products.multiply(sums, {pass.x.data(), height, pass.features, false},
                         gradients[weight].values.data());
  view.products.multiply(sums, {pass.h.data(), height, pass.hidden, false},
                         gradients[recurrent].values.data());
  view.products.column_sums(dgate.data(), height, pass.gate_columns(), gradients[bias].values.data());
  return gradients;
}

template <typename T>
std::vector<Array<T>> parameter_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Kept<T> own;
  const auto& [pass, dgate] = recall(view, output_gradient, own);
  std::vector<Array<T>> gradients = sums_of_products(view, pass, dgate);
  if (view.arithmetic().double_bias) {
    add_to(gradients[bias], Array<T>(gradients[bias]));
  }
  return gradients;
}

template <typename T>
void make_absolute(std::vector<T>& values) {
  for (T& value : values) {
    value = std::abs(value);
  }
}

template <typename T>
std::vector<double> parameter_scales(const NodeView<T>& view, const Array<T>& output_gradient) {
  Kept<T> own;
  auto [pass, dgate] = recall(view, output_gradient, own);
  make_absolute(dgate);
  make_absolute(pass.x);
  make_absolute(pass.h);
  std::vector<double> scales;
  for (const Array<T>& terms : sums_of_products(view, pass, dgate)) {
    scales.push_back(largest_magnitude(terms.values));
  }
  return scales;
}

}  // namespace

template <typename T>
Operator<T> lstm() {
  return {.name = "lstm",
          .forward = forward<T>,
          .input_gradients = input_gradients<T>,
          .parameter_gradients = parameter_gradients<T>,
          .parameter_scales = parameter_scales<T>};
}

template Operator<double> lstm();
template Operator<float> lstm();

}  // namespace dlbench::oracle::ops
