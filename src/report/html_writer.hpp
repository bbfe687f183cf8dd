// Writes a page so that text can only enter it escaped, and every element that is opened is closed.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dlbench::report {

class HtmlWriter {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // Tags and attribute names are literals of this folder; attribute values and text may be anything.
  HtmlWriter& open(std::string_view tag, Attributes attributes = {});
  HtmlWriter& close();  // the element opened last; DLBENCH_ASSERT that there is one
  HtmlWriter& text(std::string_view text);
  // <tag …>text</tag>
  HtmlWriter& element(std::string_view tag, std::string_view text, Attributes attributes = {});
  // A tag without content or end: <meta …>, <br>.
  HtmlWriter& single(std::string_view tag, Attributes attributes = {});
  // Own markup and embedded scripts only, never text of a study, a runner or a file.
  HtmlWriter& trusted(std::string_view markup);

  [[nodiscard]] std::string finish() &&;  // DLBENCH_ASSERT that everything is closed

 private:
  void start_tag(std::string_view tag, Attributes attributes);
  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace dlbench::report
