// Files that travel inside the binary and inside every page.
#pragma once

#include <string_view>

namespace dlbench::report {

[[nodiscard]] std::string_view page_style();       // page/report.css
[[nodiscard]] std::string_view page_script();      // page/report.js
[[nodiscard]] std::string_view echarts_script();   // Apache ECharts 6.1.0, minified, unchanged
[[nodiscard]] std::string_view echarts_notice();   // its NOTICE
[[nodiscard]] std::string_view echarts_licence();  // Apache License 2.0 and the list of its parts
[[nodiscard]] std::string_view d3_licence();       // the licence of the d3 parts in it

}  // namespace dlbench::report
