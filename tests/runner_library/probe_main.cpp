// A minimal runner: obeys a tiny language of its own, one command per line, each answered by one line.
// It lets a test reach every function of the library from outside, in a process of its own.
#include <dlfcn.h>

#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "dlb_runner.h"

namespace {

dlb_handle* handle = nullptr;

std::string error() {
  return std::string("error ") + dlb_error(handle);
}

std::string find(const std::string& name, std::uint32_t role) {
  dlb_tensor tensor{};
  if (dlb_find(handle, name.c_str(), role, &tensor) != 0) {
    return error();
  }
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
  float first = 0;
  std::memcpy(&first, tensor.data, tensor.bytes >= sizeof(first) ? sizeof(first) : 0);
  return "rank " + std::to_string(tensor.rank) + " bytes " + std::to_string(tensor.bytes) + " aligned " +
         std::to_string(address % DLB_ALIGNMENT == 0) + " first " + std::to_string(first);
}

std::string store(const std::string& name, const std::vector<std::int64_t>& dims) {
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i);
  }
  const int result =
      dlb_store(handle, name.c_str(), values.data(), dims.data(), static_cast<std::uint32_t>(dims.size()));
  return result == 0 ? "stored" : error();
}

std::string list() {
  std::uint32_t count = 0;
  if (dlb_tensor_count(handle, &count) != 0) {
    return error();
  }
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) {
    const char* name = nullptr;
    std::uint32_t role = 0;
    dlb_tensor tensor{};
    if (dlb_tensor_at(handle, i, &name, &role, &tensor) != 0) {
      return error();
    }
    text += std::string(name) + "/" + std::to_string(role) + " ";
  }
  return text;
}

std::string slot(std::uint32_t k) {
  dlb_batch batch{};
  if (dlb_slot(handle, k, &batch) != 0) {
    return error();
  }
  return "rows " + std::to_string(batch.rows) + " input " + std::to_string(batch.input_bytes) + " target " +
         std::to_string(batch.target[0]) + " output " + std::to_string(batch.output_bytes);
}

std::string train(std::uint64_t steps) {
  dlb_window_begin(handle);
  for (std::uint64_t i = 0; i < steps; ++i) {
    dlb_step_begin(handle, i);
    dlb_step_end(handle, i);
    if (i % 2 == 1) {
      dlb_loss(handle, i, 0.5 * static_cast<double>(i));
    }
  }
  dlb_window_end(handle);
  return "trained";
}

std::string libraries(const std::string& file) {
  if (!file.empty() && dlopen(file.c_str(), RTLD_NOW) == nullptr) {
    return std::string("cannot load ") + dlerror();
  }
  const char* json = nullptr;
  std::size_t bytes = 0;
  return dlb_libraries(handle, &json, &bytes) == 0 ? std::string(json, bytes) : error();
}

std::string rate(std::uint64_t step) {
  const double value = dlb_rate(handle, step);
  return std::isnan(value) ? "nan" : std::to_string(value);
}

std::string answer(const std::string& command, const std::string& argument) {
  if (command == "find_in") return find(argument, DLB_ROLE_IN);
  if (command == "find_out") return find(argument, DLB_ROLE_OUT);
  if (command == "store") return store(argument, {2, 3});
  if (command == "store_flat") return store(argument, {6});
  if (command == "list") return list();
  if (command == "slot") return slot(static_cast<std::uint32_t>(std::stoul(argument)));
  if (command == "train") return train(std::stoul(argument));
  if (command == "rate") return rate(std::stoul(argument));
  if (command == "capacity") return std::to_string(dlb_step_capacity(handle));
  if (command == "libraries") return libraries(argument);
  if (command == "open_again") return dlb_open(DLB_ABI, &handle) == 0 ? "opened" : error();
  if (command == "length") return std::to_string(argument.size());
  if (command == "newline") return dlb_reply(handle, "a\nb", 3) == 0 ? "sent" : error();
  return "unknown " + command;
}

int serve() {
  const char* json = nullptr;
  std::size_t bytes = 0;
  int state = 0;
  while ((state = dlb_next(handle, &json, &bytes)) == 1) {
    const std::string line(json, bytes);
    const std::size_t space = line.find(' ');
    const std::string argument = space == std::string::npos ? "" : line.substr(space + 1);
    if (line.rfind("fail", 0) == 0) {
      dlb_fail(handle, -7, "UNSUPPORTED", argument.c_str());
      continue;
    }
    const std::string reply = answer(line.substr(0, space), argument);
    if (dlb_reply(handle, reply.data(), reply.size()) != 0) {
      return 4;
    }
  }
  if (state < 0) {
    std::fprintf(stderr, "%s\n", dlb_error(handle));
    return 5;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint32_t abi = argc > 1 ? static_cast<std::uint32_t>(std::stoul(argv[1])) : DLB_ABI;
  if (dlb_open(abi, &handle) != 0) {
    std::fprintf(stderr, "%s\n", dlb_error(handle));
    return 3;
  }
  if (dlb_reply(handle, "hello", 5) != 0) {
    return 4;
  }
  const int code = serve();
  dlb_close(handle);
  return code;
}
