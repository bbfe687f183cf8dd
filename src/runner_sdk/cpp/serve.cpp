#include "runner_sdk/cpp/serve.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "dlb_runner.h"
#include "runner_sdk/cpp/message.hpp"
#include "runner_sdk/cpp/timed_loop.hpp"

namespace dlbench::sdk {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::ranges::find(list, name) != list.end();
}

// On the raw document, before the graph is read: an op newer than this SDK is unsupported too, not a broken
// graph.
void require_ops(const Description& description, const Json& fields) {
  const auto graph = fields.find("graph");
  if (graph == fields.end() || !graph->contains("nodes")) {
    return;
  }
  for (const Json& node : graph->at("nodes")) {
    const auto op = node.is_object() ? node.find("op") : node.end();
    if (op != node.end() && op->is_string() && !contains(description.ops, op->get<std::string>())) {
      throw Unsupported("op " + op->get<std::string>());
    }
  }
}

// What the description does not claim is refused here, so no runner can forget to.
void require_described(const Description& description, const Load& load) {
  if (load.mode == Mode::train) {
    for (const std::string& name : model::required_optimizers(load.recipe)) {
      if (!contains(description.optimizers, name)) {
        throw Unsupported("optimizer " + name);
      }
    }
  }
  if (!contains(description.devices, load.device)) {
    throw Unsupported("device " + load.device);
  }
  if (!contains(description.precisions, load.precision)) {
    throw Unsupported("precision " + load.precision);
  }
}

class Server {
 public:
  Server(dlb_handle* handle, const Description& description, const Factory& factory)
      : handle_(handle), description_(description), factory_(factory) {}

  // False after `quit`.
  bool answer(const char* text, std::size_t bytes);

 private:
  Json perform(const Command& command);
  Json load(const Json& fields);
  Json put();
  Json get();
  Json train(const Json& fields);
  Json infer(const Json& fields);
  Json inspect();
  Session& session();
  std::vector<Setting> effective();
  dlb_tensor find(const Parameter& parameter, std::uint32_t role);
  void fail(std::int64_t id, const char* outcome, const char* reason);
  void reply(std::int64_t id, Json body);

  dlb_handle* handle_;
  const Description& description_;
  const Factory& factory_;
  std::unique_ptr<Session> session_;
  Load work_;
  std::vector<Parameter> parameters_;
};

Session& Server::session() {
  if (session_ == nullptr) {
    throw ProtocolError("nothing is loaded");
  }
  return *session_;
}

std::vector<Setting> Server::effective() {
  std::vector<Setting> settings = session().effective();
  if (std::ranges::find(settings, "threads", &Setting::name) == settings.end()) {
    throw ProtocolError("the runner does not report its thread count");
  }
  return settings;
}

Json Server::load(const Json& fields) {
  session_.reset();
  require_ops(description_, fields);
  work_ = parse_load(fields);
  require_described(description_, work_);
  const std::int64_t begin_ns = dlb_now_ns();
  session_ = factory_(work_);
  const std::int64_t build_ns = dlb_now_ns() - begin_ns;
  parameters_ = model::parameters(work_.graph);
  return load_reply(work_.graph, build_ns, effective());
}

dlb_tensor Server::find(const Parameter& parameter, std::uint32_t role) {
  dlb_tensor tensor = {};
  if (dlb_find(handle_, parameter.name.c_str(), role, &tensor) < 0) {
    throw ProtocolError(dlb_error(handle_));
  }
  if (tensor.dtype != DLB_F32 || !std::ranges::equal(std::span(tensor.dims, tensor.rank), parameter.shape)) {
    throw ProtocolError("tensor " + parameter.name + " has another shape in the arena");
  }
  return tensor;
}

Json Server::put() {
  for (const Parameter& parameter : parameters_) {
    const dlb_tensor tensor = find(parameter, DLB_ROLE_IN);
    const auto* values = static_cast<const float*>(tensor.data);
    session().put(parameter, {{values, tensor.bytes / sizeof(float)}, parameter.shape});
  }
  return Json::object();
}

