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
# g++ 12 reports impossible overflows inside libstdc++'s own inlined string code (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(dlbench_warnings INTERFACE -Wno-restrict)
endif()

if(DLBENCH_SANITIZE)
  add_compile_options(-fsanitize=${DLBENCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${DLBENCH_SANITIZE})
endif()

# A Release build keeps its assertions: DLBENCH_ASSERT never depends on NDEBUG.
find_program(DLBENCH_CCACHE ccache)
if(DLBENCH_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${DLBENCH_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${DLBENCH_CCACHE}")
endif()
