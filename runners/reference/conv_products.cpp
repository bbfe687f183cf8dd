#include "conv_products.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "pictures.hpp"
#include "products.hpp"
#include "relu.hpp"
#include "sgd.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;

constexpr std::int64_t cells_at_a_time = 128;  // their unrolled windows stay in the second-level cache
constexpr std::int64_t onednn_block = 16;
constexpr std::int64_t min_window = 128;  // shorter products do not pay
constexpr double max_fill_ratio = 0.75;

Unrolling unrolling_of(const model::Node& node, const Place& in) {
  const auto& kernel = model::integers(node, "kernel");
  const auto& stride = model::integers(node, "stride");
  const auto& dilation = model::integers(node, "dilation");
  const auto& pads = model::integers(node, "pads");
  return {in.shape[0], in.shape[1], in.shape[2], node.output_shape[1], node.output_shape[2], kernel[0],
          kernel[1],   stride[0],   stride[1],   dilation[0],          dilation[1],          pads[0],
          pads[1]};
}

// One convolution of one program. Weights are [out, kernel row, kernel column, in].
class ProductConvolution {
 public:
  ProductConvolution(Program& program, const model::Node& node, const Place* in, Place* out);

  void forward();
  void backward_weights();
  void backward_data();

  Weights* weight = nullptr;
  Weights* bias = nullptr;

 private:
  // What one thread needs: it works alone on its share of the pictures, in pieces of a few output rows.
  struct Scratch {
    Buffer matrix;    // unrolled windows [cells, window]
    Buffer turned;    // [out channels, cells]
    Buffer gradient;  // this thread's share of the sums
    Buffer bias_gradient;
  };
  struct Share {
    std::int64_t begin;
    std::int64_t end;
  };

  // Output rows of a thread; whole pictures, so that no two threads add to the same cell.
  [[nodiscard]] Share share_of(int thread, int threads) const;
  // Calls piece(first, last, cells) for the pieces of a share.
  template <class Piece>
  void for_each_piece(Share share, Piece piece) const;
  void finish_piece(const Scratch& scratch, std::int64_t first, std::int64_t cells);
  void sum_weight_gradients();

  const Place* in_;
  Place* out_;
  Unrolling shape_;
  std::int64_t rows_;
  std::int64_t channels_;  // out
  std::int64_t window_;
  std::int64_t output_rows_at_a_time_;
  std::vector<Scratch> scratch_;
};

ProductConvolution::ProductConvolution(Program& program, const model::Node& node, const Place* in, Place* out)
    : in_(in),
      out_(out),
      shape_(unrolling_of(node, *in)),
      rows_(program.rows()),
      channels_(node.output_shape[0]),
      window_(shape_.row_width()),
      output_rows_at_a_time_(std::max<std::int64_t>(1, cells_at_a_time / shape_.out_width)) {
  using dnnl::memory;
  const sdk::Parameter& parameter = node.parameters[0];
  const memory::desc flat({channels_ * window_}, memory::data_type::f32, memory::format_tag::x);
  weight = &program.network().add_weights(parameter, sdk::Layout(parameter.shape).permute({0, 2, 3, 1}), flat,
                                          flat);
  if (model::flag(node, "bias")) {
    const memory::desc plain({channels_}, memory::data_type::f32, memory::format_tag::x);
    bias = &program.network().add_weights(node.parameters[1], sdk::Layout(node.parameters[1].shape), plain,
                                          plain);
  }
  const std::int64_t cells = output_rows_at_a_time_ * shape_.out_width;
  for (int thread = 0; thread < program.network().load().threads; ++thread) {
    const auto size = [](std::int64_t count) { return Buffer(static_cast<std::size_t>(count)); };
    scratch_.push_back(
        {size(cells * window_), size(cells * channels_), size(channels_ * window_), size(channels_)});
  }
}

ProductConvolution::Share ProductConvolution::share_of(int thread, int threads) const {
  return {rows_ * thread / threads * shape_.out_height, rows_ * (thread + 1) / threads * shape_.out_height};
}

template <class Piece>
void ProductConvolution::for_each_piece(Share share, Piece piece) const {
  for (std::int64_t first = share.begin; first < share.end; first += output_rows_at_a_time_) {
    const std::int64_t last = std::min(first + output_rows_at_a_time_, share.end);
    piece(first, last, (last - first) * shape_.out_width);
  }
}

// The product is computed as [channel, cell]: there oneDNN pads channels to 8, the other way round to 16. It
// is turned into NHWC while the bias is added and the relu applied.
void ProductConvolution::finish_piece(const Scratch& scratch, std::int64_t first, std::int64_t cells) {
  const float* __restrict turned = scratch.turned.data();
  float* __restrict out = out_->values->data() + first * shape_.out_width * channels_;
  const float* offsets = bias == nullptr ? nullptr : bias->values.data();
  const bool has_relu = out_->has_relu;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    for (std::int64_t c = 0; c < channels_; ++c) {
      const float sum = turned[c * cells + cell] + (offsets == nullptr ? 0.0F : offsets[c]);
      out[cell * channels_ + c] = has_relu && !(sum > 0.0F) ? 0.0F : sum;
    }
  }
}

