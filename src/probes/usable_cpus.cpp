#include <hwloc.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "probes/cpu_order.hpp"
#include "probes/machine.hpp"

namespace dlbench::probes {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

Topology load_topology() {
  hwloc_topology_t raw = nullptr;
  DLBENCH_ASSERT(hwloc_topology_init(&raw) == 0, "hwloc_topology_init");
  Topology topology(raw);
  DLBENCH_ASSERT(hwloc_topology_load(raw) == 0, "hwloc_topology_load");
  return topology;
}

// CPUs of `object` that this process may use.
std::vector<int> cpus_inside(hwloc_obj_t object, hwloc_const_bitmap_t allowed) {
  std::vector<int> cpus;
  for (int cpu = hwloc_bitmap_first(object->cpuset); cpu >= 0; cpu = hwloc_bitmap_next(object->cpuset, cpu)) {
    if (hwloc_bitmap_isset(allowed, static_cast<unsigned>(cpu)) != 0) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

}  // namespace

std::vector<int> spread_over_cores(const std::vector<std::vector<int>>& cores) {
  std::vector<int> order;
  bool found = true;
  for (std::size_t rank = 0; found; ++rank) {
    found = false;
    for (const std::vector<int>& core : cores) {
      if (rank < core.size()) {
        order.push_back(core[rank]);
        found = true;
      }
    }
  }
  return order;
}

std::vector<int> usable_cpus() {
  const Topology topology = load_topology();
  const Bitmap allowed(hwloc_bitmap_alloc());
  if (hwloc_get_cpubind(topology.get(), allowed.get(), HWLOC_CPUBIND_PROCESS) != 0) {
    hwloc_bitmap_copy(allowed.get(), hwloc_topology_get_allowed_cpuset(topology.get()));
  }
  // Some virtual machines describe no cores; every processing unit then counts as one.
  const bool has_cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE) > 0;
  const hwloc_obj_type_t type = has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  std::vector<std::vector<int>> cores;
  for (hwloc_obj_t object = hwloc_get_next_obj_by_type(topology.get(), type, nullptr); object != nullptr;
       object = hwloc_get_next_obj_by_type(topology.get(), type, object)) {
    cores.push_back(cpus_inside(object, allowed.get()));
  }
  return spread_over_cores(cores);
}

}  // namespace dlbench::probes
