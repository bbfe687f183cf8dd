#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "protocol/dlb_arena.h"
#include "session/failure.hpp"
#include "session/json_text.hpp"

namespace dlbench::session {
namespace {

using Json = nlohmann::json;

constexpr int max_depth = 16;  // the deepest legal reply has 4 levels
constexpr std::size_t max_items = 65536;
constexpr std::size_t reason_max_bytes = 4096;
constexpr std::size_t quoted_max_bytes = 80;

// Depth of brackets outside strings; counted before parsing, so that nesting costs neither stack nor memory.
int depth_of(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      i += c == '\\' ? 1 : 0;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    depth += c == '{' || c == '[' ? 1 : 0;
    depth -= c == '}' || c == ']' ? 1 : 0;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

// The beginning of a bad line for the reason text, printable.
std::string printable(std::string_view line) {
  std::string text;
  for (const char c : line.substr(0, quoted_max_bytes)) {
    text += c >= ' ' && c <= '~' ? c : '?';
  }
  return fmt::format("'{}'{}", text, line.size() > quoted_max_bytes ? "…" : "");
}

// The first line that is not blank: a framework's text may go on with a call stack, which the runner's log
// keeps. Cut between characters, never inside one.
std::string shortened(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  std::size_t end = std::min({text.size(), text.find_first_of("\r\n"), reason_max_bytes});
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  text.resize(end);
  return text;
}

// Reads typed fields and remembers the first thing that was wrong, so that callers check once, at the end.
class Fields {
 public:
  Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

  std::string text(const char* key) {
    const Json* value = find(key);
    if (value == nullptr || !value->is_string()) {
      complain(key, "a string");
      return {};
    }
    return value->get<std::string>();
  }
  std::int64_t integer(const char* key) {
    const Json* value = find(key);
    if (value == nullptr || !is_int64(*value)) {
      complain(key, "an integer");
      return 0;
    }
    return value->get<std::int64_t>();
  }
  bool boolean(const char* key) {
    const Json* value = find(key);
    if (value == nullptr || !value->is_boolean()) {
      complain(key, "true or false");
      return false;
    }
    return value->get<bool>();
  }
  // null stands for a value that is not finite.
  std::optional<double> number_or_null(const char* key) {
    const Json* value = find(key);
    if (value == nullptr || (!value->is_number() && !value->is_null())) {
      complain(key, "a number or null");
      return std::nullopt;
    }
    return value->is_null() ? std::nullopt : std::optional(value->get<double>());
  }
  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> all;
    for (const Json& item : array(key)) {
      if (!item.is_string()) {
        complain(key, "an array of strings");
        break;
      }
      all.push_back(item.get<std::string>());
    }
    return all;
  }
  std::vector<std::int64_t> shape(const char* key) {
    std::vector<std::int64_t> dims;
    for (const Json& item : array(key)) {
      if (!is_int64(item) || item.get<std::int64_t>() < 0 || dims.size() == DLB_MAX_RANK) {
        complain(key, "a shape: at most 6 integers >= 0");
        break;
      }
      dims.push_back(item.get<std::int64_t>());
    }
    return dims;
  }
  const Json& array(const char* key) {
    static const Json empty = Json::array();
    const Json* value = find(key);
    if (value == nullptr || !value->is_array() || value->size() > max_items) {
      complain(key, "an array");
      return empty;
    }
    return *value;
  }
  void complain(const char* key, std::string_view expected) {
    if (error_.empty()) {
      error_ = fmt::format("{}: '{}' must be {}", where_, key, expected);
    }
  }
  void adopt(const Fields& part) {
    if (error_.empty()) {
      error_ = part.error_;
    }
  }
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  static bool is_int64(const Json& value) {
    return value.is_number_integer() && !(value.is_number_unsigned() &&
                                          value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX));
  }
  [[nodiscard]] const Json* find(const char* key) const {
    const auto at = object_.find(key);
    return at == object_.end() ? nullptr : &*at;
  }

