// What a real browser makes of the page: every chart is drawn, nothing is reported on its console, hostile
// text runs nothing.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/text_file.hpp"
#include "report/example.hpp"

namespace dlbench::report {
namespace {

constexpr const char* browser = "/usr/bin/chromium";
constexpr std::size_t max_bytes = 64U << 20U;

struct Seen {
  std::string document;  // after the scripts have run
  std::string messages;  // the browser's log with the page's console
};

class Browser : public testing::Test {
 protected:
  void SetUp() override {
    if (access(browser, X_OK) != 0) {
      GTEST_SKIP() << browser << " is not installed";
    }
    std::string pattern = testing::TempDir() + "dlbench-browser-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }

  void TearDown() override {
    if (!folder_.empty()) {
      std::filesystem::remove_all(folder_);
    }
  }

  Seen look_at(const std::string& page) {
    base::write_text_file(folder_ + "/page.html", page);
    const std::vector<std::string> command = {browser,
                                              "--headless",
                                              "--no-sandbox",
                                              "--disable-gpu",
                                              "--enable-logging=stderr",
                                              "--window-size=1400,1000",
                                              "--virtual-time-budget=5000",
                                              "--user-data-dir=" + folder_ + "/profile",
                                              "--dump-dom",
                                              "file://" + folder_ + "/page.html"};
    EXPECT_EQ(run(command), 0);
    return {base::read_text_file(folder_ + "/out", max_bytes),
            base::read_text_file(folder_ + "/err", max_bytes)};
  }

 private:
  int run(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
      arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, (folder_ + "/out").c_str(),
                                     O_CREAT | O_WRONLY | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (folder_ + "/err").c_str(),
                                     O_CREAT | O_WRONLY | O_TRUNC, 0600);
    pid_t pid = 0;
    const int failed = posix_spawn(&pid, browser, &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = -1;
    if (failed != 0 || waitpid(pid, &status, 0) != pid) {
      return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string folder_;
};

std::size_t count_of(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + piece.size())) {
    ++count;
  }
  return count;
}

TEST_F(Browser, DrawsEveryChartWithoutAMessage) {
  const Seen seen = look_at(html(example::study(7, 6000)));
  EXPECT_EQ(seen.messages.find("CONSOLE"), std::string::npos) << seen.messages;
  EXPECT_EQ(count_of(seen.document, "class=\"chart drawn\""), 5U);
  EXPECT_EQ(count_of(seen.document, "<svg"), 5U);
}

TEST_F(Browser, HostileTextRunsNothing) {
  std::string page = html(example::hostile_study(example::hostile_text()));
  const std::string probe =
      "<script>document.title = String(window.hacked) + document.images.length;</script></body>";
  page.replace(page.rfind("</body>"), 7, probe);
  const Seen seen = look_at(page);
  EXPECT_EQ(seen.messages.find("CONSOLE"), std::string::npos) << seen.messages;
  EXPECT_NE(seen.document.find("<title>undefined0</title>"), std::string::npos);
  EXPECT_GE(count_of(seen.document, "<svg"), 3U);
}

// The page's own policy forbids what a hole in the escaping would need next.
TEST_F(Browser, PolicyStopsRequests) {
  std::string page = html(example::study(1, 0));
  page.replace(page.rfind("</body>"), 7, "<img src=\"file:///nowhere.png\"></body>");
  EXPECT_NE(look_at(page).messages.find("Content Security Policy"), std::string::npos);
}

}  // namespace
}  // namespace dlbench::report
