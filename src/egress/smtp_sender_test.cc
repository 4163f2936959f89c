// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/smtp_sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/check.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "egress/loopback_testing.h"
#include "egress/tls_testing.h"

namespace atrium::egress {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// What a mail server says instead of "yes", by the verb it answers; "greeting" and "letter" stand
/// for the two answers that follow no verb. An empty answer breaks the connection off.
using Answers = std::map<std::string, std::string, std::less<>>;

/// A mail server on 127.0.0.1 for one connection after the other.
class LoopbackMailServer {
 public:
  struct Behaviour {
    Answers answers{};
    /// What EHLO offers.
    std::vector<std::string> offers{};
    /// For STARTTLS, or from the first byte.
    SSL_CTX* tls = nullptr;
    bool implicit = false;
  };

  explicit LoopbackMailServer(Behaviour behaviour)
      : behaviour_(std::move(behaviour)), listener_(Listen()), thread_([this] { Accept(); }) {}
  LoopbackMailServer(const LoopbackMailServer&) = delete;
  LoopbackMailServer& operator=(const LoopbackMailServer&) = delete;
  ~LoopbackMailServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }

  std::uint16_t Port() const { return port_; }
  std::vector<std::string> Commands() const {
    const std::scoped_lock lock(mutex_);
    return commands_;
  }
  std::string Letter() const {
    const std::scoped_lock lock(mutex_);
    return letter_;
  }

 private:
  int Listen() {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t length = sizeof address;
    Check(bind(listener, generic, length) == 0 && listen(listener, 8) == 0, "a listener");
    Check(getsockname(listener, generic, &length) == 0, "its port");
    port_ = ntohs(address.sin_port);
    return listener;
  }

  void Accept() {
    for (int socket = 0; (socket = accept(listener_, nullptr, nullptr)) >= 0;) {
      Serve(socket);
      close(socket);
    }
  }

  void Serve(int socket) {
    auto stream =
        std::make_unique<LoopbackStream>(socket, behaviour_.implicit ? behaviour_.tls : nullptr);
    std::string buffer;
    bool open = Answer(*stream, "greeting", "220 ready");
    while (open) {
      const std::optional<std::string> line = ReadUntil(*stream, buffer, "\r\n");
      if (!line) {
        return;
      }
      const std::string verb = line->substr(0, line->find_first_of(" \r"));
      Note(*line);
      open = Obey(*stream, buffer, verb);
      if (open && verb == "STARTTLS" && !behaviour_.answers.contains(verb)) {
        stream = std::make_unique<LoopbackStream>(socket, behaviour_.tls);
      }
    }
  }

  bool Obey(LoopbackStream& stream, std::string& buffer, const std::string& verb) {
    if (verb == "EHLO") {
      std::string offers = "250-here";
      for (const std::string& offer : behaviour_.offers) {
        offers += "\r\n250-" + offer;
      }
      return Answer(stream, verb, offers + "\r\n250 8BITMIME");
    }
    if (verb == "AUTH") {
      return SignIn(stream, buffer);
    }
    if (verb != "DATA") {
      return Answer(stream, verb, verb == "STARTTLS" ? "220 go ahead" : "250 fine");
    }
    if (!Answer(stream, verb, "354 go on") || behaviour_.answers.contains(verb)) {
      return !behaviour_.answers.contains(verb) || !behaviour_.answers.at(verb).empty();
    }
    const std::optional<std::string> letter = ReadUntil(stream, buffer, "\r\n.\r\n");
    {
      const std::scoped_lock lock(mutex_);
      letter_ = letter.value_or("");
    }
    return Answer(stream, "letter", "250 taken");
  }

  bool SignIn(LoopbackStream& stream, std::string& buffer) {
    if (behaviour_.answers.contains("AUTH")) {
      return Answer(stream, "AUTH", {});
    }
    stream.Write("334 \r\n");
    Note(ReadUntil(stream, buffer, "\r\n").value_or(""));
    return Answer(stream, "password", "235 welcome");
  }

  /// False when the connection ends here.
  bool Answer(LoopbackStream& stream, const std::string& verb, const std::string& usual) const {
    const auto other = behaviour_.answers.find(verb);
    const std::string& text = other == behaviour_.answers.end() ? usual : other->second;
    stream.Write(text.empty() ? "" : text + "\r\n");
    return !text.empty();
  }

