// A small work for any graph where there is no data set: drawn images, labels at random, a recipe that uses
// everything. What `verify --ops` and the gate's own tests prove operators on.
#pragma once

#include <cstdint>

#include "gate/gate.hpp"

namespace dlbench::gate {

// Rows of the endless sequence that `seed` names, from sample `first` on. Images are strokes on a flat black
// background, quantised to bytes like real ones, so that pooling ties, dead regions and their noise appear as
// they do with real data; other inputs are uniform in [0, 1).
[[nodiscard]] model::Batch sample_batch(const model::Graph& graph, std::int64_t rows, std::int64_t first,
                                        std::uint64_t seed = 7);

// Ten batches of `rows`, a partial one when `partial_rows` is not 0, and one batch beyond the 2000th sample.
[[nodiscard]] Work sample_work(const model::Graph& graph, std::int64_t rows, std::int64_t partial_rows = 0);

}  // namespace dlbench::gate