  const Json& object_;
  std::string where_;
  std::string error_;
};

Expected<Json> parse_object(const std::string& line) {
  if (depth_of(line) > max_depth) {
    return broke_protocol(fmt::format("a message is nested more than {} levels deep", max_depth));
  }
  Json value = Json::parse(line, nullptr, false);
  if (value.is_discarded() || !value.is_object()) {
    return broke_protocol("a message is not a JSON object: " + printable(line));
  }
  return value;
}

Failure refusal(Fields& fields) {
  static constexpr std::array<std::string_view, 5> outcomes{"UNSUPPORTED", "OOM", "NAN", "CRASH", "PROTOCOL"};
  std::string outcome = fields.text("outcome");
  std::string reason = shortened(fields.text("reason"));
  if (fields.error().empty() && std::find(outcomes.begin(), outcomes.end(), outcome) == outcomes.end()) {
    fields.complain("outcome", "one that a runner may send");
  }
  if (!fields.error().empty()) {
    return {"PROTOCOL", fields.error(), true};
  }
  return {std::move(outcome), reason.empty() ? "the runner gave no reason" : std::move(reason), false};
}

// The reply to command `id` when it says ok; its own fields are not looked at yet.
Expected<Json> parse_reply(std::int64_t id, const std::string& line) {
  auto reply = parse_object(line);
  if (!reply) {
    return reply;
  }
  Fields fields(*reply, "reply");
  const std::int64_t got = fields.integer("id");
  const bool ok = fields.boolean("ok");
  if (!fields.error().empty()) {
    return broke_protocol(fields.error());
  }
  if (got != id) {
    return broke_protocol(fmt::format("a reply has id {}, the command had {}", got, id));
  }
  if (!ok) {
    return tl::unexpected<Failure>(refusal(fields));
  }
  return reply;
}

std::vector<Setting> read_settings(Fields& fields) {
  std::vector<Setting> settings;
  bool has_threads = false;
  for (const Json& item : fields.array("effective")) {
    Fields setting(item, "effective");
    settings.push_back({setting.text("name"), setting.text("value"), setting.text("source")});
    fields.adopt(setting);
    has_threads = has_threads || settings.back().name == "threads";
  }
  if (!has_threads) {
    fields.complain("effective", "a list that contains 'threads'");
  }
  return settings;
}

}  // namespace

Expected<Description> read_description(const std::string& line) {
  const auto message = parse_object(line);
  if (!message) {
    return tl::unexpected<Failure>(message.error());
  }
  Fields fields(*message, "description");
  const std::int64_t abi = fields.integer("abi");
  if (fields.error().empty() && abi != DLB_ABI) {
    return broke_protocol(fmt::format("the runner speaks abi {}, dlbench speaks abi {}", abi, DLB_ABI));
  }
  Description description{fields.text("runner"),      fields.text("language"),    fields.text("framework"),
                          fields.text("version"),     fields.text("build"),       fields.text("input"),
                          fields.texts("ops"),        fields.texts("optimizers"), fields.texts("devices"),
                          fields.texts("precisions"), fields.texts("deviations"), line};
  if (description.input != "alias" && description.input != "copy" && description.input != "transfer") {
    fields.complain("input", "alias, copy or transfer");
  }
  if (!fields.error().empty()) {
    return broke_protocol(fields.error());
  }
  return description;
}

Expected<LoadReply> read_load(std::int64_t id, const std::string& line) {
  const auto message = parse_reply(id, line);
  if (!message) {
    return tl::unexpected<Failure>(message.error());
  }
  Fields fields(*message, "reply to load");
  LoadReply reply;
  for (const Json& item : fields.array("parameters")) {
    Fields parameter(item, "parameters");
    reply.parameters.emplace_back(parameter.text("name"), parameter.shape("shape"));
    fields.adopt(parameter);
  }
  reply.logits = fields.shape("logits");
  reply.build_ns = fields.integer("build_ns");
  if (reply.build_ns < 0) {
    fields.complain("build_ns", "a duration >= 0");
  }
  reply.effective = read_settings(fields);
  if (!fields.error().empty()) {
    return broke_protocol(fields.error());
  }
  return reply;
}

Expected<void> read_plain(std::int64_t id, const std::string& line) {
  const auto message = parse_reply(id, line);
  if (!message) {
    return tl::unexpected<Failure>(message.error());
  }
  return {};
}

Expected<Inspection> read_inspection(std::int64_t id, const std::string& line) {
  const auto message = parse_reply(id, line);
  if (!message) {
    return tl::unexpected<Failure>(message.error());
  }
  Fields fields(*message, "reply to inspect");
  Inspection inspection;
  inspection.effective = read_settings(fields);
  inspection.libraries_json = fields.array("libraries").dump();
  if (!fields.error().empty()) {
    return broke_protocol(fields.error());
  }
  return inspection;
}

Expected<StepsReply> read_steps(std::int64_t id, const std::string& line, bool with_loss) {
  const auto message = parse_reply(id, line);
  if (!message) {
    return tl::unexpected<Failure>(message.error());
  }
  Fields fields(*message, "reply");
  StepsReply reply;
  reply.steps = fields.integer("steps");
  if (with_loss) {
    reply.loss = fields.number_or_null("loss");
  }
  if (!fields.error().empty()) {
    return broke_protocol(fields.error());
  }
  return reply;
}

}  // namespace dlbench::session
