#include "dlbench/verify_world.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/folders.hpp"
#include "process/process.hpp"

namespace dlbench::app {

VerifyWorld open_verify_world() {
  process::become_reaper();
  process::sweep();
  frameworks::Places places = frameworks::find_places();
  host::CertificateCache cache(places.cache);
  const std::string folder = places.cache + "/logs";
  base::make_folders(folder);
  return {std::move(places), host::this_machine(), std::move(cache), folder};
}

std::vector<host::Runner> installed_runners(const frameworks::Places& places) {
  std::vector<host::Runner> runners;
  for (const frameworks::Manifest& manifest : frameworks::all_manifests(places)) {
    for (const frameworks::VersionEntry& entry : manifest.versions) {
      host::Runner runner = {places, manifest, frameworks::use(places, manifest, entry.version)};
      if (runner.installed.state == frameworks::State::ready) {
        runners.push_back(std::move(runner));
      }
    }
  }
  if (runners.empty()) {
    throw base::UserError("no framework is installed", {}, "dlbench install NAME");
  }
  return runners;
}

bool leave_out_missing(std::vector<host::Runner>& runners) {
  frameworks::Survey survey;
  const auto is_missing = [&](const host::Runner& runner) {
    if (runner.installed.state == frameworks::State::ready) {
      return false;
    }
    fmt::print("{}@{}: NOT_INSTALLED({})\n", runner.manifest.name, runner.installed.version,
               survey.why_not(runner.manifest, runner.installed));
    return true;
  };
  return std::erase_if(runners, is_missing) == 0;
}

}  // namespace dlbench::app
