// What every way of `dlbench verify` begins with.
#pragma once

#include <string>
#include <vector>

#include "host/certificate_cache.hpp"
#include "host/runner.hpp"

namespace dlbench::app {

struct VerifyWorld {
  frameworks::Places places;
  host::Machine machine;
  host::CertificateCache cache;
  std::string log_folder;
};
// Sweeps what earlier runs left behind; this process adopts what its runners leave.
[[nodiscard]] VerifyWorld open_verify_world();

// Every version of every framework that is installed. Throws base::UserError when there is none.
[[nodiscard]] std::vector<host::Runner> installed_runners(const frameworks::Places& places);

// Prints a row for each runner that is not installed and takes it out. False when there was one.
[[nodiscard]] bool leave_out_missing(std::vector<host::Runner>& runners);

}  // namespace dlbench::app
