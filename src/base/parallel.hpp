// Independent pieces of work on a few threads.
#pragma once

#include <cstddef>
#include <functional>

namespace dlbench::base {

// Calls work(index, worker) for every index below `count`, each once and in order, at most `workers` at a
// time (at least one), worker numbers from 0; returns when all are done. After an exception no further piece
// begins, and the first one is thrown again here.
void for_each_index(std::size_t count, std::size_t workers,
                    const std::function<void(std::size_t index, std::size_t worker)>& work);

}  // namespace dlbench::base
