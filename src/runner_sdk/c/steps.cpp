// The clock and the step records. What runs between two clock reads is visible here in full.
#include <time.h>

#include "handle.hpp"

namespace {

std::int64_t read_clock(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

dlb_step_record* record_of(dlb_handle* handle, std::uint64_t step) {
  return step < handle->step_capacity ? &handle->records[step] : &handle->spill;
}

}  // namespace

extern "C" {

std::int64_t dlb_now_ns(void) {
  return read_clock(CLOCK_MONOTONIC);
}

double dlb_rate(const dlb_handle* h, std::uint64_t step) {
  return step < h->step_capacity ? h->rates[step] : __builtin_nan("");
}

std::uint64_t dlb_step_capacity(const dlb_handle* h) {
  return h->step_capacity;
}

void dlb_window_begin(dlb_handle* h) {
  if (!h->is_open) {
    return;
  }
  h->header->window_end_ns = 0;
  h->header->cpu_end_ns = 0;
  __atomic_store_n(&h->header->completed_steps, 0, __ATOMIC_RELEASE);
  h->header->cpu_begin_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  h->header->window_begin_ns = read_clock(CLOCK_MONOTONIC);
}

void dlb_window_end(dlb_handle* h) {
  const std::int64_t now_ns = read_clock(CLOCK_MONOTONIC);
  if (!h->is_open) {
    return;
  }
  h->header->window_end_ns = now_ns;
  h->header->cpu_end_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void dlb_step_begin(dlb_handle* h, std::uint64_t step) {
  dlb_step_record* record = record_of(h, step);
  record->loss_valid =
      0;  // an earlier chunk may have left one; also brings the cache line in before the clock runs
  record->begin_ns = read_clock(CLOCK_MONOTONIC);
}

void dlb_step_end(dlb_handle* h, std::uint64_t step) {
  const std::int64_t now_ns = read_clock(CLOCK_MONOTONIC);
  record_of(h, step)->end_ns = now_ns;
  if (step < h->step_capacity) {
    __atomic_store_n(&h->header->completed_steps, step + 1, __ATOMIC_RELEASE);
  }
}

void dlb_loss(dlb_handle* h, std::uint64_t step, double loss) {
  dlb_step_record* record = record_of(h, step);
  record->loss = loss;
  record->loss_valid = 1;
}

}  // extern "C"
