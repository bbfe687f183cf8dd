target_link_libraries(${DLBENCH_TARGET} PRIVATE yaml-cpp)
