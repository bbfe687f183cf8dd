// The strict reading of a manifest's YAML; every complaint carries file and line.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <utility>
#include <vector>

namespace dlbench::frameworks {

class ManifestReader {
 public:
  explicit ManifestReader(std::string path) : path_(std::move(path)) {}

  // Throws base::UserError at the node's line.
  [[noreturn]] void fail(const YAML::Node& node, const std::string& what, const std::string& hint = {}) const;

  // The node is a map, all its keys are known and none is repeated.
  void check_keys(const YAML::Node& map, const std::vector<std::string>& known) const;
  [[nodiscard]] YAML::Node require(const YAML::Node& map, const char* key) const;
  // A text that is not empty and has no control characters.
  [[nodiscard]] std::string text(const YAML::Node& node) const;
  [[nodiscard]] std::vector<std::string> texts(const YAML::Node& node) const;
  [[nodiscard]] bool flag(const YAML::Node& node) const;
  void check_placeholders(const YAML::Node& node, const std::string& value,
                          const std::vector<std::string>& known) const;

 private:
  std::string path_;
};

}  // namespace dlbench::frameworks
