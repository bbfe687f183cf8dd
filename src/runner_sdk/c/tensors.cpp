// Tensors and batches of the arena by name or number.
#include "tensors.hpp"

#include <string.h>

namespace dlb {

namespace {

// Bytes of a tensor with these dims, or UINT64_MAX when they are negative or the product exceeds `limit`.
std::uint64_t product_bytes(const std::int64_t* dims, std::uint32_t rank, std::uint64_t element,
                            std::uint64_t limit) {
  std::uint64_t bytes = element;
  for (std::uint32_t i = 0; i < rank; ++i) {
    if (dims[i] < 0) {
      return UINT64_MAX;
    }
    const auto extent = static_cast<std::uint64_t>(dims[i]);
    if (extent != 0 && bytes > limit / extent) {
      return UINT64_MAX;
    }
    bytes *= extent;
  }
  return bytes;
}

dlb_tensor view(const dlb_handle* handle, const dlb_tensor_entry& entry) {
  dlb_tensor tensor;
  tensor.data = handle->arena + entry.offset;
  tensor.dims = entry.dims;
  tensor.rank = entry.rank;
  tensor.dtype = entry.dtype;
  tensor.bytes = entry.bytes;
  return tensor;
}

dlb_tensor_entry* find_entry(const dlb_handle* handle, const char* name, std::uint32_t role) {
  for (std::uint32_t i = 0; i < handle->tensor_count; ++i) {
    dlb_tensor_entry* entry = &handle->tensors[i];
    if (entry->role == role && strncmp(entry->name, name, DLB_NAME_BYTES) == 0) {
      return entry;
    }
  }
  return nullptr;
}

// Looks up and checks again, because the table lies in shared memory.
dlb_tensor_entry* checked_entry(dlb_handle* handle, const char* name, std::uint32_t role) {
  if (refresh_layout(handle) != 0) {
    return nullptr;
  }
  dlb_tensor_entry* entry = find_entry(handle, name, role);
  if (entry == nullptr) {
    fail(handle, "the arena has no %s tensor %.*s", role == DLB_ROLE_IN ? "IN" : "OUT",
         static_cast<int>(DLB_NAME_BYTES), name);
    return nullptr;
  }
  return check_tensor(handle, static_cast<std::uint32_t>(entry - handle->tensors)) == 0 ? entry : nullptr;
}

bool has_shape(const dlb_tensor_entry& entry, const std::int64_t* dims, std::uint32_t rank) {
  return entry.rank == rank && (rank == 0 || memcmp(entry.dims, dims, rank * sizeof(std::int64_t)) == 0);
}

}  // namespace

int check_tensor(dlb_handle* handle, std::uint32_t i) {
  const dlb_tensor_entry& entry = handle->tensors[i];
  const std::size_t name_bytes = strnlen(entry.name, DLB_NAME_BYTES);
  if (name_bytes == 0 || name_bytes == DLB_NAME_BYTES) {
    return fail(handle, "the name of tensor %u is empty or does not end", i);
  }
  if (entry.role != DLB_ROLE_IN && entry.role != DLB_ROLE_OUT) {
    return fail(handle, "tensor %s has the unknown role %u", entry.name, entry.role);
  }
  if (entry.dtype != DLB_F32 && entry.dtype != DLB_I64) {
    return fail(handle, "tensor %s has the unknown type %u", entry.name, entry.dtype);
  }
  if (entry.rank > DLB_MAX_RANK) {
    return fail(handle, "tensor %s has rank %u, the limit is %u", entry.name, entry.rank, DLB_MAX_RANK);
  }
  if (!is_inside(handle, entry.offset, entry.bytes)) {
    return fail(handle, "tensor %s lies outside the arena", entry.name);
  }
  const std::uint64_t element = entry.dtype == DLB_F32 ? 4 : 8;
  if (product_bytes(entry.dims, entry.rank, element, handle->arena_bytes) != entry.bytes) {
    return fail(handle, "the shape of tensor %s does not give its %llu bytes", entry.name,
                static_cast<unsigned long long>(entry.bytes));
  }
  return 0;
}

int check_slot(dlb_handle* handle, std::uint32_t k) {
  const dlb_slot_entry& slot = handle->slots[k];
  if (!is_inside(handle, slot.input_offset, slot.input_bytes)) {
    return fail(handle, "the input of slot %u lies outside the arena", k);
  }
  if (!is_inside(handle, slot.target_offset, slot.target_bytes)) {
    return fail(handle, "the target of slot %u lies outside the arena", k);
  }
  if (slot.output_offset != 0 && !is_inside(handle, slot.output_offset, slot.output_bytes)) {
    return fail(handle, "the output of slot %u lies outside the arena", k);
  }
  return 0;
}

}  // namespace dlb

