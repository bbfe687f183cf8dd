target_link_libraries(${DLBENCH_TARGET} PRIVATE PkgConfig::xxhash)
# Shipped with the SDK: a runner that needs no hash must not need the library behind it either.
set_target_properties(${DLBENCH_TARGET} PROPERTIES UNITY_BUILD OFF)
