# For a runner's own CMake project:
#   include("${DLBENCH_SDK}/cpp/DlbenchRunner.cmake")
#   dlbench_add_runner(<target> <sources>...)
# makes an executable with the SDK compiled in. Needs Debian's nlohmann-json3-dev, libfmt-dev and libexpected-dev.
get_filename_component(DLBENCH_SDK "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Compiled with the runner, so that its ABI and its standard library are the framework's.
file(GLOB_RECURSE DLBENCH_SDK_SOURCES "${DLBENCH_SDK}/cpp/*.cpp")
add_library(dlbench_runner_sdk STATIC ${DLBENCH_SDK_SOURCES})
target_compile_features(dlbench_runner_sdk PUBLIC cxx_std_20)
target_include_directories(dlbench_runner_sdk PUBLIC "${DLBENCH_SDK}/cpp" "${DLBENCH_SDK}/include")
target_link_libraries(dlbench_runner_sdk PUBLIC nlohmann_json::nlohmann_json fmt::fmt tl::expected
                      "${DLBENCH_SDK}/lib/libdlbench_runner.so")
set_target_properties(dlbench_runner_sdk PROPERTIES POSITION_INDEPENDENT_CODE ON)

function(dlbench_add_runner target)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE dlbench_runner_sdk)
  set_target_properties(${target} PROPERTIES BUILD_RPATH "${DLBENCH_SDK}/lib" INSTALL_RPATH "${DLBENCH_SDK}/lib")
endfunction()
