// Independent oracle evaluations on a few threads.
#pragma once

#include <cstddef>
#include <functional>

namespace dlbench::gate {

// One to eight.
[[nodiscard]] std::size_t thread_count();

// Calls work(0) … work(count - 1), each once, on thread_count() threads; returns when all are done. The first
// exception is thrown again here, after the others have finished.
void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace dlbench::gate
