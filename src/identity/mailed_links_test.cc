// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/mailed_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "base/testing.h"
#include "identity/base32.h"
#include "identity/room_testing.h"
#include "identity/secret_token.h"
#include "identity/totp.h"

namespace atrium::identity {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kOtherPassword;
using testing::kPassword;
using ::testing::Pair;
using ::testing::SizeIs;
using testing::WithBearer;

constexpr const char* kBob = "bob@example.org";

class LinkServiceTest : public testing::RoomTest {
 protected:
  static LinkRequest To(const std::string& email) {
    return {.email = email, .return_to = "/files", .base_url = "https://atrium.example.org"};
  }
  Result<void> RequestSignIn(const std::string& email = kBob) {
    return room_.links.RequestSignIn({}, Stranger(), From("192.0.2.1"), To(email));
  }
  Result<void> RequestReset() {
    return room_.links.RequestReset({}, Stranger(), From("192.0.2.1"), To(kBob));
  }
  std::string SignInLink() {
    EXPECT_THAT(RequestSignIn(), IsOk());
    return LastSecret();
  }
  std::string ResetLink() {
    EXPECT_THAT(RequestReset(), IsOk());
    return LastSecret();
  }
  std::string EmailLink(const std::string& email) {
    EXPECT_THAT(room_.addresses.Request({}, ActorFor(bob_.record), Reload(bob_).record, To(email)),
                IsOk());
    // The letter behind it goes to the old address.
    const auto& letters = Letters();
    return SecretIn(letters.at(letters.size() - 2).mime);
  }
  Result<ConsumedLink> Consume(const std::string& secret,
                               const std::optional<std::string>& otp = std::nullopt) {
    return room_.links.Consume({}, Stranger(), From("192.0.2.1"), secret, otp);
  }
  Result<ConsumedLink> Reset(const std::string& secret) {
    return room_.links.Reset({}, Stranger(), From("192.0.2.1"), secret, kOtherPassword);
  }
  Result<void> Confirm(const std::string& secret) {
    return room_.addresses.Confirm({}, Stranger(), From("192.0.2.1"), secret,
                                   "https://atrium.example.org");
  }
  std::string TurnOnSecondFactor() {
    const auto enrolment = room_.second_factor.Begin({}, bob_.record).value();
    std::string secret = DecodeBase32(enrolment.secret).value();
    EXPECT_THAT(room_.second_factor.Confirm({}, ActorFor(bob_.record), bob_.record,
                                            TotpCode(secret, TotpStep(clock_.Now()))),
                IsOk());
    clock_.Advance(std::chrono::seconds(30));
    return secret;
  }
  /// Another guess from the same address, just before the commit that follows the counted one.
  void MeddleWithTheAddress() {
    engine_.before_commits.emplace_back(nullptr);
    engine_.before_commits.emplace_back([this] {
      ASSERT_THAT(room_.limits.CountLink({}, "other", ParseIpAddress("192.0.2.1").value()), IsOk());
    });
  }

