target_link_libraries(${DLBENCH_TARGET} PRIVATE nlohmann_json::nlohmann_json)

# Files that are part of every page are put into the binary by the assembler (assets.cpp), so a report needs no file
# of the installation.
set(report_page "${PROJECT_SOURCE_DIR}/src/report/page")
set(report_echarts "${PROJECT_SOURCE_DIR}/third_party/echarts-6.1.0")
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/report/assets.cpp" PROPERTIES
  COMPILE_DEFINITIONS "DLBENCH_REPORT_PAGE=\"${report_page}\";DLBENCH_REPORT_ECHARTS=\"${report_echarts}\""
  OBJECT_DEPENDS "${report_page}/report.css;${report_page}/report.js;${report_echarts}/echarts.min.js;${report_echarts}/LICENSE;${report_echarts}/NOTICE;${report_echarts}/licenses/LICENSE-d3")