void ProductConvolution::forward() {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    const Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
    for_each_piece(share_of(thread, omp_get_num_threads()),
                   [&](std::int64_t first, std::int64_t last, std::int64_t cells) {
                     unroll(shape_, in_->values->data(), first, last, scratch.matrix.data());
                     multiply('N', 'T', channels_, cells, window_, 1.0F, weight->values.data(), window_,
                              scratch.matrix.data(), window_, 0.0F, scratch.turned.data(), cells);
                     finish_piece(scratch, first, cells);
                   });
  }
}

void ProductConvolution::backward_weights() {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    const Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
    const Share share = share_of(thread, omp_get_num_threads());
    std::memset(scratch.bias_gradient.data(), 0, static_cast<std::size_t>(channels_) * sizeof(float));
    if (share.begin == share.end) {
      std::memset(scratch.gradient.data(), 0, static_cast<std::size_t>(channels_ * window_) * sizeof(float));
    }
    for_each_piece(share, [&](std::int64_t first, std::int64_t last, std::int64_t cells) {
      const float* dy = out_->gradient->data() + first * shape_.out_width * channels_;
      unroll(shape_, in_->values->data(), first, last, scratch.matrix.data());
      multiply('T', 'N', channels_, window_, cells, 1.0F, dy, channels_, scratch.matrix.data(), window_,
               first == share.begin ? 0.0F : 1.0F, scratch.gradient.data(), window_);
      if (bias != nullptr) {
        add_rows(dy, scratch.bias_gradient.data(), cells, channels_);
      }
    });
  }
  sum_weight_gradients();
}

// In the order of the threads, so that the same number of them always gives the same bits.
void ProductConvolution::sum_weight_gradients() {
  float* __restrict sums = weight->gradient.data();
  const std::int64_t count = channels_ * window_;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    float sum = scratch_[0].gradient.data()[i];
    for (std::size_t thread = 1; thread < scratch_.size(); ++thread) {
      sum += scratch_[thread].gradient.data()[i];
    }
    sums[i] = sum;
  }
  for (std::int64_t c = 0; bias != nullptr && c < channels_; ++c) {
    float sum = 0.0F;
    for (const Scratch& scratch : scratch_) {
      sum += scratch.bias_gradient.data()[c];
    }
    bias->gradient.data()[c] = sum;
  }
}

void ProductConvolution::backward_data() {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    const Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
    const Share share = share_of(thread, omp_get_num_threads());
    float* dx = in_->gradient->data();
    const std::int64_t begin = share.begin / shape_.out_height * shape_.in_count();
    const std::int64_t end = share.end / shape_.out_height * shape_.in_count();
    std::memset(dx + begin, 0, static_cast<std::size_t>(end - begin) * sizeof(float));
    for_each_piece(share, [&](std::int64_t first, std::int64_t last, std::int64_t cells) {
      const float* dy = out_->gradient->data() + first * shape_.out_width * channels_;
      multiply('N', 'N', cells, window_, channels_, 1.0F, dy, channels_, weight->values.data(), window_, 0.0F,
               scratch.matrix.data(), window_);
      add_back(shape_, scratch.matrix.data(), first, last, dx);
    });
  }
}

double fill_ratio(std::int64_t channels) {
  const std::int64_t padded = (channels + onednn_block - 1) / onednn_block * onednn_block;
  return static_cast<double>(channels) / static_cast<double>(padded);
}

}  // namespace

bool prefers_products(const model::Node& node, const Place& in) {
  const double fill = fill_ratio(in.shape[0]) * fill_ratio(node.output_shape[0]);
  return model::integer(node, "groups") == 1 && unrolling_of(node, in).row_width() >= min_window &&
         fill < max_fill_ratio;
}

void build_product_convolution(Program& program, const model::Node& node, const Place* in, Place* out) {
  const auto convolution = std::make_shared<ProductConvolution>(program, node, in, out);
  program.forward(node.name + ".forward", [=] { convolution->forward(); });
  if (program.rows() == program.network().load().batch) {
    program.network().choices().push_back({node.name, "matrix products", "rule on channel padding"});
  }
  if (!program.trains()) {
    return;
  }
  std::vector<Task> tasks;
  if (out->has_relu) {
    tasks.push_back(make_mask(out, program.rows() * out->width(), node.name));
  }
  tasks.push_back({node.name + ".backward_weights", [=] { convolution->backward_weights(); }});
  if (in->gradient != nullptr) {
    tasks.push_back({node.name + ".backward_data", [=] { convolution->backward_data(); }});
  }
  tasks.push_back(make_update(program.network(), *convolution->weight));
  if (convolution->bias != nullptr) {
    tasks.push_back(make_update(program.network(), *convolution->bias));
  }
  program.backward(tasks);
}

}  // namespace reference
