target_link_libraries(${DLBENCH_TARGET} PRIVATE ZLIB::ZLIB)
