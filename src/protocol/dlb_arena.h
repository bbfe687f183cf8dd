/* Memory layout of the arena shared by host and runner. C99; part of the format: see docs/formats/arena.md.
 *
 * The arena is one sealed memfd. The host lays it out and writes it only while the runner waits for a
 * command; the runner writes only between receiving a command and replying to it. `completed_steps` is the
 * one exception. All offsets are in bytes from the start of the arena and multiples of 64. Integers are
 * little-endian, native width.
 */
#ifndef DLB_ARENA_H
#define DLB_ARENA_H

#include <stdint.h>

#define DLB_ABI 1u                            /* one number for arena, messages and library */
#define DLB_ARENA_MAGIC 0x414e455241424c44ull /* "DLBARENA" read as little-endian */
#define DLB_ALIGNMENT 64u
#define DLB_NAME_BYTES 128u /* with the terminating NUL */
#define DLB_MAX_RANK 6u
#define DLB_MAX_TENSORS 4096u
#define DLB_MAX_SLOTS 4096u
#define DLB_MESSAGE_MAX_BYTES (4u << 20) /* one line of JSON with its newline */
#define DLB_SOCKET_FD 3
#define DLB_ARENA_FD 4

/* The names are C's. NOLINTBEGIN(readability-identifier-naming) */
enum dlb_dtype { DLB_F32 = 1, DLB_I64 = 2 };
enum dlb_role { DLB_ROLE_IN = 1, DLB_ROLE_OUT = 2 }; /* written by the host / by the runner */
/* NOLINTEND(readability-identifier-naming) */

struct dlb_tensor_entry { /* 256 bytes */
  char name[DLB_NAME_BYTES];
  uint32_t role;  /* enum dlb_role; (name, role) is unique */
  uint32_t dtype; /* enum dlb_dtype */
  uint32_t rank;
  uint32_t written; /* set to 1 by dlb_store; cleared by the host */
  int64_t dims[DLB_MAX_RANK];
  uint64_t offset;
  uint64_t bytes;
  uint8_t reserved[48];
};

struct dlb_slot_entry { /* 64 bytes: one batch of the ring */
  uint64_t input_offset;
  uint64_t input_bytes; /* of the rows really present */
  uint64_t target_offset;
  uint64_t target_bytes;
  uint64_t output_offset; /* logits of `infer`, float32 [rows, …, classes]; 0 when there is none */
  uint64_t output_bytes;  /* capacity */
  uint64_t rows;          /* samples in this slot: the full batch, or the last partial one */
  uint64_t reserved;
};

struct dlb_step_record { /* 32 bytes: raw sample of one step */
  int64_t begin_ns;      /* CLOCK_MONOTONIC */
  int64_t end_ns;
  double loss; /* valid when loss_valid is 1 */
  uint64_t loss_valid;
};

struct dlb_arena_header { /* 512 bytes */
  uint64_t magic;
  uint32_t abi;
  uint32_t header_bytes; /* sizeof(struct dlb_arena_header) */
  uint64_t arena_bytes;  /* equals the size of the file */
  uint64_t generation;   /* the host adds 1 whenever it lays the arena out anew (between commands) */
  uint32_t tensor_count;
  uint32_t slot_count;
  uint64_t tensors_offset; /* struct dlb_tensor_entry[tensor_count] */
  uint64_t slots_offset;   /* struct dlb_slot_entry[slot_count] */
  uint64_t records_offset; /* struct dlb_step_record[step_capacity] */
  uint64_t rates_offset;   /* double[step_capacity]: learning rate of step i of the next chunk */
  uint64_t step_capacity;  /* longest chunk */
  uint8_t reserved0[48];
  /* offset 128: written by the runner, window_* by dlb_window_begin / dlb_window_end */
  int64_t window_begin_ns;
  int64_t window_end_ns;
  int64_t cpu_begin_ns; /* user + system time of the process (CLOCK_PROCESS_CPUTIME_ID) */
  int64_t cpu_end_ns;
  uint8_t reserved1[32];
  /* offset 192: its own cache line; release-stored by the runner, acquire-loaded by the host; reset to 0 by
     dlb_window_begin. After a crash exactly the records below it are valid. */
  uint64_t completed_steps;
  uint8_t reserved2[56];
  uint8_t reserved3[256];
};

#endif
