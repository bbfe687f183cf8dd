#include <algorithm>

#include "process/children.hpp"
#include "process/kill.hpp"
#include "process/process.hpp"

namespace dlbench::process {
namespace {

// Left by a host that is gone. Another container's processes are not judged: the host's number means nothing
// here.
bool is_abandoned(const ProcessEntry& entry) {
  if (entry.dead()) {
    return false;
  }
  const auto host = environment_of(entry.pid, "DLBENCH_HOST");
  return host && shares_pid_namespace(entry.pid) && host_is_gone(*host);
}

}  // namespace

int sweep(const std::string& token) {
  if (!token.empty()) {
    const int killed = kill_until_none(members_of_run(token, 0));
    reap_adopted();
    return killed;
  }
  return kill_until_none([](const std::vector<ProcessEntry>& all) {
    std::vector<ProcessEntry> chosen;
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), is_abandoned);
    return chosen;
  });
}

}  // namespace dlbench::process