  static std::optional<std::string> ReadUntil(LoopbackStream& stream, std::string& buffer,
                                              std::string_view end) {
    std::size_t found = 0;
    while ((found = buffer.find(end)) == std::string::npos) {
      const std::string piece = stream.Read();
      if (piece.empty()) {
        return std::nullopt;
      }
      buffer += piece;
    }
    std::string text = buffer.substr(0, found);
    buffer.erase(0, found + end.size());
    return text;
  }

  void Note(const std::string& line) {
    const std::scoped_lock lock(mutex_);
    commands_.push_back(line);
  }

  Behaviour behaviour_;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<std::string> commands_;
  std::string letter_;
  int listener_;
  // Last: it uses all of the above.
  std::thread thread_;
};

constexpr std::string_view kLetter = "Subject: hi\r\n\r\n.dot\r\nbye\r\n";

SmtpEnvelope FromAToB() {
  return {.from = "a@example.org", .to = "b@example.net"};
}

SmtpOptions At(const LoopbackMailServer& server, SmtpTls tls) {
  return {
      .host = "127.0.0.1", .port = server.Port(), .tls = tls, .timeout = std::chrono::seconds{20}};
}

/// The outcome with a server that answers so.
Result<void> SendTo(const Answers& answers) {
  const LoopbackMailServer server({.answers = answers});
  return SmtpSender(At(server, SmtpTls::kNone)).Send(FromAToB(), kLetter);
}

TEST(SmtpSenderTest, HandsALetterOver) {
  const LoopbackMailServer server({});
  ASSERT_THAT(SmtpSender(At(server, SmtpTls::kNone)).Send(FromAToB(), kLetter), IsOk());
  EXPECT_EQ(server.Letter(), "Subject: hi\r\n\r\n..dot\r\nbye") << "dots are doubled on the way";
  const std::vector<std::string> commands = server.Commands();
  ASSERT_THAT(commands, SizeIs(5));
  EXPECT_EQ(commands[0], "EHLO example.org");
  EXPECT_THAT(commands[1], HasSubstr("MAIL FROM:<a@example.org>"));
  EXPECT_EQ(commands[2], "RCPT TO:<b@example.net>");
  EXPECT_EQ(commands[3], "DATA");
  EXPECT_EQ(commands[4], "QUIT");
}

TEST(SmtpSenderTest, SeveralLettersGoOneAfterTheOther) {
  const LoopbackMailServer server({});
  SmtpSender sender(At(server, SmtpTls::kNone));
  EXPECT_THAT(sender.Send(FromAToB(), kLetter), IsOk());
  EXPECT_THAT(sender.Send(FromAToB(), kLetter), IsOk());
}

TEST(SmtpSenderTest, AddressesThatWouldBeginACommandAreRefused) {
  const LoopbackMailServer server({});
  SmtpSender sender(At(server, SmtpTls::kNone));
  for (const auto* address :
       {"", "b@c\r\nRCPT TO:<d@e>", "b@c\n", "b> <c@d", "b c@d", "\xC3\xA9@d"}) {
    EXPECT_THAT(sender.Send({.from = "a@b", .to = address}, kLetter),
                FailsWith(ErrorCode::kInvalidArgument))
        << address;
    EXPECT_THAT(sender.Send({.from = address, .to = "a@b"}, kLetter),
                FailsWith(ErrorCode::kInvalidArgument))
        << address;
  }
  EXPECT_THAT(server.Commands(), IsEmpty());
}

TEST(SmtpSenderTest, RefusalsForGoodAreToldFromThoseForNow) {
  for (const auto* verb : {"MAIL", "RCPT", "DATA", "letter"}) {
    EXPECT_THAT(SendTo({{verb, "550 never"}}), FailsWith(ErrorCode::kPermissionDenied)) << verb;
    EXPECT_THAT(SendTo({{verb, "451 later"}}), FailsWith(ErrorCode::kUnavailable)) << verb;
  }
}

TEST(SmtpSenderTest, TheReasonIsInTheWordsOfTheServer) {
  for (const auto* verb : {"MAIL", "RCPT", "DATA", "letter"}) {
    EXPECT_THAT(SendTo({{verb, "550 5.1.1 no \x01 such mailbox"}}).error().detail,
                HasSubstr("refused the letter: 550 5.1.1 no   such mailbox ("))
        << verb;
  }
}

