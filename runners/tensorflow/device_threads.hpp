// The threads of TensorFlow's pools, counted: the C API has no function that says how many there are.
#pragma once

namespace runner {

// Threads that share the work of one operator. TensorFlow gives them a name longer than the kernel takes, so
// they keep that of the process; nothing else here starts threads without a name.
[[nodiscard]] int count_intra_op_threads();

// Threads that start operators.
[[nodiscard]] int count_inter_op_threads();

}  // namespace runner
