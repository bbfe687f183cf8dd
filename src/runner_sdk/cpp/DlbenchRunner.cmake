# For a runner's own CMake project:
#   include("${DLBENCH_SDK}/cpp/DlbenchRunner.cmake")
#   dlbench_add_runner(<target> <sources>...)
# makes an executable with the SDK in it. Needs Debian's nlohmann-json3-dev, libfmt-dev and libexpected-dev.
#   dlbench_reads_onnx(<target>)
# gives it onnx/export.hpp, the graph as an ONNX file; needs Debian's libonnx-dev and libprotobuf-dev besides.
#
# A framework of another ABI or standard library than the compiler's default (torch wheels before the C++11 ABI) says
#   set(DLBENCH_SDK_FROM_SOURCE ON)
# before the include: then the SDK is compiled with the runner's own flags, as it is with another compiler.
get_filename_component(DLBENCH_SDK "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(DLBENCH_SDK_COMPILED_WITH "")
include("${CMAKE_CURRENT_LIST_DIR}/compiled_with.cmake" OPTIONAL)
set(dlbench_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE}")
if(NOT DLBENCH_SDK_FROM_SOURCE AND DLBENCH_SDK_COMPILED_WITH STREQUAL dlbench_compiler)
  add_library(dlbench_runner_sdk INTERFACE)
  target_link_libraries(dlbench_runner_sdk INTERFACE "${DLBENCH_SDK}/lib/libdlbench_runner_sdk.a"
                        "${DLBENCH_SDK}/lib/libdlbench_model.a" "${DLBENCH_SDK}/lib/libdlbench_base.a")
  set(dlbench_scope INTERFACE)
else()
  file(GLOB_RECURSE DLBENCH_SDK_SOURCES "${DLBENCH_SDK}/cpp/*.cpp")
  list(FILTER DLBENCH_SDK_SOURCES EXCLUDE REGEX "/cpp/onnx/")
  add_library(dlbench_runner_sdk STATIC ${DLBENCH_SDK_SOURCES})
  set_target_properties(dlbench_runner_sdk PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(dlbench_runner_sdk PRIVATE <algorithm> <cstdint> <map> <memory> <string> <vector>
                            <fmt/format.h> <nlohmann/json.hpp> <tl/expected.hpp>)
  set(dlbench_scope PUBLIC)
endif()
target_compile_features(dlbench_runner_sdk ${dlbench_scope} cxx_std_20)
target_include_directories(dlbench_runner_sdk ${dlbench_scope} "${DLBENCH_SDK}/cpp" "${DLBENCH_SDK}/include")
target_link_libraries(dlbench_runner_sdk ${dlbench_scope} nlohmann_json::nlohmann_json fmt::fmt tl::expected
                      "${DLBENCH_SDK}/lib/libdlbench_runner.so")

function(dlbench_add_runner target)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE dlbench_runner_sdk)
  # Environments outlive the tree that made them and are shared by others: each keeps the library that it was made with.
  add_custom_command(TARGET ${target} POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_if_different
                     "${DLBENCH_SDK}/lib/libdlbench_runner.so" "$<TARGET_FILE_DIR:${target}>")
  set_target_properties(${target} PROPERTIES BUILD_RPATH "$ORIGIN")
endfunction()

function(dlbench_reads_onnx target)
  find_package(Protobuf REQUIRED)
  find_package(ONNX REQUIRED)
  if(TARGET dlbench_onnx)
    # Several runners of one project share it.
  elseif(dlbench_scope STREQUAL "INTERFACE")
    add_library(dlbench_onnx INTERFACE)
    target_link_libraries(dlbench_onnx INTERFACE "${DLBENCH_SDK}/lib/libdlbench_onnx.a" onnx_proto dlbench_runner_sdk)
  else()
    file(GLOB onnx_sources "${DLBENCH_SDK}/cpp/onnx/*.cpp")
    add_library(dlbench_onnx STATIC ${onnx_sources})
    target_include_directories(dlbench_onnx SYSTEM PRIVATE ${ONNX_INCLUDE_DIRS})
    target_link_libraries(dlbench_onnx PRIVATE onnx_proto PUBLIC dlbench_runner_sdk)
  endif()
  target_link_libraries(${target} PRIVATE dlbench_onnx)
endfunction()
