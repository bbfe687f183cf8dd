// Little-endian bytes for the plan cache: a writer, and a reader that checks every length against what is
// left.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace dlbench::gate {

static_assert(std::endian::native == std::endian::little, "the cache format is little-endian");

class ByteWriter {
 public:
  template <class Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint64_t>(value.size()));
    bytes_.append(value);
  }
  template <class Number>
  void numbers(const std::vector<Number>& values) {
    static_assert(std::is_arithmetic_v<Number>);
    number(static_cast<std::uint64_t>(values.size()));
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
  }
  template <class Item, class Write>
  void list(const std::vector<Item>& items, Write write) {
    number(static_cast<std::uint64_t>(items.size()));
    for (const Item& item : items) {
      write(*this, item);
    }
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Everything throws base::UserError when the bytes end early or a length cannot be true.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  Number number() {
    static_assert(std::is_arithmetic_v<Number>);
    Number value;
    copy_to(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string value(length(1), '\0');
    copy_to(value.data(), value.size());
    return value;
  }
  template <class Number>
  std::vector<Number> numbers() {
    std::vector<Number> values(length(sizeof(Number)));
    copy_to(values.data(), values.size() * sizeof(Number));
    return values;
  }
  // `read` returns one item; each takes at least one byte, so a count beyond what is left is damage.
  template <class Read>
  auto list(Read read) {
    std::vector<decltype(read(*this))> items;
    for (std::size_t count = length(1); count > 0; --count) {
      items.push_back(read(*this));
    }
    return items;
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::size_t length(std::size_t item_bytes);
  void copy_to(void* target, std::size_t bytes);

  std::string_view rest_;
};

}  // namespace dlbench::gate
