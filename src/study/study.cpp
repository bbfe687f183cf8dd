#include "study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/text_file.hpp"
#include "data/dataset.hpp"
#include "frameworks/frameworks.hpp"
#include "record/deviation.hpp"
#include "study/recipe_keys.hpp"
#include "study/section.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::study {
namespace {

constexpr std::size_t study_max_bytes = 1U << 20U;
constexpr int threads_max = 4096;

template <class Entries>
std::vector<std::string> names_of(const Entries& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const auto& entry : entries) {
    names.push_back(entry.name);
  }
  return names;
}

void read_task(const Section& top, Study& study) {
  const std::vector<std::string> known = {std::string(to_text(record::Task::training)),
                                          std::string(to_text(record::Task::inference))};
  const std::string task = top.text("task", known.front());
  const auto read = record::task_from_text(task);
  if (!read) {
    top.fail(top.require("task"), fmt::format("unknown task '{}'", task), base::nearest_hint(task, known));
  }
  study.task = *read;
}

void read_model(const Section& top, Study& study) {
  study.model = top.text("model");
  if (zoo::find(study.model) == nullptr && !study.model.ends_with(".json")) {
    top.fail(top.require("model"), fmt::format("unknown model '{}'", study.model),
             base::nearest_hint(study.model, names_of(zoo::entries())) +
                 " (a model of your own is a graph file that ends in .json)");
  }
}

void read_data(const Section& top, Study& study) {
  const YAML::Node node = top.require("data");
  if (node.IsScalar()) {
    study.dataset = node.Scalar();
  } else {
    const Section data = top.section("data", {"name", "folder"}).value();
    study.dataset = data.text("name");
    study.dataset_folder = data.text("folder", "");
  }
  const std::vector<std::string> known = names_of(data::known_datasets());
  if (std::find(known.begin(), known.end(), study.dataset) == known.end()) {
    top.fail(node, fmt::format("unknown data set '{}'", study.dataset),
             base::nearest_hint(study.dataset, known));
  }
}

FrameworkChoice framework_choice(const Section& top, const YAML::Node& entry) {
  FrameworkChoice choice;
  choice.line = entry.Mark().line + 1;
  if (!entry.IsScalar() || entry.Scalar().empty()) {
    top.fail(entry, "a framework is a name, or name@version");
  }
  std::tie(choice.name, choice.version) = frameworks::split_version(entry.Scalar());
  return choice;
}

void read_frameworks(const Section& top, Study& study) {
  const YAML::Node list = top.require("frameworks");
  if (!list.IsSequence() || list.size() == 0 || list.size() > 256) {
    top.fail(list, "'frameworks' must be a list of 1 to 256 names");
  }
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& entry : list) {
    study.frameworks.push_back(framework_choice(top, entry));
    const FrameworkChoice& choice = study.frameworks.back();
    if (!seen.insert({choice.name, choice.version}).second) {
      top.fail(entry, fmt::format("framework '{}' is listed twice", entry.Scalar()));
    }
  }
}

// [1, 2, all]: `all` stays 0 until the machine is known.
std::vector<int> read_threads(const Section& section, const std::string& key) {
  const YAML::Node list = section.require(key);
  if (!list.IsSequence() || list.size() == 0 || list.size() > 64) {
    section.fail(list, fmt::format("'{}' must be a list such as [1, all]", key));
  }
  std::vector<int> threads;
  for (const auto& entry : list) {
    int count = 0;
    const bool is_all = entry.IsScalar() && entry.Scalar() == "all";
    if (!is_all && (!entry.IsScalar() || !YAML::convert<int>::decode(entry, count) || count < 1 ||
                    count > threads_max)) {
      section.fail(entry, fmt::format("'{}' takes whole numbers from 1 to {} or 'all'", key, threads_max));
    }
    threads.push_back(is_all ? all_threads : count);
  }
  return threads;
}

// The base as it stands in the list; the name alone will do where one version of it is listed.
std::size_t base_index(const Section& compare, const Study& study) {
  std::vector<std::string> texts;
  std::vector<std::size_t> of_that_name;
  for (std::size_t i = 0; i < study.frameworks.size(); ++i) {
    const auto& [name, version, line] = study.frameworks[i];
    texts.push_back(version.empty() ? name : fmt::format("{}@{}", name, version));
    if (texts.back() == study.base) {
      return i;
    }
    if (name == study.base) {
      of_that_name.push_back(i);
    }
  }
  if (of_that_name.size() == 1) {
    return of_that_name.front();
  }
  const std::string what =
      of_that_name.empty() ? "is not among the frameworks" : "is listed in several versions";
  compare.fail(compare.require("base"), fmt::format("the base '{}' {}", study.base, what),
               base::nearest_hint(study.base, texts));
}

