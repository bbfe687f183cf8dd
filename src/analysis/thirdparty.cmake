target_link_libraries(${DLBENCH_TARGET} PRIVATE nlohmann_json::nlohmann_json)
