// The one refusal a runner may utter: this work is not possible here, and why.
#pragma once

#include <stdexcept>

namespace dlbench::sdk {

// Becomes the outcome UNSUPPORTED; the text names what is missing ("op lstm", "precision bf16").
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dlbench::sdk
