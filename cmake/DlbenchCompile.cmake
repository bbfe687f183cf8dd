# Compiler settings shared by everything in the main build.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(DLBENCH_SANITIZE "" CACHE STRING "Sanitizers to build with: empty, 'address,undefined' or 'thread'")
option(DLBENCH_FUZZ "Build the fuzz targets (clang only)" OFF)

add_library(dlbench_warnings INTERFACE)
target_compile_options(dlbench_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
                       -Wshadow -Werror)
# g++ 12 reports impossible overflows inside libstdc++'s own inlined string code (GCC bug 105651); clang and the
# sanitizers look for real ones.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(dlbench_warnings INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
                         -Wno-array-bounds)
endif()

if(DLBENCH_SANITIZE)
  add_compile_options(-fsanitize=${DLBENCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${DLBENCH_SANITIZE})
endif()

# No folder of this machine in what is compiled: the same sources give the same SDK in every checkout.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)

# A Release build keeps its assertions: DLBENCH_ASSERT never depends on NDEBUG.
find_program(DLBENCH_CCACHE ccache)
if(DLBENCH_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${DLBENCH_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${DLBENCH_CCACHE}")
endif()

# dlbench waits for frameworks: only the layers that compute (DLBENCH_COMPUTING_LAYERS) gain from an optimiser, and for all
# the others it would double the time to build. Sanitizers make even -O1 slow to compile.
set(DLBENCH_COMPUTING_LAYERS base data gate oracle stats)
if(DLBENCH_SANITIZE)
  set(DLBENCH_COMPUTING -O1)
  set(DLBENCH_WAITING -O0)
else()
  set(DLBENCH_COMPUTING -O3)
  set(DLBENCH_WAITING -O1)
endif()

# Up to ten files of a target are compiled as one: most of a file's time goes into what it includes. For work on few files
# -DCMAKE_UNITY_BUILD=OFF compiles each alone.
set(CMAKE_UNITY_BUILD ON CACHE BOOL "Compile several files of a target as one")
set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)

# The standard library, fmt and nlohmann's JSON are read once for all files. What a file uses it still includes itself:
# target `header_check` compiles every header without this.
# dlbench_precompiled(<target> <headers>...): others take its precompiled headers over with
# target_precompile_headers(... REUSE_FROM <target>); their compile options must be the same, so libraries and programs
# (-fPIC and -fPIE) need one each.
set(DLBENCH_COMMON_HEADERS <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory>
    <optional> <set> <span> <stdexcept> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>
    <nlohmann/json.hpp> <tl/expected.hpp>)

function(dlbench_precompiled target kind)
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp" CONTENT
       "// Only carries precompiled headers.\nint main() { return 0; }\n")
  if(kind STREQUAL "PROGRAM")
    add_executable(${target} "${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp")
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  else()
    add_library(${target} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp")
  endif()
  target_compile_options(${target} PRIVATE ${DLBENCH_WAITING})
  target_link_libraries(${target} PRIVATE dlbench_warnings fmt::fmt tl::expected nlohmann_json::nlohmann_json)
  target_precompile_headers(${target} PRIVATE ${DLBENCH_COMMON_HEADERS} ${ARGN})
endfunction()
