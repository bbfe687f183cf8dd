target_link_libraries(${DLBENCH_TARGET} PRIVATE SQLite::SQLite3)
