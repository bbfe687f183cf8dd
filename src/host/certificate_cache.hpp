// Gate plans and certificates in the shared cache, by key. A damaged or outdated entry is a miss, never an
// error.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/gate.hpp"
#include "record/certificate.hpp"

namespace dlbench::host {

// A file that was mapped into the runner when it was certified. Another size or date is another library.
struct MappedFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
  friend bool operator==(const MappedFile&, const MappedFile&) = default;
};
// All shared objects in /proc/<pid>/maps, sorted by path.
[[nodiscard]] std::vector<MappedFile> mapped_files(int pid);

class CertificateCache {
 public:
  explicit CertificateCache(std::string folder);  // <cache>; creates oracle/ and certificates/ in it

  // The stored plan, or the one that `make` computes now (then stored). Threads and processes that want the
  // same one wait for the first.
  [[nodiscard]] gate::Plan plan(const std::string& key, const std::function<gate::Plan()>& make) const;
  // The same with nothing but its timed expectation, in a file of its own. `whole` gives the plan when that
  // file is not there (then stored).
  [[nodiscard]] gate::Plan timed_plan(const std::string& key,
                                      const std::function<const gate::Plan&()>& whole) const;
  [[nodiscard]] bool has_plan(const std::string& key) const;
  // nullopt: absent, damaged, or a library that it was made with has changed since.
  [[nodiscard]] std::optional<record::Certificate> find(const std::string& key) const;
  void store(const record::Certificate& certificate, const std::vector<MappedFile>& files) const;

 private:
  [[nodiscard]] std::string plan_path(const std::string& key) const;
  [[nodiscard]] std::string timed_path(const std::string& key) const;
  [[nodiscard]] std::string lock_path(const std::string& key) const;
  [[nodiscard]] std::string certificate_path(const std::string& key) const;
  std::string folder_;
};

}  // namespace dlbench::host