  const store::Stored<User> bob_ = Add({.email = kBob, .name = "Bob"});
};

TEST_F(LinkServiceTest, ALinkIsMailedAndLetsItsReaderIn) {
  ASSERT_THAT(RequestSignIn(), IsOk());
  EXPECT_THAT(LastLine(),
              AllOf(Field(&AuditLine::action, "link.mailed"), Field(&AuditLine::actor, "nobody"),
                    Field(&AuditLine::target, TargetOf(bob_.record.id)),
                    Field(&AuditLine::detail, Contains(Pair("email", kBob)))));
  ASSERT_THAT(Letters(), SizeIs(1));
  EXPECT_EQ(Letters()[0].to, kBob);
  const std::string secret = LastSecret();
  EXPECT_EQ(KindOf(secret), TokenKind::kMagicLink);
  const auto consumed = Consume(secret);
  ASSERT_THAT(consumed, IsOk());
  EXPECT_EQ(consumed->return_to, "/files");
  EXPECT_EQ(Identify(WithBearer(consumed->opened.secret)).value()->user, bob_.record.id);
  EXPECT_THAT(LastLine(), AllOf(Field(&AuditLine::action, "session.opened"),
                                Field(&AuditLine::detail, Contains(Pair("by", "link")))));
}

TEST_F(LinkServiceTest, TheSameIsHeardWhetherTheAddressIsKnownOrNot) {
  EXPECT_THAT(RequestSignIn("nobody@example.org"), IsOk());
  EXPECT_THAT(RequestSignIn("no address"), IsOk());
  EXPECT_THAT(RequestSignIn(""), IsOk());
  Change(bob_, {.status = UserStatus::kDeactivated});
  EXPECT_THAT(RequestSignIn(), IsOk());
  EXPECT_THAT(Letters(), IsEmpty());
}

TEST_F(LinkServiceTest, TheSameWorkIsDoneWhetherTheAddressIsKnownOrNot) {
  const auto work = [&](const std::string& email) {
    store::Tally tally;
    EXPECT_THAT(
        room_.links.RequestSignIn({.tally = &tally}, Stranger(), From("192.0.2.1"), To(email)),
        IsOk());
    return tally;
  };
  const store::Stored<User> away = Add({.email = "gone@example.org"});
  Change(away, {.status = UserStatus::kDeactivated});
  const store::Tally known = work(kBob);
  EXPECT_EQ(work("nobody@example.org"), known);
  EXPECT_EQ(work("gone@example.org"), known);
  EXPECT_THAT(Letters(), SizeIs(1));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(LinkServiceTest, LetterLinkAndLineAreOneCommitBesideTheCountedOne) {
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.links.RequestSignIn(op, Stranger(), From("192.0.2.1"), To(kBob));
            }),
            2U);
  const std::string secret = LastSecret();
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.links.Consume(op, Stranger(), From("192.0.2.1"), secret, std::nullopt);
            }),
            2U);
}

