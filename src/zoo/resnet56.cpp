// ResNet-56 for 32x32 pictures (He et al. 2015, section 4.2: n = 9, widths 16, 32, 64) with projections where
// the width grows (their option B), because that is made of operators that every framework has.
#include <fmt/format.h>

#include "zoo/layers.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::zoo {
namespace {

constexpr int blocks_per_stage = 9;

model::Attributes plain_conv(std::int64_t channels, std::int64_t size, std::int64_t stride) {
  model::Attributes attributes = conv(channels, size, size / 2);
  attributes["stride"] = model::extents({stride, stride});
  attributes["bias"] = false;
  return attributes;
}

// Reads the value `from`; its own ends in "<name>_out".
void add_block(model::Builder& builder, const std::string& name, const std::string& from,
               std::int64_t channels, std::int64_t stride) {
  builder.add_from(name + "_conv1", "conv2d", {from}, plain_conv(channels, 3, stride))
      .add(name + "_norm1", "batch_norm")
      .add(name + "_relu1", "relu")
      .add(name + "_conv2", "conv2d", plain_conv(channels, 3, 1))
      .add(name + "_norm2", "batch_norm");
  std::string shortcut = from;
  if (stride > 1) {
    shortcut = name + "_short";
    builder.add_from(name + "_project", "conv2d", {from}, plain_conv(channels, 1, stride))
        .add(shortcut, "batch_norm");
  }
  builder.add_from(name + "_sum", "add", {name + "_norm2", shortcut}).add(name + "_out", "relu");
}

}  // namespace

model::Graph resnet56() {
  model::Builder builder("resnet56", {3, 32, 32});
  builder.add("stem", "conv2d", plain_conv(16, 3, 1)).add("stem_norm", "batch_norm").add("stem_out", "relu");
  std::string last = "stem_out";
  for (int stage = 1; stage <= 3; ++stage) {
    const std::int64_t channels = std::int64_t{8} << static_cast<unsigned>(stage);
    for (int block = 1; block <= blocks_per_stage; ++block) {
      const std::string name = fmt::format("s{}b{}", stage, block);
      add_block(builder, name, last, channels, stage > 1 && block == 1 ? 2 : 1);
      last = name + "_out";
    }
  }
  return builder.add("mean", "global_avg_pool")
      .add("flat", "flatten")
      .add("score", "dense", dense(10))
      .finish();
}

}  // namespace dlbench::zoo
