// One mapping of a study file, read strictly: every key is known, every value has the right type and range,
// and every complaint names file and line. Private to src/study.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dlbench::study {

class Section {
 public:
  // `node` must be a mapping without duplicate keys whose keys are all in `known`.
  Section(const YAML::Node& node, std::string path, std::string name, const std::vector<std::string>& known);

  [[nodiscard]] bool has(const std::string& key) const;
  // The value node of `key`; throws when it is missing.
  [[nodiscard]] YAML::Node require(const std::string& key) const;
  [[nodiscard]] std::string text(const std::string& key,
                                 const std::optional<std::string>& fallback = {}) const;
  [[nodiscard]] std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high,
                                     std::optional<std::int64_t> fallback = {}) const;
  [[nodiscard]] double real(const std::string& key, double low, double high,
                            std::optional<double> fallback = {}) const;
  // Without bounds: whatever is a number, finite.
  [[nodiscard]] std::int64_t integer(const std::string& key) const;
  [[nodiscard]] double real(const std::string& key) const;
  // A list of whole numbers, at most 1000.
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& key) const;
  [[nodiscard]] bool boolean(const std::string& key, bool fallback) const;
  // A sub-section, or nullopt when the key is absent.
  [[nodiscard]] std::optional<Section> section(const std::string& key,
                                               const std::vector<std::string>& known) const;

  [[noreturn]] void fail(const YAML::Node& at, const std::string& what, const std::string& hint = {}) const;
  [[nodiscard]] std::string where(const YAML::Node& at) const;
  [[nodiscard]] const YAML::Node& node() const { return node_; }

 private:
  YAML::Node node_;
  std::string path_;
  std::string name_;
};

}  // namespace dlbench::study
