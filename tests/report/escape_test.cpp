#include "report/escape.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "report/html_writer.hpp"

namespace dlbench::report {
namespace {

TEST(EscapeHtml, ReplacesEveryActiveCharacter) {
  EXPECT_EQ(escape_html(""), "");
  EXPECT_EQ(escape_html("a ÷ b"), "a ÷ b");
  EXPECT_EQ(escape_html("<a href=\"x\">&amp;'"), "&lt;a href=&quot;x&quot;&gt;&amp;amp;&#39;");
  EXPECT_EQ(escape_html("\x01\xff"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(EscapeJsonForScript, LeavesNothingThatEndsAScript) {
  EXPECT_EQ(escape_json_for_script(R"({"a":"</script><!--&"})"),
            R"({"a":"\u003c/script\u003e\u003c!--\u0026"})");
  EXPECT_EQ(escape_json_for_script("\"\xe2\x80\xa8\xe2\x80\xa9\""), "\"\\u2028\\u2029\"");
  EXPECT_EQ(escape_json_for_script("\"\xe2\x80\""), "\"\xe2\x80\"");  // cut off: nothing is read past the end
}

TEST(EscapeCsvText, QuotesAndDisarms) {
  EXPECT_EQ(escape_csv_text("plain"), "plain");
  EXPECT_EQ(escape_csv_text("a,b"), "\"a,b\"");
  EXPECT_EQ(escape_csv_text("say \"x\"\nnow"), "\"say \"\"x\"\"\nnow\"");
  EXPECT_EQ(escape_csv_text("=1+1"), "'=1+1");
  EXPECT_EQ(escape_csv_text("-"), "'-");
}

TEST(HtmlWriter, EscapesTextAndAttributes) {
  HtmlWriter out;
  out.open("p", {{"title", "\"><script>"}}).text("<b>").element("i", "&").close();
  EXPECT_EQ(std::move(out).finish(), "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;<i>&amp;</i></p>\n");
}

TEST(HtmlWriter, RefusesUnbalancedElements) {
  HtmlWriter none;
  EXPECT_THROW(none.close(), base::Bug);
  HtmlWriter open;
  open.open("p");
  EXPECT_THROW((void)std::move(open).finish(), base::Bug);
}

}  // namespace
}  // namespace dlbench::report