TEST(SmtpSenderTest, RefusalsOfTheWholeServerMayPass) {
  EXPECT_THAT(SendTo({{"greeting", "554 no service"}}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(SendTo({{"greeting", "421 busy"}}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(SendTo({{"MAIL", "530 sign in first"}}), FailsWith(ErrorCode::kUnavailable));
}

TEST(SmtpSenderTest, ABrokenConnectionMayPass) {
  for (const auto* verb : {"greeting", "EHLO", "MAIL", "RCPT", "DATA", "letter"}) {
    EXPECT_THAT(SendTo({{verb, ""}}), FailsWith(ErrorCode::kUnavailable)) << verb;
  }
}

TEST(SmtpSenderTest, AServerThatIsNotThereMayComeBack) {
  std::uint16_t port = 0;
  {
    const LoopbackMailServer server({});
    port = server.Port();
  }
  SmtpSender sender({.host = "127.0.0.1", .port = port, .tls = SmtpTls::kNone});
  EXPECT_THAT(sender.Send(FromAToB(), kLetter), FailsWith(ErrorCode::kUnavailable));
}

TEST(SmtpSenderTest, ASilentServerIsGivenUp) {
  // A line that never ends: libcurl waits for the rest of the answer.
  const LoopbackMailServer server({.answers = {{"EHLO", "250-and"}}});
  SmtpOptions options = At(server, SmtpTls::kNone);
  options.timeout = std::chrono::milliseconds{200};
  EXPECT_THAT(SmtpSender(options).Send(FromAToB(), kLetter),
              FailsWith(ErrorCode::kDeadlineExceeded));
}

TEST(SmtpSenderTest, WhoIsStoppedDoesNotWait) {
  const LoopbackMailServer server({.answers = {{"EHLO", "250-and"}}});
  std::stop_source stop;
  stop.request_stop();
  SmtpEnvelope envelope = FromAToB();
  envelope.stop = stop.get_token();
  EXPECT_THAT(SmtpSender(At(server, SmtpTls::kNone)).Send(envelope, kLetter),
              FailsWith(ErrorCode::kUnavailable));
}

TEST(SmtpSenderTest, NothingIsSentWhenStartTlsIsMissingOrRefused) {
  for (const std::vector<std::string>& offers :
       {std::vector<std::string>{}, std::vector<std::string>{"STARTTLS"}}) {
    const LoopbackMailServer server({.answers = {{"STARTTLS", "454 not now"}}, .offers = offers});
    EXPECT_THAT(SmtpSender(At(server, SmtpTls::kStartTls)).Send(FromAToB(), kLetter),
                FailsWith(ErrorCode::kUnavailable));
    EXPECT_THAT(server.Commands(), Not(Contains(HasSubstr("MAIL"))));
  }
}

TEST(SmtpSenderTest, PasswordAndLetterGoThroughTls) {
  const SelfSignedCertificate certificate("mail.test");
  for (const SmtpTls tls : {SmtpTls::kStartTls, SmtpTls::kImplicit}) {
    const LoopbackMailServer server({.offers = {"STARTTLS", "AUTH PLAIN"},
                                     .tls = certificate.Context(),
                                     .implicit = tls == SmtpTls::kImplicit});
    SmtpOptions options = At(server, tls);
    options.ca_bundle = certificate.Path();
    options.username = "me";
    options.password = "hunter2";
    ASSERT_THAT(SmtpSender(options).Send(FromAToB(), kLetter), IsOk());
    EXPECT_THAT(server.Commands(), Contains(EncodeBase64(std::string_view("\0me\0hunter2", 11))));
    EXPECT_THAT(server.Letter(), HasSubstr("Subject: hi"));
  }
}

TEST(SmtpSenderTest, ACertificateNobodyVouchesForIsRefused) {
  const SelfSignedCertificate certificate("mail.test");
  const LoopbackMailServer server(
      {.offers = {"STARTTLS"}, .tls = certificate.Context(), .implicit = false});
  EXPECT_THAT(SmtpSender(At(server, SmtpTls::kStartTls)).Send(FromAToB(), kLetter),
              FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(server.Commands(), ElementsAre(HasSubstr("EHLO"), "STARTTLS"));
}

TEST(SmtpSenderTest, AWrongPasswordIsForAnAdministratorToMend) {
  const LoopbackMailServer server(
      {.answers = {{"AUTH", "535 who are you"}}, .offers = {"AUTH PLAIN"}});
  SmtpOptions options = At(server, SmtpTls::kNone);
  options.username = "me";
  options.password = "hunter2";
  const Result<void> sent = SmtpSender(options).Send(FromAToB(), kLetter);
  ASSERT_THAT(sent, FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(sent.error().detail, Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace atrium::egress
