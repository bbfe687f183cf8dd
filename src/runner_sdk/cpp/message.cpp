#include "runner_sdk/cpp/message.hpp"

#include "dlb_arena.h"
#include "model/json.hpp"

namespace dlbench::sdk {
namespace {

template <class Value>
Value field(const Json& fields, const char* name) {
  const auto found = fields.find(name);
  if (found == fields.end()) {
    throw ProtocolError("missing field " + std::string(name));
  }
  try {
    return found->get<Value>();
  } catch (const Json::exception&) {
    throw ProtocolError("mistyped field " + std::string(name));
  }
}

std::uint64_t count_field(const Json& fields, const char* name, bool required) {
  if (!required && !fields.contains(name)) {
    return 0;
  }
  const auto value = field<std::int64_t>(fields, name);
  if (value < 0) {
    throw ProtocolError("negative field " + std::string(name));
  }
  return static_cast<std::uint64_t>(value);
}

std::string choice_field(const Json& fields, const char* name, const char* first, const char* second) {
  const auto value = field<std::string>(fields, name);
  if (value != first && value != second) {
    throw ProtocolError("field " + std::string(name) + ": unknown value " + value);
  }
  return value;
}

// A document inside a command, handed to the one validated reader of such documents as text.
std::string document_field(const Json& fields, const char* name) {
  const auto found = fields.find(name);
  if (found == fields.end() || !found->is_object()) {
    throw ProtocolError("missing document " + std::string(name));
  }
  return found->dump();
}

}  // namespace

Command parse_command(const char* text, std::size_t bytes) {
  Command command;
  command.fields = Json::parse(text, text + bytes, nullptr, false);
  if (!command.fields.is_object()) {
    throw ProtocolError("a command is one JSON object");
  }
  command.id = field<std::int64_t>(command.fields, "id");
  command.name = field<std::string>(command.fields, "command");
  return command;
}

Load parse_load(const Json& fields) {
  Load load;
  load.graph = model::graph_from_json(document_field(fields, "graph"));
  load.recipe = model::recipe_from_json(document_field(fields, "recipe"));
  load.mode = choice_field(fields, "mode", "train", "infer") == "train" ? Mode::train : Mode::infer;
  load.device = field<std::string>(fields, "device");
  load.precision = field<std::string>(fields, "precision");
  load.threads = field<int>(fields, "threads");
  load.batch = field<std::int64_t>(fields, "batch");
  load.partial = field<std::int64_t>(fields, "partial");
  if (load.threads < 1 || load.batch < 1 || load.partial < 0 || load.partial > load.batch) {
    throw ProtocolError("threads, batch or partial out of range");
  }
  if (fields.contains("knobs")) {
    load.knobs = field<std::map<std::string, std::string>>(fields, "knobs");
  }
  return load;
}

Chunk parse_train(const Json& fields) {
  Chunk chunk;
  chunk.steps = count_field(fields, "steps", true);
  chunk.drain_each = choice_field(fields, "drain", "ends", "each") == "each";
  chunk.loss_every = count_field(fields, "loss_every", false);
  return chunk;
}

Chunk parse_infer(const Json& fields) {
  Chunk chunk;
  chunk.steps = count_field(fields, "steps", true);
  chunk.drain_each = choice_field(fields, "drain", "ends", "each") == "each";
  chunk.store = field<bool>(fields, "store");
  return chunk;
}

std::string to_text(const Description& description) {
  const Json json = {{"abi", DLB_ABI},
                     {"runner", description.runner},
                     {"language", "c++"},
                     {"framework", description.framework},
                     {"version", description.version},
                     {"build", description.build},
                     {"ops", description.ops},
                     {"optimizers", description.optimizers},
                     {"devices", description.devices},
                     {"precisions", description.precisions},
                     {"deviations", description.deviations},
                     {"input", description.input}};
  return json.dump();
}

Json to_json(const std::vector<Setting>& settings) {
  Json list = Json::array();
  for (const Setting& setting : settings) {
    list.push_back({{"name", setting.name}, {"value", setting.value}, {"source", setting.source}});
  }
  return list;
}

Json load_reply(const model::Graph& graph, std::int64_t build_ns, const std::vector<Setting>& effective) {
  Json parameters = Json::array();
  for (const Parameter& parameter : model::parameters(graph)) {
    parameters.push_back({{"name", parameter.name}, {"shape", parameter.shape}});
  }
  return {{"parameters", parameters},
          {"logits", model::node(graph, model::logits_name(graph)).output_shape},
          {"build_ns", build_ns},
          {"effective", to_json(effective)}};
}

}  // namespace dlbench::sdk
