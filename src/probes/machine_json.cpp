#include <nlohmann/json.hpp>

#include "probes/machine.hpp"

namespace dlbench::probes {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json ticks(const CpuTimes& times) {
  return Json::array({times.user, times.nice, times.system, times.idle, times.iowait, times.irq,
                      times.softirq, times.steal});
}

}  // namespace

// Part of the store's format. Absent is null. `cpu_times_ticks`: per CPU user, nice, system, idle, iowait,
// irq, softirq, steal.
std::string to_json(const MachineState& state) {
  Json all_ticks = Json::array();
  for (const CpuTimes& times : state.cpu_times) {
    all_ticks.push_back(ticks(times));
  }
  Json json;
  json["cpu_model"] = state.cpu_model;
  json["cpu_flags"] = state.cpu_flags;
  json["online_cpus"] = state.online_cpus;
  json["kernel"] = state.kernel;
  json["governor"] = or_null(state.governor);
  json["turbo"] = or_null(state.turbo);
  json["smt_active"] = or_null(state.smt_active);
  json["frequency_mhz"] = or_null(state.frequency_mhz);
  json["load_1min"] = or_null(state.load_1min);
  json["pressure_cpu_some_avg10"] = or_null(state.pressure_cpu_some_avg10);
  json["memory_total_bytes"] = state.memory_total_bytes;
  json["memory_available_bytes"] = state.memory_available_bytes;
  json["swap_used_bytes"] = state.swap_used_bytes;
  json["cpu_times_ticks"] = std::move(all_ticks);
  json["taken_ns"] = state.taken_ns;
  // A CPU name with bytes that are not UTF-8 must not lose the row.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dlbench::probes
