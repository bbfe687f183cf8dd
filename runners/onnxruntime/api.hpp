// ONNX Runtime's C API, as far as this runner uses it. The wheel has the library but no headers; the API is a
// table of functions whose places never change once they are released, so declaring the used ones with their
// places is enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace runner::ort {

struct Status;
struct Env;
struct SessionOptions;
struct SessionHandle;
struct RunOptions;
struct Value;
struct MemoryInfo;

inline constexpr int log_errors = 3;       // OrtLoggingLevel
inline constexpr int arena_allocator = 1;  // OrtAllocatorType
inline constexpr int default_memory = 0;   // OrtMemType
inline constexpr int element_float = 1;    // ONNXTensorElementDataType
inline constexpr int element_int64 = 7;

// OrtApi: its first functions in their order. A status is nullptr where all went well.
struct Api {
  using Unused = void (*)();

  Unused unused_0[2];
  const char* (*GetErrorMessage)(const Status* status);
  Status* (*CreateEnv)(int log_level, const char* log_id, Env** out);
  Unused unused_4[4];
  Status* (*CreateSessionFromArray)(const Env* env, const void* model, std::size_t bytes,
                                    const SessionOptions* options, SessionHandle** out);
  Status* (*Run)(SessionHandle* session, const RunOptions* options, const char* const* input_names,
                 const Value* const* inputs, std::size_t input_count, const char* const* output_names,
                 std::size_t output_count, Value** outputs);
  Status* (*CreateSessionOptions)(SessionOptions** out);
  Unused unused_11[13];
  Status* (*SetIntraOpNumThreads)(SessionOptions* options, int threads);
  Status* (*SetInterOpNumThreads)(SessionOptions* options, int threads);
  Unused unused_26[23];
  Status* (*CreateTensorWithDataAsOrtValue)(const MemoryInfo* memory, void* data, std::size_t bytes,
                                            const std::int64_t* shape, std::size_t rank, int element_type,
                                            Value** out);
  Unused unused_50[19];
  Status* (*CreateCpuMemoryInfo)(int allocator, int memory, MemoryInfo** out);
  Unused unused_70[22];
  void (*ReleaseEnv)(Env* env);
  void (*ReleaseStatus)(Status* status);
  void (*ReleaseMemoryInfo)(MemoryInfo* memory);
  void (*ReleaseSession)(SessionHandle* session);
  void (*ReleaseValue)(Value* value);
  Unused unused_97[3];
  void (*ReleaseSessionOptions)(SessionOptions* options);
};
static_assert(offsetof(Api, ReleaseSessionOptions) == 100 * sizeof(Api::Unused), "the places are OrtApi's");

// The table of the loaded library. Throws std::runtime_error if it does not serve this version of the API.
const Api& api();
// As the library itself says it.
std::string version();
// Throws std::runtime_error with the library's message, and releases the status, unless it is nullptr.
void check(Status* status);

}  // namespace runner::ort