extern "C" {

int dlb_find(dlb_handle* h, const char* name, std::uint32_t role, dlb_tensor* tensor) {
  const dlb_tensor_entry* entry = dlb::checked_entry(h, name, role);
  if (entry == nullptr) {
    return -1;
  }
  *tensor = dlb::view(h, *entry);
  return 0;
}

int dlb_store(dlb_handle* h, const char* name, const float* values, const std::int64_t* dims,
              std::uint32_t rank) {
  dlb_tensor_entry* entry = dlb::checked_entry(h, name, DLB_ROLE_OUT);
  if (entry == nullptr) {
    return -1;
  }
  if (entry->dtype != DLB_F32) {
    return dlb::fail(h, "tensor %s is not float32", entry->name);
  }
  if (!dlb::has_shape(*entry, dims, rank)) {
    return dlb::fail(h, "tensor %s has another shape than the arena says", entry->name);
  }
  memcpy(h->arena + entry->offset, values, entry->bytes);
  entry->written = 1;
  return 0;
}

int dlb_tensor_count(dlb_handle* h, std::uint32_t* count) {
  const int result = dlb::refresh_layout(h);
  *count = h->tensor_count;
  return result;
}

int dlb_tensor_at(dlb_handle* h, std::uint32_t i, const char** name, std::uint32_t* role,
                  dlb_tensor* tensor) {
  if (dlb::refresh_layout(h) != 0) {
    return -1;
  }
  if (i >= h->tensor_count) {
    return dlb::fail(h, "tensor %u of %u", i, h->tensor_count);
  }
  if (dlb::check_tensor(h, i) != 0) {
    return -1;
  }
  const dlb_tensor_entry& entry = h->tensors[i];
  *name = entry.name;
  *role = entry.role;
  *tensor = dlb::view(h, entry);
  return 0;
}

int dlb_slot_count(dlb_handle* h, std::uint32_t* count) {
  const int result = dlb::refresh_layout(h);
  *count = h->slot_count;
  return result;
}

int dlb_slot(dlb_handle* h, std::uint32_t k, dlb_batch* batch) {
  if (dlb::refresh_layout(h) != 0) {
    return -1;
  }
  if (k >= h->slot_count) {
    return dlb::fail(h, "slot %u of %u", k, h->slot_count);
  }
  if (dlb::check_slot(h, k) != 0) {
    return -1;
  }
  const dlb_slot_entry& slot = h->slots[k];
  batch->input = reinterpret_cast<const float*>(h->arena + slot.input_offset);
  batch->input_bytes = slot.input_bytes;
  batch->target = reinterpret_cast<const std::int64_t*>(h->arena + slot.target_offset);
  batch->target_bytes = slot.target_bytes;
  batch->output = slot.output_offset == 0 ? nullptr : reinterpret_cast<float*>(h->arena + slot.output_offset);
  batch->output_bytes = slot.output_offset == 0 ? 0 : slot.output_bytes;
  batch->rows = slot.rows;
  return 0;
}

}  // extern "C"
