// The section `recipe` of a study file. Private to src/study.
#pragma once

#include <cstdint>

#include "model/recipe.hpp"
#include "record/task.hpp"
#include "study/section.hpp"

namespace dlbench::study {

// `top` is the study; the initialiser's seed is the study's. Inference has no optimizer, rate, clip or
// averages. Throws base::UserError with the line.
[[nodiscard]] model::Recipe read_recipe(const Section& top, std::uint64_t seed, record::Task task);

}  // namespace dlbench::study
