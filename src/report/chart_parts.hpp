// Private to src/report: pieces that several charts share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/case_rows.hpp"
#include "report/json_value.hpp"
#include "report/report.hpp"

namespace dlbench::report {

// One colour per framework for the whole page, readable on light and dark ground; the reference is grey.
class Palette {
 public:
  explicit Palette(const std::vector<CaseRow>& rows);
  [[nodiscard]] std::string of(const std::string& label) const;

 private:
  std::map<std::string, std::string> colours_;
};

// Six significant digits: what a reader sees when pointing at a mark.
[[nodiscard]] Json chart_number(double value);

// Category axis from top to bottom, value axis with its name below, tooltips as plain text.
[[nodiscard]] Json horizontal_frame(const std::vector<std::string>& categories,
                                    const std::string& value_name);
[[nodiscard]] Json xy_frame(const std::string& x_name, const std::string& y_name);

// A bar from low to high with a mark at `middle`, drawn by report.js under the name "interval", `shift_px`
// below the middle of its category.
[[nodiscard]] Json interval_series(const std::string& name, const std::string& colour, double middle,
                                   double low, double high, std::size_t category, int shift_px = 0);

[[nodiscard]] const record::Series* find_series(const record::Run& run, record::SeriesKind kind);

// Points of a curve; of more than `most` values, the least and the greatest of each of most/2 stretches are
// kept, so that no peak is lost. x is the 1-based index times `stride`; values that are not finite become
// gaps.
[[nodiscard]] Json thinned_curve(const std::vector<double>& values, double stride, std::size_t most);

// Mean of the finite values of each of at most `stretches` equal stretches, at the middle of the stretch.
[[nodiscard]] Json mean_curve(const std::vector<double>& values, double stride, std::size_t stretches);

}  // namespace dlbench::report
