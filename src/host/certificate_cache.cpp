#include "host/certificate_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/folders.hpp"
#include "base/text_file.hpp"
#include "frameworks/file_lock.hpp"

namespace dlbench::host {
namespace {

constexpr std::size_t plan_max_bytes = std::size_t{4} << 30U;
constexpr std::size_t certificate_max_bytes = 16U << 20U;

std::optional<MappedFile> identify(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    return std::nullopt;
  }
  return MappedFile{
      path, static_cast<std::uint64_t>(status.st_size),
      static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

std::optional<std::string> read_if_there(const std::string& path, std::size_t max_bytes) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return std::nullopt;
  }
  return base::read_text_file(path, max_bytes);
}

nlohmann::json to_json(const std::vector<MappedFile>& files) {
  nlohmann::json list = nlohmann::json::array();
  for (const MappedFile& file : files) {
    list.push_back({{"path", file.path}, {"bytes", file.bytes}, {"modified_ns", file.modified_ns}});
  }
  return list;
}

// nullopt: absent, damaged or of another work.
std::optional<gate::Plan> stored_plan(const std::string& path, const std::string& key) {
  try {
    const auto bytes = read_if_there(path, plan_max_bytes);
    if (!bytes) {
      return std::nullopt;
    }
    gate::Plan stored = gate::deserialise(*bytes);
    return stored.key == key ? std::optional(std::move(stored)) : std::nullopt;
  } catch (const base::UserError&) {
    return std::nullopt;
  }
}

bool unchanged(const nlohmann::json& files) {
  return std::all_of(files.begin(), files.end(), [](const nlohmann::json& entry) {
    const MappedFile file = {entry.at("path").get<std::string>(), entry.at("bytes").get<std::uint64_t>(),
                             entry.at("modified_ns").get<std::int64_t>()};
    return identify(file.path) == file;
  });
}

}  // namespace

std::vector<MappedFile> mapped_files(int pid) {
  std::ifstream maps(fmt::format("/proc/{}/maps", pid));
  std::set<std::string> paths;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t slash = line.find('/');
    if (slash != std::string::npos && line.find(".so", slash) != std::string::npos) {
      paths.insert(line.substr(slash));
    }
  }
  std::vector<MappedFile> files;
  for (const std::string& path : paths) {
    if (const auto file = identify(path)) {
      files.push_back(*file);
    }
  }
  return files;
}

CertificateCache::CertificateCache(std::string folder) : folder_(std::move(folder)) {
  for (const char* part : {"oracle", "certificates"}) {
    base::make_folders(fmt::format("{}/{}", folder_, part),
                       "set DLBENCH_CACHE to a folder that you may write");
  }
}

std::string CertificateCache::plan_path(const std::string& key) const {
  return fmt::format("{}/oracle/{}.plan", folder_, key);
}

std::string CertificateCache::timed_path(const std::string& key) const {
  return fmt::format("{}/oracle/{}.timed", folder_, key);
}

// Few files, which nobody ever removes; that two plans now and then share one costs only time.
std::string CertificateCache::lock_path(const std::string& key) const {
  return fmt::format("{}/oracle/{}.lock", folder_, key.substr(0, 2));
}

std::string CertificateCache::certificate_path(const std::string& key) const {
  return fmt::format("{}/certificates/{}.json", folder_, key);
}

bool CertificateCache::has_plan(const std::string& key) const {
  std::error_code error;
  return std::filesystem::is_regular_file(plan_path(key), error);
}

gate::Plan CertificateCache::plan(const std::string& key, const std::function<gate::Plan()>& make) const {
  if (auto stored = stored_plan(plan_path(key), key)) {
    return std::move(*stored);
  }
  // Whoever else wants it, in this process or another one, waits: it can take minutes and gigabytes.
  const frameworks::FileLock lock(lock_path(key), [] {});
  if (auto stored = stored_plan(plan_path(key), key)) {
    return std::move(*stored);
  }
  gate::Plan fresh = make();
  base::write_text_file(plan_path(key), gate::serialise(fresh));
  return fresh;
}

gate::Plan CertificateCache::timed_plan(const std::string& key,
                                        const std::function<const gate::Plan&()>& whole) const {
  if (auto stored = stored_plan(timed_path(key), key)) {
    return std::move(*stored);
  }
  gate::Plan timed;
  timed.key = key;
  if (const gate::Expectation* expectation = gate::timed_expectation(whole())) {
    timed.expectations = {*expectation};
  }
  base::write_text_file(timed_path(key), gate::serialise(timed));
  return timed;
}

std::optional<record::Certificate> CertificateCache::find(const std::string& key) const {
  try {
    const auto text = read_if_there(certificate_path(key), certificate_max_bytes);
    if (!text) {
      return std::nullopt;
    }
    const nlohmann::json entry = nlohmann::json::parse(*text);
    if (!unchanged(entry.at("files"))) {
      return std::nullopt;
    }
    record::Certificate certificate = record::certificate_from_json(entry.at("certificate").dump());
    return certificate.key == key ? std::optional(std::move(certificate)) : std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const base::UserError&) {
    return std::nullopt;
  }
}

void CertificateCache::store(const record::Certificate& certificate,
                             const std::vector<MappedFile>& files) const {
  const nlohmann::json entry = {{"certificate", nlohmann::json::parse(record::to_json(certificate))},
                                {"files", to_json(files)}};
  base::write_text_file(certificate_path(certificate.key), entry.dump(1));
}

}  // namespace dlbench::host
