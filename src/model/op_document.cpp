#include "model/op_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <variant>

#include "model/op_spec.hpp"

namespace dlbench::model {
namespace {

constexpr const char* introduction =
    "# Operators\n"
    "\n"
    "Written from `OpSpec` (`src/model/ops`); a test compares this page with it. Shapes are those of one "
    "sample,\n"
    "without the batch extent: `[channels, height, width]` for images, `[features]` behind a flatten.\n"
    "`dlbench verify --ops NAME` proves them on a framework, each on small graphs of its own.\n";

const char* kind_name(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::flag:
      return "flag";
    case AttributeKind::integer:
      return "integer";
    case AttributeKind::real:
      return "number";
    case AttributeKind::text:
      return "text";
    case AttributeKind::integers:
      return "integers";
  }
  return "";
}

struct ValueText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::int64_t>& values) const {
    return fmt::format("[{}]", fmt::join(values, ", "));
  }
};

std::string inputs_text(const InputCount& inputs) {
  if (inputs.least != inputs.most) {
    return fmt::format("{} to {} inputs. ", inputs.least, inputs.most);
  }
  return inputs.least == 1 ? std::string() : fmt::format("{} inputs. ", inputs.least);
}

std::string section(const OpSpec& op) {
  std::string text = fmt::format("\n## {}\n\n{}{}{}.\n", op.name, op.is_loss ? "A loss. " : "",
                                 inputs_text(op.inputs), op.definition);
  if (op.attributes.empty()) {
    return text;
  }
  text += "\n| attribute | kind | default | meaning |\n|---|---|---|---|\n";
  for (const AttributeSpec& attribute : op.attributes) {
    const std::string value =
        attribute.default_value ? std::visit(ValueText{}, *attribute.default_value) : std::string("required");
    text += fmt::format("| `{}` | {} | {} | {} |\n", attribute.name, kind_name(attribute.kind), value,
                        attribute.meaning);
  }
  return text;
}

}  // namespace

std::string op_document() {
  std::string text = introduction;
  for (const OpSpec& op : builtin_ops()) {
    text += section(op);
  }
  return text;
}

}  // namespace dlbench::model
