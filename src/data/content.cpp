#include "data/content.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/error.hpp"

namespace dlbench::data {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

class Inflater {
 public:
  explicit Inflater(const std::string& name) : name_(name) {
    // 15: the largest window; + 16: a gzip header is required and its checksum is verified.
    const int code = inflateInit2(&stream_, 15 + 16);
    DLBENCH_ASSERT(code == Z_OK, "zlib could not start");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Uncompresses one member that starts at `bytes[begin]`, appends to `out`; returns where the next could
  // start.
  std::size_t append_member(const Bytes& bytes, std::size_t begin, std::size_t max_bytes, Bytes& out);

 private:
  void feed(const Bytes& bytes, std::size_t begin);

  const std::string& name_;
  z_stream stream_{};
  Bytes piece_ = Bytes(std::size_t{1} << 18U);
};

void Inflater::feed(const Bytes& bytes, std::size_t begin) {
  constexpr std::size_t most = std::numeric_limits<uInt>::max();
  // zlib's interface predates const; it never writes to its input.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  stream_.next_in = const_cast<Bytef*>(bytes.data() + begin);
  stream_.avail_in = static_cast<uInt>(std::min(bytes.size() - begin, most));
}

std::size_t Inflater::append_member(const Bytes& bytes, std::size_t begin, std::size_t max_bytes,
                                    Bytes& out) {
  DLBENCH_ASSERT(inflateReset(&stream_) == Z_OK, "zlib could not restart");
  feed(bytes, begin);
  for (;;) {
    stream_.next_out = piece_.data();
    stream_.avail_out = static_cast<uInt>(piece_.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    const std::size_t got = piece_.size() - stream_.avail_out;
    if (got > max_bytes - out.size()) {
      throw base::UserError(fmt::format("{}: uncompresses to more than {} bytes", name_, max_bytes), name_);
    }
    out.insert(out.end(), piece_.begin(), piece_.begin() + static_cast<std::ptrdiff_t>(got));
    if (code == Z_STREAM_END) {
      return bytes.size() - stream_.avail_in;
    }
    if (code == Z_BUF_ERROR || (code == Z_OK && got == 0 && stream_.avail_in == 0)) {
      throw base::UserError(fmt::format("{}: the gzip data end too early (truncated file)", name_), name_);
    }
    if (code != Z_OK) {
      throw base::UserError(fmt::format("{}: corrupt gzip data ({})", name_,
                                        stream_.msg != nullptr ? stream_.msg : "no detail from zlib"),
                            name_);
    }
  }
}

// What the trailer says (RFC 1952: size modulo 2^32), but no more than deflate can make of so few bytes. Only
// for `reserve`, so that a large set is not copied while it grows: a wrong claim costs addresses, not memory.
std::size_t expected_bytes(const Bytes& bytes) {
  constexpr std::size_t trailer_bytes = 4;
  constexpr std::size_t highest_ratio = 1032;
  std::size_t claimed = 0;
  for (std::size_t i = 0; i < trailer_bytes && i < bytes.size(); ++i) {
    claimed = claimed << 8U | bytes[bytes.size() - 1 - i];
  }
  return std::min(claimed, bytes.size() * highest_ratio);
}

std::size_t regular_file_bytes(int fd, const std::string& path, std::size_t max_bytes) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) {
    throw base::UserError(base::errno_message("cannot examine", path, errno), path);
  }
  if (!S_ISREG(status.st_mode)) {
    throw base::UserError(fmt::format("{} is not a regular file", path), path);
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > max_bytes) {
    throw base::UserError(fmt::format("{}: {} bytes, at most {} are accepted", path, size, max_bytes), path);
  }
  return static_cast<std::size_t>(size);
}

}  // namespace

Bytes read_bounded_file(const std::string& path, std::size_t max_bytes) {
  // O_NONBLOCK: opening a named pipe by mistake must not wait for a writer.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    throw base::UserError(base::errno_message("cannot open", path, errno), path);
  }
  const Descriptor file(fd);
  Bytes bytes(regular_file_bytes(fd, path, max_bytes));
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::read(fd, bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw base::UserError(base::errno_message("cannot read", path, errno), path);
    }
    if (got == 0) {
      throw base::UserError(fmt::format("{} became shorter while it was read", path), path);
    }
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

bool is_gzip(const Bytes& bytes, std::size_t begin) {
  return bytes.size() >= begin + 2 && bytes[begin] == 0x1f && bytes[begin + 1] == 0x8b;
}

Bytes inflate_gzip(const Bytes& bytes, std::size_t max_bytes, const std::string& name) {
  DLBENCH_ASSERT(bytes.size() <= std::numeric_limits<uInt>::max(), "zlib counts its input in 32 bits");
  if (!is_gzip(bytes)) {
    throw base::UserError(fmt::format("{}: not gzip data", name), name);
  }
  Inflater inflater(name);
  Bytes out;
  out.reserve(std::min(expected_bytes(bytes), max_bytes));
  std::size_t next = 0;
  while (next < bytes.size()) {
    if (!is_gzip(bytes, next)) {
      throw base::UserError(fmt::format("{}: {} extra bytes after the gzip data", name, bytes.size() - next),
                            name);
    }
    next = inflater.append_member(bytes, next, max_bytes, out);
  }
  return out;
}

Bytes read_content(const std::string& path, std::size_t max_bytes) {
  Bytes bytes = read_bounded_file(path, max_bytes);
  return is_gzip(bytes) ? inflate_gzip(bytes, max_bytes, path) : bytes;
}

}  // namespace dlbench::data
