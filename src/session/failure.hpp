// Short ways to make a Failure. Internal to this folder.
#pragma once

#include <string>
#include <utility>

#include "session/session.hpp"

namespace dlbench::session {

[[nodiscard]] inline tl::unexpected<Failure> broke_protocol(std::string reason) {
  return tl::unexpected<Failure>(Failure{"PROTOCOL", std::move(reason), true});
}

}  // namespace dlbench::session
