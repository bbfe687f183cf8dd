// The section `recipe` of a study file. Private to src/study.
#pragma once

#include <cstdint>

#include "model/recipe.hpp"
#include "study/section.hpp"

namespace dlbench::study {

// `top` is the study; the initialiser's seed is the study's. Throws base::UserError with the line.
[[nodiscard]] model::Recipe read_recipe(const Section& top, std::uint64_t seed);

}  // namespace dlbench::study
