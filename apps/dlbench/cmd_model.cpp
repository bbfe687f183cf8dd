// dlbench model: the networks, as text or as the graph file that every runner gets.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/text_file.hpp"
#include "dlbench/command.hpp"
#include "dlbench/present.hpp"
#include "host/workload.hpp"
#include "model/json.hpp"
#include "onnx/export.hpp"

namespace dlbench::app {
namespace {

std::string attribute_text(const model::Attribute& attribute) {
  struct Text {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(const std::vector<std::int64_t>& value) const { return model::to_text(value); }
  };
  return std::visit(Text{}, attribute);
}

void show(const std::string& name) {
  const model::Graph graph = host::read_model(name);
  fmt::print("{}: input {}, {} parameters, {} multiply-adds a sample\n\n", graph.name,
             model::to_text(graph.input_shape), model::parameter_count(graph), model::macs_per_sample(graph));
  fmt::print("{:<16} {:<22} {:<14} {:>10} {:>12}  {}\n", "node", "op", "output", "parameters", "MACs",
             "attributes");
  for (const model::Node& node : graph.nodes) {
    std::string attributes;
    for (const auto& [key, value] : node.attributes) {
      attributes += fmt::format("{}={} ", key, attribute_text(value));
    }
    fmt::print("{:<16} {:<22} {:<14} {:>10} {:>12}  {}\n", node.name, node.op,
               model::to_text(node.output_shape), model::parameter_count(node), node.macs, attributes);
  }
}

void write_onnx(const std::string& name, const std::string& path, std::uint64_t seed) {
  const model::Graph graph = host::read_model(name);
  const std::string bytes = onnx::to_onnx(graph, model::initial_weights(graph, {.seed = seed}));
  base::write_text_file(path, bytes);  // of any bytes
  fmt::print("{}: {} bytes\n", path, bytes.size());
}

}  // namespace

void add_model(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("model", "Show or export a network");
  command->require_subcommand(1);
  const auto name = std::make_shared<std::string>();

  CLI::App* list = command->add_subcommand("list", "Names of the built-in networks");
  list->callback([&action] {
    action = [] {
      print_models();
      return exit_ok;
    };
  });
  CLI::App* show_command = command->add_subcommand("show", "Layers, shapes, parameters, multiply-adds");
  show_command->add_option("name", *name, "a built-in network or a graph file (.json)")->required();
  show_command->callback([&action, name] {
    action = [name] {
      show(*name);
      return exit_ok;
    };
  });
  CLI::App* export_command =
      command->add_subcommand("export", "Print the normalised graph as JSON, or write it as an ONNX file");
  const auto onnx_file = std::make_shared<std::string>();
  const auto seed = std::make_shared<std::uint64_t>(1);
  export_command->add_option("name", *name, "a built-in network or a graph file (.json)")->required();
  export_command->add_option("--onnx", *onnx_file,
                             "file to write: evaluation mode, with the initial weights of --seed");
  export_command->add_option("--seed", *seed, "seed of the weights in the ONNX file")->capture_default_str();
  export_command->callback([&action, name, onnx_file, seed] {
    action = [name, onnx_file, seed] {
      if (onnx_file->empty()) {
        fmt::print("{}\n", model::to_json(host::read_model(*name)));
      } else {
        write_onnx(*name, *onnx_file, *seed);
      }
      return exit_ok;
    };
  });
}

}  // namespace dlbench::app
