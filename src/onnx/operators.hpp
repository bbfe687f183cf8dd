// One function for each operator; a new operator is one more here and one line in export.cpp's table.
#pragma once

#include <string>

#include "onnx/writer.hpp"

namespace dlbench::onnx {

// convolution.cpp
std::string export_conv2d(const NodeExport& node);
std::string export_conv_table(const NodeExport& node);
// pooling.cpp
std::string export_max_pool(const NodeExport& node);
std::string export_avg_pool(const NodeExport& node);
std::string export_global_avg_pool(const NodeExport& node);
// dense.cpp
std::string export_dense(const NodeExport& node);
std::string export_embedding(const NodeExport& node);
// recurrent.cpp
std::string export_lstm(const NodeExport& node);
// normalisation.cpp
std::string export_batch_norm(const NodeExport& node);
std::string export_lrn(const NodeExport& node);
// pointwise.cpp
std::string export_relu(const NodeExport& node);
std::string export_sigmoid(const NodeExport& node);
std::string export_tanh(const NodeExport& node);
std::string export_softmax(const NodeExport& node);
std::string export_add(const NodeExport& node);
std::string export_concat(const NodeExport& node);
std::string export_flatten(const NodeExport& node);
// Computes nothing in evaluation mode: the value of its input.
std::string export_dropout(const NodeExport& node);

}  // namespace dlbench::onnx
