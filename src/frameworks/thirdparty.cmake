target_link_libraries(${DLBENCH_TARGET} PRIVATE yaml-cpp)
# Where a build that was not installed finds the runners; an installed one looks beside itself first.
target_compile_definitions(${DLBENCH_TARGET} PRIVATE DLBENCH_BUILD_RUNNERS="${PROJECT_SOURCE_DIR}/runners")
