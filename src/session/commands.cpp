#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "session/json_text.hpp"

namespace dlbench::session {
namespace {

using Json = nlohmann::json;

// Text that this host made itself: broken text is a bug, not a runner's fault.
Json own_json(const std::string& text, const char* what) {
  Json value = Json::parse(text, nullptr, false);
  DLBENCH_ASSERT(!value.is_discarded(), what);
  return value;
}

// Bytes that are not UTF-8 (of a knob, say) become U+FFFD instead of an exception.
std::string to_line(const Json& command) {
  return command.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const char* to_text(Drain drain) {
  return drain == Drain::each ? "each" : "ends";
}

}  // namespace

std::string load_command(std::int64_t id, const LoadRequest& request) {
  Json knobs = Json::object();
  for (const auto& [name, value] : request.knobs) {
    knobs[name] = value;
  }
  const Json command = {{"id", id},
                        {"command", "load"},
                        {"graph", own_json(request.graph_json, "graph of a load")},
                        {"recipe", own_json(request.recipe_json, "recipe of a load")},
                        {"mode", request.mode},
                        {"device", request.device},
                        {"precision", request.precision},
                        {"threads", request.threads},
                        {"batch", request.batch},
                        {"partial", request.partial},
                        {"knobs", std::move(knobs)}};
  return to_line(command);
}

std::string plain_command(std::int64_t id, const std::string& name) {
  return to_line(Json{{"id", id}, {"command", name}});
}

std::string train_command(std::int64_t id, std::int64_t steps, Drain drain, std::int64_t loss_every) {
  return to_line(Json{{"id", id},
                      {"command", "train"},
                      {"steps", steps},
                      {"drain", to_text(drain)},
                      {"loss_every", loss_every}});
}

std::string infer_command(std::int64_t id, std::int64_t steps, Drain drain, bool store) {
  return to_line(
      Json{{"id", id}, {"command", "infer"}, {"steps", steps}, {"drain", to_text(drain)}, {"store", store}});
}

}  // namespace dlbench::session
