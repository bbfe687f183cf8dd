#include "protocol/channel.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace dlbench::protocol {
namespace {

using namespace std::chrono_literals;

Deadline in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

class ChannelTest : public testing::Test {
 protected:
  void SetUp() override {
    std::array<int, 2> ends{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    channel_ = std::make_unique<Channel>(ends[0], 1000);
    peer_ = ends[1];
  }
  void TearDown() override { close_peer(); }

  void write_peer(const std::string& bytes) const {
    ASSERT_EQ(write(peer_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void close_peer() {
    if (peer_ >= 0) {
      close(peer_);
      peer_ = -1;
    }
  }
  [[nodiscard]] FramingErrorKind error(std::chrono::milliseconds time = 5s) const {
    const auto line = channel_->receive(in(time));
    EXPECT_FALSE(line.has_value());
    return line ? FramingErrorKind::io : line.error().kind;
  }

  std::unique_ptr<Channel> channel_;
  int peer_ = -1;
};

TEST_F(ChannelTest, SendsOneLine) {
  ASSERT_TRUE(channel_->send("{\"id\":1}", in(5s)));
  std::array<char, 32> bytes{};
  const ssize_t count = read(peer_, bytes.data(), bytes.size());
  EXPECT_EQ(std::string(bytes.data(), static_cast<std::size_t>(count)), "{\"id\":1}\n");
}

TEST_F(ChannelTest, ReceivesLinesOneByOne) {
  write_peer("one\n\ntwo\nthr");
  EXPECT_EQ(channel_->receive(in(5s)).value(), "one");
  EXPECT_EQ(channel_->receive(in(5s)).value(), "");
  EXPECT_EQ(channel_->receive(in(5s)).value(), "two");
  write_peer("ee\n");
  EXPECT_EQ(channel_->receive(in(5s)).value(), "three");
}

TEST_F(ChannelTest, PartialLineSurvivesATimeout) {
  write_peer("par");
  EXPECT_EQ(error(1ms), FramingErrorKind::timeout);
  write_peer("tial\n");
  EXPECT_EQ(channel_->receive(in(5s)).value(), "partial");
}

TEST_F(ChannelTest, DeadlineInThePastStillReturnsWhatIsThere) {
  write_peer("ready\n");
  EXPECT_EQ(channel_->receive(in(-1s)).value(), "ready");
  EXPECT_EQ(error(-1s), FramingErrorKind::timeout);
}

TEST_F(ChannelTest, ClosedConnection) {
  close_peer();
  EXPECT_EQ(error(), FramingErrorKind::closed);
}

TEST_F(ChannelTest, ClosedWithinAMessageSaysSo) {
  write_peer("last\nhalf");
  close_peer();
  EXPECT_EQ(channel_->receive(in(5s)).value(), "last");
  const auto line = channel_->receive(in(5s));
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().kind, FramingErrorKind::closed);
  EXPECT_NE(line.error().text.find("within a message"), std::string::npos);
}

TEST_F(ChannelTest, LimitCountsTheNewline) {
  write_peer(std::string(999, 'x') + "\n");
  EXPECT_EQ(channel_->receive(in(5s)).value().size(), 999U);
  write_peer(std::string(1000, 'x') + "\n");
  EXPECT_EQ(error(), FramingErrorKind::too_large);
}

TEST_F(ChannelTest, EndlessLineIsRefusedWithoutWaitingForItsEnd) {
  write_peer(std::string(5000, 'x'));
  EXPECT_EQ(error(), FramingErrorKind::too_large);
}

TEST_F(ChannelTest, RefusesToSendWhatTheOtherSideWouldRefuse) {
  EXPECT_TRUE(channel_->send(std::string(999, 'x'), in(5s)));
  EXPECT_EQ(channel_->send(std::string(1000, 'x'), in(5s)).error().kind, FramingErrorKind::too_large);
  EXPECT_EQ(channel_->send("two\nlines", in(5s)).error().kind, FramingErrorKind::too_large);
}

TEST_F(ChannelTest, SendingToAClosedConnectionRaisesNoSignal) {
  close_peer();
  EXPECT_EQ(channel_->send("x", in(5s)).error().kind, FramingErrorKind::closed);
}

TEST_F(ChannelTest, SendTimesOutWhenNobodyReads) {
  const std::string line(900, 'x');
  auto sent = channel_->send(line, in(5s));
  for (int i = 0; i < 100'000 && sent; ++i) {
    sent = channel_->send(line, in(0s));
  }
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().kind, FramingErrorKind::timeout);
}

TEST(ChannelPairTest, LargestMessageCrossesWhileBothSidesWork) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  Channel writer(ends[0]);
  Channel reader(ends[1]);
  const std::string line(DLB_MESSAGE_MAX_BYTES - 1, 'y');  // far more than a socket buffers
  bool sent = false;
  std::jthread sender([&] { sent = writer.send(line, in(60s)).has_value(); });
  const auto received = reader.receive(in(60s));
  sender.join();
  EXPECT_TRUE(sent);
  ASSERT_TRUE(received);
  EXPECT_EQ(*received, line);
}

TEST_F(ChannelTest, DeathIsNoticedAndTheLastLineIsKept) {
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe2(pipe_ends.data(), O_CLOEXEC), 0);  // readable once its writer is gone, like a pidfd
  close(pipe_ends[1]);
  write_peer("last words\n");
  EXPECT_EQ(channel_->receive(in(5s), pipe_ends[0]).value(), "last words");
  const auto line = channel_->receive(in(5s), pipe_ends[0]);
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().kind, FramingErrorKind::died);
  close(pipe_ends[0]);
}

TEST_F(ChannelTest, SocketIsNotInheritedByOtherChildren) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const Channel channel(ends[0]);
  EXPECT_NE(fcntl(ends[0], F_GETFD) & FD_CLOEXEC, 0);
  close(ends[1]);
}

}  // namespace
}  // namespace dlbench::protocol
