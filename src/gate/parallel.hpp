// Independent oracle evaluations on a few threads.
#pragma once

#include <cstddef>
#include <functional>

namespace dlbench::gate {

// The BLAS of the oracle would start as many threads for each of ours as there are CPUs, and they wait by
// spinning, beside runners that are pinned to the same CPUs. For the whole process; every oracle run calls
// it.
void use_one_blas_thread();

// As many as the calling thread has CPUs, one to eight.
[[nodiscard]] std::size_t thread_count();

// Calls work(0) … work(count - 1), each once, on thread_count() threads; returns when all are done. The first
// exception is thrown again here, after the others have finished.
void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace dlbench::gate
