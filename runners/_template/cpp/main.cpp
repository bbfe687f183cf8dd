// A complete small runner in C++: copy this folder to start a new one. docs/adding-a-runner.md walks through
// it.
#include <memory>

#include "ops.hpp"
#include "runner_sdk/cpp/serve.hpp"
#include "session.hpp"
#include "sgd.hpp"

int main() {
  dlbench::sdk::Description description;
  description.runner = "template-cpp";
  description.framework = "template";
  description.version = "1";
  description.build = "plain C++ loops";
  description.ops = template_runner::ops().names();
  description.optimizers = template_runner::optimizers().names();
  description.input = "copy";
  return dlbench::sdk::serve(description, [](const dlbench::sdk::Load& load) {
    return std::make_unique<template_runner::TemplateSession>(load);
  });
}
