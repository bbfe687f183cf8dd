/* libdlbench_runner.so: the only thing of dlbench inside a runner's process. C99, libc only, no callbacks.
 *
 * Every function returns 0 on success and a negative number on failure unless it says otherwise; dlb_error(h)
 * then holds a sentence. One handle per process; not thread-safe: use it from the thread that runs the
 * command loop.
 */
#ifndef DLB_RUNNER_H
#define DLB_RUNNER_H

#include <stddef.h>
#include <stdint.h>

#include "dlb_arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlb_handle dlb_handle;

typedef struct dlb_tensor {
  void* data; /* inside the arena, 64-byte aligned */
  const int64_t* dims;
  uint32_t rank;
  uint32_t dtype; /* enum dlb_dtype */
  uint64_t bytes;
} dlb_tensor;

typedef struct dlb_batch {
  const float* input; /* points to int64_t where the graph has a vocabulary */
  uint64_t input_bytes;
  const int64_t* target;
  uint64_t target_bytes;
  float* output; /* NULL when the arena has no output region */
  uint64_t output_bytes;
  uint64_t rows;
} dlb_batch;

/* Takes over file descriptors 3 (socket) and 4 (arena), or replays the folder named by the environment
 * variable DLBENCH_REPLAY (files `arena` and `commands`; replies go to stdout). Checks ABI, magic and bounds.
 * `abi` is the DLB_ABI that the caller was written for; a difference is refused with both numbers. On failure
 * *h is still usable for dlb_error (never NULL). */
int dlb_open(uint32_t abi, dlb_handle** h);
const char* dlb_error(const dlb_handle* h);

/* Waits for the next command. 1: *json (NUL-terminated, *bytes without the NUL) is valid until the next call.
 * 0: the host closed the connection, leave quietly. < 0: broken framing. */
int dlb_next(dlb_handle* h, const char** json, size_t* bytes);
/* Sends one message (without newline; one is added; embedded newlines are refused). Exactly one per command,
 * and one before the first command: the description. */
int dlb_reply(dlb_handle* h, const char* json, size_t bytes);
/* Sends {"id":…,"ok":false,"outcome":…,"reason":…} with proper escaping. `id` is the command's id. */
int dlb_fail(dlb_handle* h, int64_t id, const char* outcome, const char* reason);

/* Looks a tensor up by name and role in the current layout of the arena. */
int dlb_find(dlb_handle* h, const char* name, uint32_t role, dlb_tensor* tensor);
/* Copies a float32 tensor in canonical layout into the OUT tensor `name`. A differing shape is an error. */
int dlb_store(dlb_handle* h, const char* name, const float* values, const int64_t* dims, uint32_t rank);
int dlb_tensor_count(dlb_handle* h, uint32_t* count);
/* Name, role and data of tensor i in table order. */
int dlb_tensor_at(dlb_handle* h, uint32_t i, const char** name, uint32_t* role, dlb_tensor* tensor);

int dlb_slot_count(dlb_handle* h, uint32_t* count);
int dlb_slot(dlb_handle* h, uint32_t k, dlb_batch* batch);
/* Learning rate of step `step` of the chunk; NaN when out of range. */
double dlb_rate(const dlb_handle* h, uint64_t step);
uint64_t dlb_step_capacity(const dlb_handle* h);

/* The timed loop. begin resets completed_steps, reads the process's CPU time, then the clock as its last act;
 * end reads the clock as its first act. step_begin's last act and step_end's first act are the clock. */
void dlb_window_begin(dlb_handle* h);
void dlb_window_end(dlb_handle* h);
void dlb_step_begin(dlb_handle* h, uint64_t step);
void dlb_step_end(dlb_handle* h, uint64_t step);
/* Outside the step's clock. */
void dlb_loss(dlb_handle* h, uint64_t step, double loss);

int64_t dlb_now_ns(void);
/* JSON array of the BLAS and OpenMP libraries loaded in this process and what they themselves report:
 * [{"file":…,"kind":"openblas","threads":2,"core":"Zen"},…]. Valid until the next call. Outside the clock. */
int dlb_libraries(dlb_handle* h, const char** json, size_t* bytes);
void dlb_close(dlb_handle* h);

#ifdef __cplusplus
}
#endif
#endif
