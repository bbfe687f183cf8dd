# Matrix products come from OpenBLAS. Contraction is off so that "with FMA" and "without FMA" mean what they say on
# every machine: the plain loops of products.cpp choose it, never the compiler.
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
target_link_libraries(${DLBENCH_TARGET} PRIVATE PkgConfig::openblas)
target_compile_options(${DLBENCH_TARGET} PRIVATE -ffp-contract=off)
