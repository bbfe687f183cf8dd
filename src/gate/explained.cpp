#include "gate/explained.hpp"

#include <cmath>

namespace dlbench::gate {

bool is_explained(const Difference& effect, const Difference& rest, double limit) {
  const bool is_near = std::isinf(limit) || rest.error <= explained_limits * limit;
  return is_near || (std::isfinite(effect.error) && rest.norm <= unexplained_share * effect.norm);
}

}  // namespace dlbench::gate