TEST_F(LinkServiceTest, ALinkWorksForAQuarterOfAnHour) {
  const std::string early = SignInLink();
  const std::string late = SignInLink();
  clock_.Advance(kLinkLifetime - milliseconds(1));
  EXPECT_THAT(Consume(early), IsOk());
  clock_.Advance(milliseconds(1));
  EXPECT_THAT(Consume(late), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(LinkServiceTest, ALinkWorksOnce) {
  const std::string secret = SignInLink();
  ASSERT_THAT(Consume(secret), IsOk());
  EXPECT_THAT(Consume(secret), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(LinkServiceTest, ALinkOpenedTwiceAtOnceOpensOneSession) {
  const std::string secret = SignInLink();
  engine_.before_commits.emplace_back(nullptr);
  engine_.before_commits.emplace_back([&] { ASSERT_THAT(Consume(secret), IsOk()); });
  EXPECT_THAT(Consume(secret), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_EQ(CountRows(kSessionTable), 1U);
}

TEST_F(LinkServiceTest, OthersAtTheSameAddressAreNoReasonToRefuse) {
  const std::string sign_in = SignInLink();
  MeddleWithTheAddress();
  EXPECT_THAT(Consume(sign_in), IsOk());
  const std::string email = EmailLink("robert@example.org");
  MeddleWithTheAddress();
  EXPECT_THAT(Confirm(email), IsOk());
  ASSERT_THAT(room_.links.RequestReset({}, Stranger(), From("192.0.2.1"), To("robert@example.org")),
              IsOk());
  MeddleWithTheAddress();
  EXPECT_THAT(Reset(LastSecret()), IsOk());
}

TEST_F(LinkServiceTest, ANewPasswordOvertakesLinks) {
  const std::string sign_in = SignInLink();
  const std::string reset = ResetLink();
  ASSERT_THAT(room_.accounts.SetPassword({}, Operator(), Reload(bob_), kPassword), IsOk());
  EXPECT_THAT(Consume(sign_in), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Reset(reset), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(LinkServiceTest, ALinkToAnAddressThatIsNoLongerTheirsIsWorthNothing) {
  const std::string sign_in = SignInLink();
  const std::string reset = ResetLink();
  ASSERT_THAT(room_.links.Invite({}, Operator(), Reload(bob_).record, To("")), IsOk());
  const std::string invitation = LastSecret();
  Change(bob_, {.email = "robert@example.org"});
  EXPECT_THAT(Consume(sign_in), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Consume(invitation), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Reset(reset), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(LinkServiceTest, SomebodyDeactivatedDoesNotGetIn) {
  const std::string secret = SignInLink();
  Change(bob_, {.status = UserStatus::kDeactivated});
  EXPECT_THAT(Consume(secret), FailsWith(ErrorCode::kUnauthenticated));
  Change(bob_, {.status = UserStatus::kActive});
  EXPECT_THAT(Consume(secret), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(LinkServiceTest, ALinkIsGoodForItsOwnPurposeAlone) {
  const std::string sign_in = SignInLink();
  const std::string reset = ResetLink();
  EXPECT_EQ(KindOf(reset), TokenKind::kPasswordReset);
  EXPECT_THAT(Reset(sign_in), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Confirm(sign_in), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Consume(reset), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Consume("atm_never"), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Consume(sign_in), IsOk());
}

TEST_F(LinkServiceTest, AMissingCodeLeavesTheLinkUnused) {
  const std::string totp = TurnOnSecondFactor();
  const std::string secret = SignInLink();
  EXPECT_THAT(Consume(secret), FailsSaying(ErrorCode::kUnauthenticated, "otp: "));
  EXPECT_THAT(Consume(secret, "abcdef"), FailsSaying(ErrorCode::kUnauthenticated, "otp: "));
  const std::string code = TotpCode(totp, TotpStep(clock_.Now()));
  EXPECT_THAT(Consume(secret, code), IsOk());
  EXPECT_THAT(Consume(SignInLink(), code), FailsSaying(ErrorCode::kUnauthenticated, "otp: "));
}

TEST_F(LinkServiceTest, CodesBehindALinkAreNotTriedOut) {
  TurnOnSecondFactor();
  const std::string secret = SignInLink();
  for (int i = 0; i < 6; ++i) {
    ASSERT_THAT(Consume(secret, "abcdef"), FailsWith(ErrorCode::kUnauthenticated));
  }
  EXPECT_THAT(Consume(secret, "abcdef"), FailsWith(ErrorCode::kRateLimited));
}

TEST_F(LinkServiceTest, LettersToOneAddressAreLimited) {
  for (int i = 0; i < 6; ++i) {
    ASSERT_THAT(RequestSignIn(), IsOk());
  }
  EXPECT_THAT(RequestSignIn(), FailsWith(ErrorCode::kRateLimited));
  EXPECT_THAT(Letters(), SizeIs(6));
}

TEST_F(LinkServiceTest, NewAddressesAreNotTriedOutEither) {
  const Actor bob = ActorFor(bob_.record);
  for (int i = 0; i < 6; ++i) {
    ASSERT_THAT(room_.addresses.Request({}, bob, bob_.record, To("eve@example.net")), IsOk());
  }
  EXPECT_THAT(room_.addresses.Request({}, bob, bob_.record, To("eve@example.net")),
              FailsWith(ErrorCode::kRateLimited));
}

TEST_F(LinkServiceTest, AResetSetsThePasswordEndsTheRestAndSignsIn) {
  const OpenedSession before = OpenSession(bob_);
  const auto consumed = Reset(ResetLink());
  ASSERT_THAT(consumed, IsOk());
  EXPECT_THAT(LastLine(), AllOf(Field(&AuditLine::action, "password.reset"),
                                Field(&AuditLine::target, TargetOf(bob_.record.id))));
  EXPECT_THAT(Identify(WithBearer(before.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Identify(WithBearer(consumed->opened.secret)), IsOk());
  EXPECT_THAT(LogIn(kBob, kOtherPassword), IsOk());
}

TEST_F(LinkServiceTest, ABadNewPasswordLeavesTheLinkUnused) {
  const std::string secret = ResetLink();
  EXPECT_THAT(room_.links.Reset({}, Stranger(), From("192.0.2.1"), secret, "short"),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Reset(secret), IsOk());
}

TEST_F(LinkServiceTest, AMailboxAloneDoesNotPassASecondFactor) {
  TurnOnSecondFactor();
  const auto consumed = Reset(ResetLink());
  ASSERT_THAT(consumed, IsOk());
  EXPECT_THAT(consumed->opened.secret, IsEmpty());
  EXPECT_EQ(CountRows(kSessionTable), 0U);
  EXPECT_TRUE(SecondFactor::IsOn(SecretsOf(bob_).record));
}

TEST_F(LinkServiceTest, AnInvitationWaitsAWeek) {
  ASSERT_THAT(room_.links.Invite({}, Operator(), bob_.record, To("")), IsOk());
  EXPECT_EQ(Letters().at(0).to, kBob);
  clock_.Advance(kInvitationLifetime - milliseconds(1));
  EXPECT_THAT(Consume(LastSecret()), IsOk());
  EXPECT_THAT(room_.links.Invite({}, ActorFor(bob_.record), ann_.record, To("")),
              FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(LinkServiceTest, ANewAddressIsTheirsOnceItsLinkWasOpened) {
  const OpenedSession session = OpenSession(bob_);
  const std::string secret = EmailLink("Robert@example.org");
  EXPECT_EQ(Letters().at(0).to, "robert@example.org");
  EXPECT_EQ(Reload(bob_).record.email, kBob);
  ASSERT_THAT(Confirm(secret), IsOk());
  EXPECT_EQ(Reload(bob_).record.email, "robert@example.org");
  EXPECT_THAT(LastLine(), AllOf(Field(&AuditLine::action, "user.changed"),
                                Field(&AuditLine::detail, Contains(Pair("email_before", kBob)))));
  EXPECT_THAT(Identify(WithBearer(session.secret)), IsOk());
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(LinkServiceTest, AnAddressThatIsTakenIsNobodyElses) {
  EXPECT_THAT(
      room_.addresses.Request({}, ActorFor(bob_.record), bob_.record, To("ann@example.org")),
      FailsWith(ErrorCode::kAlreadyExists));
  const std::string secret = EmailLink("eve@example.org");
  Add({.email = "eve@example.org"});
  EXPECT_THAT(Confirm(secret), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_EQ(Reload(bob_).record.email, kBob);
}

TEST_F(LinkServiceTest, WithoutMailThereAreNoLinks) {
  mail::Outbox closed(store_, clock_, ids_, {.from = "atrium@example.org"});
  Identity room({.ground = {.store = store_, .clock = clock_, .ids = ids_},
                 .outbox = closed,
                 .sender = network_,
                 .box = box_},
                {});
  EXPECT_THAT(room.links.RequestSignIn({}, Stranger(), From("192.0.2.1"), To(kBob)),
              FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(room.links.Invite({}, Operator(), bob_.record, To("")),
              FailsWith(ErrorCode::kUnavailable));
}

TEST(SafeReturnTest, LeadsNowhereElse) {
  EXPECT_EQ(SafeReturn("/files/a?b=c#d"), "/files/a?b=c#d");
  for (const std::string path :
       {"", "files", "//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nb", "/a b",
        "/\xc3\xa9", "javascript:alert(1)"}) {
    EXPECT_EQ(SafeReturn(path), "/") << path;
  }
  EXPECT_EQ(SafeReturn("/" + std::string(200, 'a')), "/");
}

}  // namespace
}  // namespace atrium::identity
