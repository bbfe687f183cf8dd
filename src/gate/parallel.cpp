#include "gate/parallel.hpp"

#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace dlbench::gate {

std::size_t thread_count() {
  return std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
}

void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work) {
  // The BLAS of the oracle would start as many threads again for each of ours, and they wait by spinning.
  openblas_set_num_threads(1);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr first_error;
  const auto serve = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {  // carried over to the calling thread, never swallowed
        const std::scoped_lock lock(mutex);
        if (!first_error) {
          first_error = std::current_exception();
        }
        next = count;
      }
    }
  };
  const std::size_t threads = std::min(count, thread_count());
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) {
      others.emplace_back(serve);
    }
    serve();
  }
  if (first_error) {
    std::rethrow_exception(first_error);
  }
}

}  // namespace dlbench::gate
