#include "base/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <vector>

#include "base/error.hpp"

namespace dlbench::base {
namespace {

std::string hex(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string hash_hex(const void* data, std::size_t bytes) {
  return hex(XXH3_128bits(data, bytes));
}

std::string hash_hex(std::string_view bytes) {
  return hash_hex(bytes.data(), bytes.size());
}

std::string hash_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw UserError(errno_message("open", path, errno), path);
  }
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  std::vector<char> buffer(1U << 20U);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    XXH3_128bits_update(state.get(), buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  return hex(XXH3_128bits_digest(state.get()));
}

}  // namespace dlbench::base
