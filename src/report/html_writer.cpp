#include "report/html_writer.hpp"

#include "base/error.hpp"
#include "report/escape.hpp"

namespace dlbench::report {

void HtmlWriter::start_tag(std::string_view tag, Attributes attributes) {
  out_.append("<").append(tag);
  for (const auto& [name, value] : attributes) {
    out_.append(" ").append(name).append("=\"").append(escape_html(value)).append("\"");
  }
  out_.append(">");
}

HtmlWriter& HtmlWriter::open(std::string_view tag, Attributes attributes) {
  start_tag(tag, attributes);
  open_.emplace_back(tag);
  return *this;
}

HtmlWriter& HtmlWriter::close() {
  DLBENCH_ASSERT(!open_.empty(), "no element is open");
  out_.append("</").append(open_.back()).append(">\n");
  open_.pop_back();
  return *this;
}

HtmlWriter& HtmlWriter::text(std::string_view text) {
  out_ += escape_html(text);
  return *this;
}

HtmlWriter& HtmlWriter::element(std::string_view tag, std::string_view text, Attributes attributes) {
  start_tag(tag, attributes);
  out_.append(escape_html(text)).append("</").append(tag).append(">");
  return *this;
}

HtmlWriter& HtmlWriter::single(std::string_view tag, Attributes attributes) {
  start_tag(tag, attributes);
  return *this;
}

HtmlWriter& HtmlWriter::trusted(std::string_view markup) {
  out_ += markup;
  return *this;
}

std::string HtmlWriter::finish() && {
  DLBENCH_ASSERT(open_.empty(), "an element is still open");
  return std::move(out_);
}

}  // namespace dlbench::report
