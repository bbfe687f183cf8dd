# Target `sdk`: everything a runner needs, in one folder <build>/sdk that can be copied anywhere as a whole.
#   lib/libdlbench_runner.so   include/{dlb_runner.h,dlb_arena.h}
#   cpp/    the C++ layer with base, model and onnx as source, and DlbenchRunner.cmake
#   lib/*.a, cpp/compiled_with.cmake   the same compiled, for runners of the same compiler; not under sanitizers
#   python/dlbench_runner/     lua/dlbench_runner/
set(sdk "${PROJECT_BINARY_DIR}/sdk")
set(source_root "${PROJECT_SOURCE_DIR}/src")

file(GLOB_RECURSE cpp_files CONFIGURE_DEPENDS RELATIVE "${source_root}" "${source_root}/base/*.cpp"
     "${source_root}/base/*.hpp" "${source_root}/model/*.cpp" "${source_root}/model/*.hpp"
     "${source_root}/onnx/*.cpp" "${source_root}/onnx/*.hpp"
     "${source_root}/runner_sdk/cpp/*.cpp" "${source_root}/runner_sdk/cpp/*.hpp")
# Content hashes are the host's business and would ask runners for xxhash.
list(FILTER cpp_files EXCLUDE REGEX "^base/hash\\.")
file(GLOB script_files CONFIGURE_DEPENDS RELATIVE "${source_root}/runner_sdk"
     "${source_root}/runner_sdk/python/dlbench_runner/*.py" "${source_root}/runner_sdk/lua/dlbench_runner/*.lua")

set(collected "")
function(dlbench_sdk_file source target)
  add_custom_command(OUTPUT "${sdk}/${target}" DEPENDS "${source}"
                     COMMAND "${CMAKE_COMMAND}" -E copy "${source}" "${sdk}/${target}" VERBATIM)
  set(collected ${collected} "${sdk}/${target}" PARENT_SCOPE)
endfunction()

foreach(file IN LISTS cpp_files)
  dlbench_sdk_file("${source_root}/${file}" "cpp/${file}")
endforeach()
foreach(file IN LISTS script_files)
  dlbench_sdk_file("${source_root}/runner_sdk/${file}" "${file}")
endforeach()
dlbench_sdk_file("${source_root}/runner_sdk/cpp/DlbenchRunner.cmake" "cpp/DlbenchRunner.cmake")
dlbench_sdk_file("${source_root}/runner_sdk/c/dlb_runner.h" "include/dlb_runner.h")
dlbench_sdk_file("${source_root}/protocol/dlb_arena.h" "include/dlb_arena.h")
dlbench_sdk_file("$<TARGET_FILE:dlbench_runner>" "lib/libdlbench_runner.so")

set(sdk_libraries dlbench_runner)
if(NOT DLBENCH_SANITIZE)
  foreach(library dlbench_runner_sdk dlbench_onnx dlbench_model dlbench_base)
    dlbench_sdk_file("$<TARGET_FILE:${library}>" "lib/lib${library}.a")
    list(APPEND sdk_libraries ${library})
  endforeach()
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/compiled_with.cmake" @ONLY CONTENT
"set(DLBENCH_SDK_COMPILED_WITH \"@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@ @CMAKE_BUILD_TYPE@\")
")
  dlbench_sdk_file("${CMAKE_CURRENT_BINARY_DIR}/compiled_with.cmake" "cpp/compiled_with.cmake")
endif()

add_custom_target(sdk ALL DEPENDS ${collected})
add_dependencies(sdk ${sdk_libraries})
