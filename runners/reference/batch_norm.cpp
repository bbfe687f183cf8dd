// batch_norm by oneDNN on NHWC; features are pictures of one cell. A relu behind it is computed there.
#include <algorithm>
#include <memory>
#include <tuple>

#include "ops.hpp"
#include "sgd.hpp"

namespace reference {
namespace {

namespace model = dlbench::model;
namespace sdk = dlbench::sdk;
using dnnl::memory;
using dnnl::normalization_flags;
using Arguments = std::vector<std::pair<int, memory>>;
using Forward = dnnl::batch_normalization_forward;
using Backward = dnnl::batch_normalization_backward;

memory::desc row_of(std::int64_t count) {
  return {{count}, memory::data_type::f32, memory::format_tag::x};
}

memory::desc picture_of(std::int64_t rows, const model::Shape& shape) {
  const bool is_picture = shape.size() == 3;
  return {{rows, shape[0], is_picture ? shape[1] : 1, is_picture ? shape[2] : 1},
          memory::data_type::f32,
          memory::format_tag::nhwc};
}

memory over(const memory::desc& desc, const Buffer& buffer) {
  return {desc, engine(), buffer.data()};
}

std::shared_ptr<Call> call(const dnnl::primitive& primitive, const Arguments& arguments) {
  return std::make_shared<Call>(primitive, arguments);
}

class BatchNorm {
 public:
  BatchNorm(Program& program, const model::Node& node, Place* in);

  [[nodiscard]] Place* out() const { return out_; }
  void add_forward();
  void add_backward();

 private:
  [[nodiscard]] Weights* parameter(std::size_t index);
  [[nodiscard]] Forward::primitive_desc choose(dnnl::prop_kind kind, normalization_flags more) const;
  [[nodiscard]] memory source();
  [[nodiscard]] Arguments forward_arguments();
  [[nodiscard]] std::shared_ptr<Call> evaluation();
  [[nodiscard]] Task running_statistics();
  void report(const char* what, const char* implementation);