std::vector<std::string> read_accepted_deviations(const Section& compare) {
  if (!compare.has("accept_deviations")) {
    return {};
  }
  std::vector<std::string> known;
  known.reserve(record::deviation_names.size());
  for (const record::DeviationName& deviation : record::deviation_names) {
    known.emplace_back(deviation.name);
  }
  const YAML::Node list = compare.require("accept_deviations");
  if (!list.IsSequence()) {
    compare.fail(list, "'accept_deviations' must be a list such as [ties_all]");
  }
  std::vector<std::string> accepted;
  accepted.reserve(list.size());
  for (const auto& entry : list) {
    const std::string name = entry.IsScalar() ? entry.Scalar() : "";
    if (record::find_deviation_name(name) == nullptr) {
      compare.fail(entry, fmt::format("there is no deviation '{}'", name), base::nearest_hint(name, known));
    }
    accepted.push_back(name);
  }
  return accepted;
}

void read_compare(const Section& top, Study& study) {
  const auto compare = top.section("compare", {"base", "margin_ratio", "alpha", "accept_deviations"});
  if (!compare) {
    top.fail(top.node(), "the study lacks the key 'compare'",
             "it names the base framework, e.g. compare: {base: libtorch}");
  }
  study.base = compare->text("base");
  study.margin_ratio = compare->real("margin_ratio", 0.0, 1.0, 0.02);
  study.alpha = compare->real("alpha", 1e-6, 0.5, 0.05);
  study.base_index = base_index(*compare, study);
  study.accepted_deviations = read_accepted_deviations(*compare);
}

void read_window(const Section& windows, const std::string& key, double& seconds, std::int64_t& steps) {
  if (const auto window = windows.section(key, {"seconds", "steps"})) {
    seconds = window->real("seconds", 0.0, 86'400.0, seconds);
    steps = window->integer("steps", 1, 10'000'000, steps);
  }
}

void read_windows(const Section& top, Study& study) {
  if (const auto windows = top.section("windows", {"warm_up", "w1", "w2"})) {
    read_window(*windows, "warm_up", study.windows.warm_up_seconds, study.windows.warm_up_steps);
    read_window(*windows, "w1", study.windows.w1_seconds, study.windows.w1_steps);
    read_window(*windows, "w2", study.windows.w2_seconds, study.windows.w2_steps);
  }
}

void read_limits(const Section& top, DisturbanceLimits& limits) {
  if (const auto section = top.section("limits", {"steal_ratio", "foreign_ratio"})) {
    limits.steal_ratio = section->real("steal_ratio", 0.0, 1.0, limits.steal_ratio);
    limits.foreign_ratio = section->real("foreign_ratio", 0.0, 1.0, limits.foreign_ratio);
  }
}

void read_convergence(const Section& top, Study& study) {
  if (const auto convergence = top.section("convergence", {"epochs", "threads"})) {
    if (study.task == record::Task::inference) {
      top.fail(top.require("convergence"), "a study of inference trains nothing",
               "leave 'convergence' out, or set task: training");
    }
    study.convergence_epochs = static_cast<int>(convergence->integer("epochs", 1, 100'000));
    study.convergence_threads = read_threads(*convergence, "threads");
  }
}

}  // namespace

Study parse_study(const std::string& text, const std::string& path) {
  Study study;
  study.text = text;
  study.path = path;
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    const auto where = error.mark.is_null() ? path : fmt::format("{}:{}", path, error.mark.line + 1);
    throw base::UserError(fmt::format("not valid YAML: {}", error.msg), where);
  }
  const Section top(root, path, "the study",
                    {"name", "task", "model", "data", "recipe", "frameworks", "compare", "threads", "blocks",
                     "windows", "limits", "convergence", "seed", "max_repeated_blocks"});
  study.name = top.text("name");
  study.seed = static_cast<std::uint64_t>(top.integer("seed", 0, 0xFFFFFFFFLL, 1));
  read_task(top, study);
  read_model(top, study);
  read_data(top, study);
  study.recipe = read_recipe(top, study.seed, study.task);
  model::validate(study.recipe);
  read_frameworks(top, study);
  read_compare(top, study);
  study.threads = read_threads(top, "threads");
  study.blocks = static_cast<int>(top.integer("blocks", 1, 10'000, 7));
  study.max_repeated_blocks =
      static_cast<int>(top.integer("max_repeated_blocks", 0, 10'000, (study.blocks + 4) / 5));
  read_windows(top, study);
  read_limits(top, study.limits);
  read_convergence(top, study);
  return study;
}

Study read_study(const std::string& path) {
  return parse_study(base::read_text_file(path, study_max_bytes), path);
}

}  // namespace dlbench::study
