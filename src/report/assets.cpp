// The assembler copies each file as it is: no generated source of a megabyte, no extra build step, the same
// for g++ and clang. The folders come from thirdparty.cmake.
#include "report/assets.hpp"

#include <cstddef>

#define DLBENCH_EMBED(name, path)                        \
  asm(".pushsection .rodata\n"                           \
      ".global dlbench_report_" #name                    \
      "_begin\n"                                         \
      ".hidden dlbench_report_" #name                    \
      "_begin\n"                                         \
      "dlbench_report_" #name                            \
      "_begin:\n"                                        \
      ".incbin \"" path                                  \
      "\"\n"                                             \
      ".global dlbench_report_" #name                    \
      "_end\n"                                           \
      ".hidden dlbench_report_" #name                    \
      "_end\n"                                           \
      "dlbench_report_" #name                            \
      "_end:\n"                                          \
      ".byte 0\n"                                        \
      ".popsection\n");                                  \
  extern "C" const char dlbench_report_##name##_begin[]; \
  extern "C" const char dlbench_report_##name##_end[]

DLBENCH_EMBED(style, DLBENCH_REPORT_PAGE "/report.css");
DLBENCH_EMBED(script, DLBENCH_REPORT_PAGE "/report.js");
DLBENCH_EMBED(echarts, DLBENCH_REPORT_ECHARTS "/echarts.min.js");
DLBENCH_EMBED(echarts_notice, DLBENCH_REPORT_ECHARTS "/NOTICE");
DLBENCH_EMBED(echarts_licence, DLBENCH_REPORT_ECHARTS "/LICENSE");
DLBENCH_EMBED(d3_licence, DLBENCH_REPORT_ECHARTS "/licenses/LICENSE-d3");

namespace dlbench::report {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view page_style() {
  return between(dlbench_report_style_begin, dlbench_report_style_end);
}
std::string_view page_script() {
  return between(dlbench_report_script_begin, dlbench_report_script_end);
}
std::string_view echarts_script() {
  return between(dlbench_report_echarts_begin, dlbench_report_echarts_end);
}
std::string_view echarts_notice() {
  return between(dlbench_report_echarts_notice_begin, dlbench_report_echarts_notice_end);
}
std::string_view echarts_licence() {
  return between(dlbench_report_echarts_licence_begin, dlbench_report_echarts_licence_end);
}
std::string_view d3_licence() {
  return between(dlbench_report_d3_licence_begin, dlbench_report_d3_licence_end);
}

}  // namespace dlbench::report
