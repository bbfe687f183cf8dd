#include "model/detail/between_convolutions.hpp"

#include <utility>
#include <vector>

#include "model/builder.hpp"

namespace dlbench::model {

Graph between_convolutions(const std::string& op, Attributes attributes, int inputs) {
  const auto convolution = [](std::int64_t kernel) {
    return Attributes{{"out_channels", count(16)}, {"kernel", extents({kernel, kernel})}};
  };
  Builder builder(op + "_between", {2, 6, 6});
  std::vector<std::string> before;
  for (int i = 1; i <= inputs; ++i) {
    before.push_back("before" + std::to_string(i));
    builder.add_from(before.back(), "conv2d", {"input"}, convolution(3));
  }
  return builder.add_from("middle", op, std::move(before), std::move(attributes))
      .add("after", "conv2d", convolution(1))
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(3)}})
      .finish();
}

}  // namespace dlbench::model
