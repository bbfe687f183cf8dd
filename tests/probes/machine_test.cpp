#include "probes/machine.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace dlbench::probes {
namespace {

using ::testing::HasSubstr;

std::string host(const std::string& name) {
  return std::string(DLBENCH_SOURCE_DIR) + "/tests/fixtures/hosts/" + name;
}

TEST(ReadMachine, OneCoreVirtualMachine) {
  const MachineState state = read_machine(host("one_core_vm"));
  EXPECT_EQ(state.cpu_model, "Intel Xeon Processor (Skylake)");
  EXPECT_EQ(state.cpu_flags, "fpu sse2 avx2 avx512f");
  EXPECT_EQ(state.online_cpus, 1);
  EXPECT_EQ(state.kernel, "6.1.0-13-amd64");
  EXPECT_FALSE(state.governor.has_value());
  EXPECT_FALSE(state.turbo.has_value());
  EXPECT_FALSE(state.smt_active.has_value());
  EXPECT_FALSE(state.pressure_cpu_some_avg10.has_value());
  EXPECT_EQ(state.frequency_mhz, 2294.608);  // no cpufreq: from /proc/cpuinfo
  EXPECT_EQ(state.load_1min, 0.25);
  EXPECT_EQ(state.memory_total_bytes, 2048000ULL * 1024);
  EXPECT_EQ(state.memory_available_bytes, 1024000ULL * 1024);
  EXPECT_EQ(state.swap_used_bytes, 100000ULL * 1024);
  ASSERT_EQ(state.cpu_times.size(), 1U);
  EXPECT_EQ(state.cpu_times[0].steal, 70U);
  EXPECT_EQ(state.cpu_times[0].busy(), 1000U + 20 + 300 + 5 + 6);
  EXPECT_EQ(state.cpu_times[0].total(), 1331U + 5000 + 40 + 70);
  EXPECT_GT(state.taken_ns, 0);
}

TEST(ParseProcessor, IsWhatTheFirstOneCanDoAndNotHowFastItRuns) {
  const auto with = [](const std::string& flags, const std::string& mhz) {
    const Processor processor =
        parse_processor("processor\t: 0\nmodel name\t: A\ncpu MHz\t\t: " + mhz + "\nflags\t\t: " + flags +
                        "\n\nprocessor\t: 1\nflags\t\t: other\n");
    return processor.model + "|" + processor.flags;
  };
  EXPECT_EQ(with("fma avx2", "2000"), "A|fma avx2");
  EXPECT_EQ(with("fma avx2", "2000"), with("fma avx2", "3000"));
  EXPECT_NE(with("fma avx2", "2000"), with("fma avx2 avx512f", "2000"));
  EXPECT_EQ(parse_processor("model name\t: A\n").model, parse_processor("model name\t: A").model);
  EXPECT_FALSE(this_processor().flags.empty());
}

TEST(ReadMachine, EightCpusWithCpufreq) {
  const MachineState state = read_machine(host("eight_cpu_laptop"));
  EXPECT_EQ(state.online_cpus, 8);
  EXPECT_EQ(state.governor, "performance+powersave");  // CPU 7 differs
  EXPECT_EQ(state.turbo, false);                       // no_turbo is 1
  EXPECT_EQ(state.smt_active, true);
  EXPECT_EQ(state.frequency_mhz, 2150.0);  // mean of 1800, 1900, … 2500
  EXPECT_EQ(state.load_1min, 12.34);
  EXPECT_EQ(state.pressure_cpu_some_avg10, 3.5);
  EXPECT_EQ(state.swap_used_bytes, 0U);
  ASSERT_EQ(state.cpu_times.size(), 8U);
  EXPECT_EQ(state.cpu_times[7].user, 800U);
}

TEST(ReadMachine, ArmServerWithACpuOffLine) {
  const MachineState state = read_machine(host("arm_server"));
  EXPECT_EQ(state.cpu_model, "implementer 0x41 part 0xd40");
  EXPECT_EQ(state.cpu_flags, "fp asimd sve");
  EXPECT_EQ(state.online_cpus, 2);  // no list of them: those with times
  EXPECT_EQ(state.turbo, true);
  ASSERT_EQ(state.cpu_times.size(), 3U);
  EXPECT_EQ(state.cpu_times[1].total(), 0U);
  EXPECT_EQ(state.cpu_times[2].total(), 60U);  // a line of an old kernel, without irq and steal
  EXPECT_FALSE(state.frequency_mhz.has_value());
  EXPECT_FALSE(state.load_1min.has_value());
}

TEST(ReadMachine, AnEmptyRootIsAbsentEverywhere) {
  const MachineState state = read_machine("/nonexistent");
  EXPECT_EQ(state.online_cpus, 0);
  EXPECT_TRUE(state.cpu_times.empty());
  EXPECT_FALSE(state.governor || state.turbo || state.smt_active || state.frequency_mhz || state.load_1min);
}

TEST(ReadMachine, ThisMachine) {
  const MachineState state = read_machine();
  EXPECT_GE(state.online_cpus, 1);
  EXPECT_GT(state.memory_total_bytes, 0U);
  EXPECT_FALSE(state.kernel.empty());
  EXPECT_GE(static_cast<int>(state.cpu_times.size()), state.online_cpus);
}

TEST(MachineJson, HasUnitsAndNulls) {
  const auto json = nlohmann::json::parse(to_json(read_machine(host("one_core_vm"))));
  EXPECT_TRUE(json.at("governor").is_null());
  EXPECT_TRUE(json.at("turbo").is_null());
  EXPECT_EQ(json.at("frequency_mhz"), 2294.608);
  EXPECT_EQ(json.at("memory_total_bytes"), 2048000ULL * 1024);
  EXPECT_EQ(json.at("cpu_times_ticks"), nlohmann::json::parse("[[1000,20,300,5000,40,5,6,70]]"));
  MachineState odd;
  odd.cpu_model = "\xFF";
  EXPECT_THAT(to_json(odd), HasSubstr("\xEF\xBF\xBD"));
}

MachineState with_times(std::vector<CpuTimes> times) {
  MachineState state;
  state.cpu_times = std::move(times);
  return state;
}

TEST(DisturbanceTest, SharesOfElapsedTime) {
  // CPU 0: 100 ticks pass: 60 user, 10 steal, 30 idle. CPU 1 is somebody else's and must not count.
  const MachineState before = with_times({{}, {}});
  CpuTimes first;
  first.user = 60;
  first.steal = 10;
  first.idle = 30;
  CpuTimes second;
  second.user = 1000;
  const MachineState after = with_times({first, second});
  const Disturbance found = disturbance(before, after, {0}, 55);
  EXPECT_DOUBLE_EQ(found.steal_ratio, 0.10);
  EXPECT_DOUBLE_EQ(found.foreign_ratio, 0.05);  // 60 busy, 55 of them our own
}

TEST(DisturbanceTest, IsNeverNegative) {
  CpuTimes high;
  high.user = 100;
  high.iowait = 50;
  high.steal = 9;
  CpuTimes low;
  low.user = 90;
  low.iowait = 40;
  low.steal = 3;
  low.idle = 10;
  const Disturbance backwards = disturbance(with_times({high}), with_times({low}), {0}, 0);
  EXPECT_EQ(backwards.steal_ratio, 0.0);
  EXPECT_EQ(backwards.foreign_ratio, 0.0);
  CpuTimes busy;
  busy.user = 10;
  // Tick accounting can charge us more than the CPU was busy.
  EXPECT_EQ(disturbance(with_times({{}}), with_times({busy}), {0}, 12).foreign_ratio, 0.0);
}

TEST(DisturbanceTest, NothingElapsedOrUnknownCpusIsZero) {
  const MachineState state = read_machine(host("one_core_vm"));
  EXPECT_EQ(disturbance(state, state, {0}, 0).foreign_ratio, 0.0);
  EXPECT_EQ(disturbance(state, state, {-1, 5}, 0).steal_ratio, 0.0);
  EXPECT_EQ(disturbance({}, state, {0}, 0).steal_ratio, 0.0);
}

}  // namespace
}  // namespace dlbench::probes
