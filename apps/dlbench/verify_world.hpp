// What every way of `dlbench verify` begins with.
#pragma once

#include <functional>
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

// Calls `prove` for each installed runner and prints a row for each other one. exit_rows when one is not
// installed or `prove` returned false.
[[nodiscard]] int for_each_installed(const std::vector<host::Runner>& runners,
                                     const std::function<bool(const host::Runner&)>& prove);

}  // namespace dlbench::app
