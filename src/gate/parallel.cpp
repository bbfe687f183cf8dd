#include "gate/parallel.hpp"

#include <cblas.h>
#include <sched.h>

#include <algorithm>
#include <mutex>

#include "base/parallel.hpp"

namespace dlbench::gate {

void use_one_blas_thread() {
  static std::once_flag once;
  std::call_once(once, [] { openblas_set_num_threads(1); });
}

std::size_t thread_count() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return static_cast<std::size_t>(std::clamp(cpus, 1, 8));
}

void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work) {
  use_one_blas_thread();
  base::for_each_index(count, thread_count(), [&](std::size_t index, std::size_t) { work(index); });
}

}  // namespace dlbench::gate
