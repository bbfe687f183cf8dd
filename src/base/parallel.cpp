#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace dlbench::base {

void for_each_index(std::size_t count, std::size_t workers,
                    const std::function<void(std::size_t index, std::size_t worker)>& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr first_error;
  const auto serve = [&](std::size_t worker) {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i, worker);
      } catch (...) {  // carried over to the calling thread, never swallowed
        const std::scoped_lock lock(mutex);
        if (!first_error) {
          first_error = std::current_exception();
        }
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t worker = 1; worker < std::min(count, workers); ++worker) {
      others.emplace_back([&, worker] { serve(worker); });
    }
    serve(0);
  }
  if (first_error) {
    std::rethrow_exception(first_error);
  }
}

}  // namespace dlbench::base