Json Server::get() {
  session().drain();
  std::vector<float> values;
  for (const Parameter& parameter : parameters_) {
    values.assign(static_cast<std::size_t>(model::element_count(parameter.shape)), 0.0F);
    session().get(parameter, {values, parameter.shape});
    if (dlb_store(handle_, parameter.name.c_str(), values.data(), parameter.shape.data(),
                  static_cast<std::uint32_t>(parameter.shape.size())) < 0) {
      throw ProtocolError(dlb_error(handle_));
    }
  }
  return Json::object();
}

Json Server::train(const Json& fields) {
  const Chunk chunk = parse_train(fields);
  const double loss = run_training(handle_, session(), work_, chunk);
  return {{"steps", chunk.steps}, {"loss", std::isfinite(loss) ? Json(loss) : Json(nullptr)}};
}

Json Server::infer(const Json& fields) {
  const Chunk chunk = parse_infer(fields);
  run_inference(handle_, session(), work_, chunk);
  return {{"steps", chunk.steps}};
}

Json Server::inspect() {
  const char* text = nullptr;
  std::size_t bytes = 0;
  if (dlb_libraries(handle_, &text, &bytes) < 0) {
    throw ProtocolError(dlb_error(handle_));
  }
  return {{"effective", to_json(effective())}, {"libraries", Json::parse(text, text + bytes)}};
}

Json Server::perform(const Command& command) {
  if (command.name == "load") {
    return load(command.fields);
  }
  if (command.name == "put") {
    return put();
  }
  if (command.name == "get") {
    return get();
  }
  if (command.name == "train") {
    return train(command.fields);
  }
  if (command.name == "infer") {
    return infer(command.fields);
  }
  if (command.name == "inspect") {
    return inspect();
  }
  if (command.name == "quit") {
    session_.reset();
    return Json::object();
  }
  throw ProtocolError("unknown command " + command.name);
}

void Server::fail(std::int64_t id, const char* outcome, const char* reason) {
  if (dlb_fail(handle_, id, outcome, reason) < 0) {
    std::fprintf(stderr, "cannot answer the host: %s\n", dlb_error(handle_));
  }
}

void Server::reply(std::int64_t id, Json body) {
  body["id"] = id;
  body["ok"] = true;
  const std::string text = body.dump();
  if (dlb_reply(handle_, text.data(), text.size()) < 0) {
    std::fprintf(stderr, "cannot answer the host: %s\n", dlb_error(handle_));
  }
}

bool Server::answer(const char* text, std::size_t bytes) {
  Command command;
  // Anything that is not an exception of the standard hierarchy ends the process: the host sees a crash.
  try {
    command = parse_command(text, bytes);
    reply(command.id, perform(command));
    return command.name != "quit";
  } catch (const Unsupported& error) {
    fail(command.id, "UNSUPPORTED", error.what());
  } catch (const std::bad_alloc&) {
    fail(command.id, "OOM", "the runner's process has no memory left");
  } catch (const ProtocolError& error) {
    fail(command.id, "PROTOCOL", error.what());
  } catch (const base::UserError& error) {
    fail(command.id, "PROTOCOL", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());  // the host shows one line of it, the log keeps it all
    fail(command.id, "CRASH", error.what());
  }
  return true;
}

struct Closer {
  void operator()(dlb_handle* handle) const { dlb_close(handle); }
};

}  // namespace

int serve(const Description& description, const Factory& factory) {
  dlb_handle* opened = nullptr;
  const int status = dlb_open(DLB_ABI, &opened);
  const std::unique_ptr<dlb_handle, Closer> handle(opened);
  if (status < 0) {
    std::fprintf(stderr, "%s: %s\n", description.runner.c_str(), dlb_error(opened));
    return 1;
  }
  const std::string text = to_text(description);
  if (dlb_reply(opened, text.data(), text.size()) < 0) {
    std::fprintf(stderr, "%s: %s\n", description.runner.c_str(), dlb_error(opened));
    return 1;
  }
  Server server(opened, description, factory);
  while (true) {
    const char* command = nullptr;
    std::size_t bytes = 0;
    const int next = dlb_next(opened, &command, &bytes);
    if (next == 0) {
      return 0;
    }
    if (next < 0) {
      std::fprintf(stderr, "%s: %s\n", description.runner.c_str(), dlb_error(opened));
      return 1;
    }
    if (!server.answer(command, bytes)) {
      return 0;
    }
  }
}

}  // namespace dlbench::sdk