  Program& program_;
  const model::Node& node_;
  const Place* in_;
  Place* out_;
  std::int64_t channels_;
  std::int64_t count_;  // values of each channel in a batch
  memory::desc desc_;
  memory::desc row_;
  normalization_flags flags_;
  Weights* scale_;
  Weights* shift_;
  Weights* mean_;
  Weights* variance_;
  std::shared_ptr<Buffer> batch_mean_;
  std::shared_ptr<Buffer> batch_variance_;  // biased
  std::shared_ptr<Buffer> unread_;          // gradient of an input that nobody asks for
  Forward::primitive_desc training_;
  memory workspace_;  // where the relu let the gradient through
};

BatchNorm::BatchNorm(Program& program, const model::Node& node, Place* in)
    : program_(program),
      node_(node),
      in_(in),
      out_(program.add_place(node.output_shape, true)),
      channels_(in->shape[0]),
      count_(program.rows() * in->width() / in->shape[0]),
      desc_(picture_of(program.rows(), in->shape)),
      row_(row_of(channels_)),
      flags_(normalization_flags::use_scale | normalization_flags::use_shift),
      scale_(parameter(0)),
      shift_(parameter(1)),
      mean_(parameter(2)),
      variance_(parameter(3)),
      batch_mean_(std::make_shared<Buffer>(static_cast<std::size_t>(channels_))),
      batch_variance_(std::make_shared<Buffer>(static_cast<std::size_t>(channels_))) {
  out_->flattened = in->flattened;
  out_->has_relu = program.relu_follows(node);
  if (out_->has_relu) {
    flags_ = flags_ | normalization_flags::fuse_norm_relu;
  }
}

// Channels of a flattened picture lie in the order of NHWC.
Weights* BatchNorm::parameter(std::size_t index) {
  const sdk::Parameter& parameter = node_.parameters[index];
  sdk::Layout layout(parameter.shape);
  if (in_->flattened) {
    layout = layout.channels_last(0, *in_->flattened);
  }
  return &program_.network().add_weights(parameter, layout, row_, row_);
}

Forward::primitive_desc BatchNorm::choose(dnnl::prop_kind kind, normalization_flags more) const {
  const Forward::desc wanted(kind, desc_, static_cast<float>(model::real(node_, "epsilon")), flags_ | more);
  return require_fast(Forward::primitive_desc(wanted, engine()), "batch_norm " + node_.name);
}

void BatchNorm::report(const char* what, const char* implementation) {
  if (program_.rows() == program_.network().load().batch) {
    program_.network().choices().push_back({node_.name + "." + what, implementation, "impl_info_str"});
  }
}

memory BatchNorm::source() {
  memory source(desc_, engine(), DNNL_MEMORY_NONE);
  if (in_->values->data() == nullptr) {
    program_.follow_input(source);
  } else {
    source.set_data_handle(in_->values->data());
  }
  return source;
}

Arguments BatchNorm::forward_arguments() {
  return {{DNNL_ARG_SRC, source()},
          {DNNL_ARG_DST, over(desc_, *out_->values)},
          {DNNL_ARG_SCALE, over(row_, scale_->values)},
          {DNNL_ARG_SHIFT, over(row_, shift_->values)}};
}

// With the running statistics in place of the batch's.
std::shared_ptr<Call> BatchNorm::evaluation() {
  const auto chosen = choose(dnnl::prop_kind::forward_inference, normalization_flags::use_global_stats);
  report("evaluation", chosen.impl_info_str());
  Arguments arguments = forward_arguments();
  arguments.emplace_back(DNNL_ARG_MEAN, over(row_, mean_->values));
  arguments.emplace_back(DNNL_ARG_VARIANCE, over(row_, variance_->values));
  return call(Forward(chosen), arguments);
}

void BatchNorm::add_forward() {
  const auto evaluate = evaluation();
  if (!program_.trains()) {
    program_.forward(node_.name + ".forward", [evaluate] { evaluate->run(); });
    return;
  }
  training_ = choose(dnnl::prop_kind::forward_training, normalization_flags::none);
  report("forward", training_.impl_info_str());
  Arguments arguments = forward_arguments();
  arguments.emplace_back(DNNL_ARG_MEAN, over(row_, *batch_mean_));
  arguments.emplace_back(DNNL_ARG_VARIANCE, over(row_, *batch_variance_));
  if (out_->has_relu) {
    workspace_ = memory(training_.workspace_desc(), engine());
    arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_);
  }
  const auto train = call(Forward(training_), arguments);
  const StepNumbers* numbers = &program_.network().numbers();
  program_.forward(node_.name + ".forward", [=] { (numbers->is_training ? train : evaluate)->run(); });
}

// Of the batch's variance the unbiased form goes into the running one.
Task BatchNorm::running_statistics() {
  const auto share = static_cast<float>(model::real(node_, "momentum"));
  const std::int64_t freedom = std::max<std::int64_t>(1, count_ - 1);
  const auto unbiased = static_cast<float>(static_cast<double>(count_) / static_cast<double>(freedom));
  const auto move = [=, channels = channels_](const Buffer& running, const Buffer& batch, float factor) {
    for (std::int64_t c = 0; c < channels; ++c) {
      running.data()[c] += share * (factor * batch.data()[c] - running.data()[c]);
    }
  };
  return {node_.name + ".statistics", [=, mean = mean_, variance = variance_, batch_mean = batch_mean_,
                                       batch_variance = batch_variance_] {
            move(mean->values, *batch_mean, 1.0F);
            move(variance->values, *batch_variance, unbiased);
          }};
}

void BatchNorm::add_backward() {
  const Backward::desc wanted(dnnl::prop_kind::backward, desc_, desc_,
                              static_cast<float>(model::real(node_, "epsilon")), flags_);
  const auto chosen =
      require_fast(Backward::primitive_desc(wanted, engine(), training_), "batch_norm " + node_.name);
  report("backward", chosen.impl_info_str());
  if (in_->gradient == nullptr) {
    unread_ = std::make_shared<Buffer>(static_cast<std::size_t>(program_.rows() * in_->width()));
  }
  Arguments arguments = {{DNNL_ARG_SRC, source()},
                         {DNNL_ARG_MEAN, over(row_, *batch_mean_)},
                         {DNNL_ARG_VARIANCE, over(row_, *batch_variance_)},
                         {DNNL_ARG_SCALE, over(row_, scale_->values)},
                         {DNNL_ARG_SHIFT, over(row_, shift_->values)},  // not read, but demanded
                         {DNNL_ARG_DIFF_DST, over(desc_, *out_->gradient)},
                         {DNNL_ARG_DIFF_SRC, over(desc_, unread_ ? *unread_ : *in_->gradient)},
                         {DNNL_ARG_DIFF_SCALE, over(row_, scale_->gradient)},
                         {DNNL_ARG_DIFF_SHIFT, over(row_, shift_->gradient)}};
  if (out_->has_relu) {
    arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_);
  }
  const auto backward = call(Backward(chosen), arguments);
  // They hold what the primitive's memory objects only point to.
  const auto kept = std::make_tuple(batch_mean_, batch_variance_, unread_);
  program_.backward({{node_.name + ".backward", [backward, kept] { backward->run(); }},
                     running_statistics(),
                     make_update(program_.network(), *scale_),
                     make_update(program_.network(), *shift_)});
}

}  // namespace

Place* lower_batch_norm(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  Place* in = inputs[0]->shape.size() == 3 ? program.channels_last(inputs[0]) : inputs[0];
  BatchNorm norm(program, node, in);
  norm.add_forward();
  if (program.trains()) {
    norm.add_backward();
  }
  return norm.out();
}

}  // namespace reference
