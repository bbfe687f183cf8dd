// The threads of TensorFlow's pools, counted: the C API has no function that says how many there are.
#pragma once

namespace runner {

// Threads that share the work of one operator. TensorFlow calls them tf_numa_0_Eigen, or, where the machine
// tells no NUMA nodes, tf_numa_-1_Eigen: longer than the kernel takes, so they keep the name of the process.
// Nothing else here starts threads without a name.
[[nodiscard]] int count_intra_op_threads();

// Threads that start operators.
[[nodiscard]] int count_inter_op_threads();

}  // namespace runner
