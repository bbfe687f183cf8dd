#include "program.hpp"

#include <map>

namespace runner {

std::vector<std::vector<Value>> last_readings(const std::vector<Call>& calls, Value kept) {
  std::map<Value, std::size_t> last;  // the call that reads a value last
  for (std::size_t i = 0; i < calls.size(); ++i) {
    for (const Value value : calls[i].reads) {
      last[value] = i;
    }
  }
  std::vector<std::vector<Value>> dead(calls.size());
  for (const auto& [value, call] : last) {
    if (value != kept) {
      dead[call].push_back(value);
    }
  }
  return dead;
}

}  // namespace runner
