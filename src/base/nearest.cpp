#include "base/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace dlbench::base {
namespace {

// Longer names are cut: a hint is not worth quadratic time on hostile input.
constexpr std::size_t compared_characters = 64;

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known) {
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(name.substr(0, compared_characters),
                                               std::string_view(candidate).substr(0, compared_characters));
    const std::size_t allowed = candidate.size() <= 3 ? 1 : std::max<std::size_t>(2, candidate.size() / 3);
    if (distance <= allowed && (!best || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string nearest_hint(std::string_view name, const std::vector<std::string>& known) {
  if (const auto candidate = nearest(name, known)) {
    return fmt::format("did you mean '{}'?", *candidate);
  }
  return fmt::format("known: {}", fmt::join(known, ", "));
}

}  // namespace dlbench::base
