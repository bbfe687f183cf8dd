# The format's classes, as Debian has them; their headers do not bear our warnings.
find_package(Protobuf REQUIRED)
find_package(ONNX REQUIRED)
target_include_directories(${DLBENCH_TARGET} SYSTEM PRIVATE ${ONNX_INCLUDE_DIRS})
target_link_libraries(${DLBENCH_TARGET} PRIVATE onnx_proto)
