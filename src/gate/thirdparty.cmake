# Only to keep the oracle's BLAS to one thread while the gate runs several evaluations at once (parallel.cpp).
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
target_link_libraries(${DLBENCH_TARGET} PRIVATE PkgConfig::openblas)
