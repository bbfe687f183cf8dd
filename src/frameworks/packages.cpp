#include "frameworks/packages.hpp"

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "frameworks/tools.hpp"

namespace dlbench::frameworks {

namespace {

// dpkg-query complains about the names that it does not know and lists the rest all the same.
std::set<std::string> installed_of(const std::vector<std::string>& packages) {
  std::vector<std::string> argv{"dpkg-query", "-W", "-f=\\n${Package} ${db:Status-Status}\\n", "--"};
  argv.insert(argv.end(), packages.begin(), packages.end());
  const auto answer = capture(argv);
  std::istringstream lines(answer ? *answer : answer.error());
  std::set<std::string> installed;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    // A package of several architectures has several lines; one installed is enough.
    if (space != std::string::npos && line.substr(space + 1) == "installed") {
      installed.insert(line.substr(0, space));
    }
  }
  return installed;
}

}  // namespace

std::optional<std::string> missing_packages(const std::vector<std::string>& packages) {
  const std::set<std::string> installed = packages.empty() ? std::set<std::string>() : installed_of(packages);
  std::string missing;
  for (const std::string& package : packages) {
    if (!installed.contains(package)) {
      missing += (missing.empty() ? "" : " ") + package;
    }
  }
  if (missing.empty()) {
    return std::nullopt;
  }
  return fmt::format(
      "needs Debian packages that are not installed: {}; get them with: sudo apt-get install {}", missing,
      missing);
}

}  // namespace dlbench::frameworks
