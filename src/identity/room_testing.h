// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/id_source.h"
#include "base/ip_network.h"
#include "base/sealed_box.h"
#include "base/testing.h"
#include "egress/http_sender.h"
#include "engines/memory/engine.h"
#include "identity/identity.h"
#include "identity/keys.h"
#include "jobs/job.h"
#include "mail/outbox.h"
#include "mail/transport.h"
#include "store/engine.h"
#include "store/store.h"
#include "store/verify.h"

/// The whole room on the memory engine, for the tests of this folder.
namespace atrium::identity::testing {

/// The memory engine, in which somebody else can be quicker: what a test lines up is done just
/// before the commits that follow, one thing for each.
class MeddledEngine final : public store::Engine {
 public:
  explicit MeddledEngine(const Clock& clock) : memory_(clock) {}

  Result<std::optional<store::Row>> Get(const store::OpContext& op, const store::Table& table,
                                        const store::KeyView& key) override {
    ++gets;
    return memory_.Get(op, table, key);
  }
  Result<store::ScanEnd> Scan(const store::OpContext& op, const store::ScanRequest& request,
                              store::RowSink& sink) override {
    return memory_.Scan(op, request, sink);
  }
  Result<store::Receipt> Commit(const store::OpContext& op, store::WriteSet writes) override {
    if (!meddling_ && !before_commits.empty()) {
      const auto meddle = std::move(before_commits.front());
      before_commits.pop_front();
      meddling_ = true;
      if (meddle) {
        meddle();
      }
      meddling_ = false;
    }
    if (!meddling_ && failing_commits > 0) {
      --failing_commits;
      return FailPrivately(ErrorCode::kUnavailable, "a commit that fails");
    }
    return memory_.Commit(op, std::move(writes));
  }
  Result<void> WriteImmutable(const store::OpContext& op, const store::Table& table,
                              std::span<const store::ImmutableRow> rows) override {
    return memory_.WriteImmutable(op, table, rows);
  }
  Result<store::WalkEnd> Walk(const store::OpContext& op, const store::WalkRequest& request,
                              store::RowSink& sink) override {
    return memory_.Walk(op, request, sink);
  }
  Result<void> Load(const store::OpContext& op, const store::Table& table,
                    std::span<const store::KeyedRow> rows) override {
    return memory_.Load(op, table, rows);
  }
  std::vector<store::Statistic> Statistics() override { return memory_.Statistics(); }

  /// nullptr lets a commit pass.
  std::deque<std::function<void()>> before_commits{};
  /// How many of the next commits fail.
  int failing_commits = 0;
  /// How many rows were asked for.
  std::size_t gets = 0;

 private:
  engines::MemoryEngine memory_;
  bool meddling_ = false;
};

/// Keeps the letters it is given.
class LetterBox final : public mail::Transport {
 public:
  struct Parcel {
    std::string to{};
    std::string mime{};
  };

  Result<void> Send(const mail::Envelope& envelope, std::string_view mime) override {
    letters.push_back({.to = envelope.to, .mime = std::string(mime)});
    return {};
  }

  std::vector<Parcel> letters{};
};

/// Nobody is reached.
class NoNetwork final : public egress::HttpSender {
 public:
  Result<egress::OutgoingResponse> Send(const egress::OutgoingRequest& /*request*/) override {
    return FailPrivately(ErrorCode::kUnavailable, "there is no network");
  }
};

inline SealedBox MakeBox() {
  const auto key = DeriveKey("a secret of thirty-two bytes or more", "test");
  return SealedBox(KeyRing::Make({{.id = "test", .bytes = key.value()}}).value());
}

/// A request that owns what it is made of.
struct Knock {
  std::vector<std::pair<std::string, std::string>> headers{};
  http::Method method = http::Method::kGet;
  std::string host = "atrium.example.org";
  std::string client = "192.0.2.1";
  http::Origin origin = http::Origin::kNetwork;
  http::Scheme scheme = http::Scheme::kHttps;

  http::Request Request() const {
    http::Request request{.method = method,
                          .client = ParseIpAddress(client).value(),
                          .origin = origin,
                          .scheme = scheme,
                          .host = host,
                          .id = "request-1"};
    for (const auto& [name, value] : headers) {
      request.headers.Add(name, value);
    }
    return request;
  }
};

inline Knock WithBearer(const std::string& secret) {
  return {.headers = {{"Authorization", "Bearer " + secret}}};
}

/// Nothing that a password list has.
inline constexpr const char* kPassword = "orchard lantern 58 quiet";
inline constexpr const char* kOtherPassword = "marble ferry 71 window";

/// The room of a server that is set up: ann looks after it.
class RoomTest : public ::testing::Test {
 protected:
  RoomTest() {
    auto ann = room_.set_up.CompleteAsOperator(
        {}, Operator(), {.user = {.email = "ann@example.org", .name = "Ann Example"}});
    EXPECT_THAT(ann, IsOk());
    ann_ = std::move(ann).value_or(store::Stored<User>{});
  }

  static Actor Operator() {
    return {.name = "operator",
            .label = "operator",
            .address = "local",
            .role = Role::kSuperadmin,
            .org = DefaultOrg(),
            .is_operator = true};
  }
  static Actor ActorFor(const User& user) {
    return {.name = "user:" + user.id.Render(),
            .label = user.email,
            .address = "192.0.2.1",
            .client = ParseIpAddress("192.0.2.1").value(),
            .agent = "a browser",
            .request = "request-1",
            .user = user.id,
            .role = user.role,
            .org = user.org};
  }
  /// Who is not known yet.
  static Actor Stranger(const std::string& address = "192.0.2.1") {
    return {.address = address,
            .client = ParseIpAddress(address).value(),
            .agent = "a browser",
            .request = "request-1"};
  }
  static Door From(const std::string& address, const OrgId& org = DefaultOrg()) {
    return {.org = org, .address = ParseIpAddress(address).value()};
  }

  store::Stored<User> Add(const NewUser& wanted, const OrgId& org = DefaultOrg()) {
    auto user = room_.accounts.Create({}, Operator(), org, wanted);
    EXPECT_THAT(user, IsOk());
    return std::move(user).value_or(store::Stored<User>{});
  }
  store::Stored<User> AddBob() {
    return Add({.email = "bob@example.org", .name = "Bob", .password = kPassword});
  }
  store::Stored<User> Reload(const store::Stored<User>& user) {
    return room_.accounts.Load({}, user.record.id).value();
  }
  store::Stored<UserSecrets> SecretsOf(const store::Stored<User>& user) {
    return room_.accounts.FindSecrets({}, user.record.id).value().value();
  }
  store::Stored<User> Change(const store::Stored<User>& user, const UserChange& change) {
    auto changed = room_.accounts.Change({}, Operator(), Reload(user), change);
    EXPECT_THAT(changed, IsOk());
    return std::move(changed).value_or(store::Stored<User>{});
  }

  OpenedSession OpenSession(const store::Stored<User>& user) {
    store::Batch batch;
    OpenedSession opened = room_.sessions.Open(batch, Stranger(), Reload(user).record, "password");
    EXPECT_THAT(store_.Commit({}, std::move(batch)), IsOk());
    return opened;
  }
  MadeToken MakeToken(const store::Stored<User>& user, const NewToken& wanted) {
    const User owner = Reload(user).record;
    auto made = room_.tokens.Create({}, ActorFor(owner), owner, api::Scopes::All(), wanted);
    EXPECT_THAT(made, IsOk());
    return std::move(made).value_or(MadeToken{});
  }
  Result<std::shared_ptr<const api::Caller>> Identify(const Knock& knock) {
    return room_.gatekeeper.Identify(knock.Request());
  }

  Result<OpenedSession> LogIn(const std::string& email, const std::string& password,
                              const std::string& address = "192.0.2.1",
                              std::optional<std::string> otp = std::nullopt) {
    return room_.sign_in.WithPassword(
        {}, Stranger(address), From(address),
        {.email = email, .password = password, .otp = std::move(otp)});
  }

  /// How many commits it takes; the call is given what counts them.
  template <typename Call>
  std::uint32_t CommitsOf(const Call& call) {
    store::Tally tally;
    store::OpContext op;
    op.tally = &tally;
    EXPECT_THAT(call(op), IsOk());
    return tally.commits;
  }

  /// The log of an organisation, oldest line first.
  std::vector<AuditLine> Log(const OrgId& org = DefaultOrg()) {
    const std::string partition = PartitionOf(org);
    std::vector<AuditLine> lines;
    store::FunctionSink sink([&](const store::RowView& row) {
      lines.push_back(store::DecodeRecord<AuditLine>(row.document, row.version).value().record);
    });
    EXPECT_THAT(store_.Scan({},
                            {.table = &kAuditLog,
                             .partition = partition,
                             .range = {.from = store::SequenceKey(1)},
                             .limit = 1000},
                            sink),
                IsOk());
    return lines;
  }
  AuditLine LastLine(const OrgId& org = DefaultOrg()) {
    const std::vector<AuditLine> lines = Log(org);
    return lines.empty() ? AuditLine{} : lines.back();
  }

  std::uint64_t CountRows(const store::Table& table) {
    std::uint64_t rows = 0;
    store::FunctionSink sink([&](const store::RowView&) { ++rows; });
    EXPECT_THAT(store_.Walk({}, {.table = &table}, sink), IsOk());
    return rows;
  }

  /// Everything that was mailed up to now.
  const std::vector<LetterBox::Parcel>& Letters() {
    jobs::JobContext context(std::stop_token{});
    EXPECT_THAT(outbox_.DeliverDue(context), IsOk());
    return letter_box_->letters;
  }
  /// The secret in the link of the last letter.
  std::string LastSecret() {
    const auto& letters = Letters();
    return letters.empty() ? "" : SecretIn(letters.back().mime);
  }

  /// Undoes what quoted-printable does to a link.
  static std::string SecretIn(std::string mime) {
    for (std::size_t at = mime.find("=\r\n"); at != std::string::npos; at = mime.find("=\r\n")) {
      mime.erase(at, 3);
    }
    const std::string before = "#token=3D";
    const std::size_t begin = mime.find(before);
    if (begin == std::string::npos) {
      return "";
    }
    const std::size_t from = begin + before.size();
    return mime.substr(from, mime.find_first_of("\r\n <\"", from) - from);
  }

  /// What store verify would find.
  std::uint64_t Defects() {
    const std::vector<const store::AnyCollection*> collections = Collections();
    const std::vector<const store::Table*> tables = BareTables();
    const auto report =
        store::Verify(store_, {}, {.collections = collections, .tables = tables}, {});
    EXPECT_THAT(report, IsOk());
    return report ? report->findings : 0;
  }

  FixedClock clock_{Instant(std::chrono::milliseconds(1'800'000'000'000))};
  FixedIdSource ids_{};
  MeddledEngine engine_{clock_};
  store::Store store_{engine_, clock_};
  std::shared_ptr<LetterBox> letter_box_ = std::make_shared<LetterBox>();
  mail::Outbox outbox_{
      store_, clock_, ids_, {.from = "Atrium <atrium@example.org>", .transport = letter_box_}};
  NoNetwork network_{};
  const SealedBox box_ = MakeBox();
  Identity room_{{.ground = {.store = store_, .clock = clock_, .ids = ids_},
                  .outbox = outbox_,
                  .sender = network_,
                  .box = box_},
                 {.public_url = "https://atrium.example.org"}};
  store::Stored<User> ann_{};
};

}  // namespace atrium::identity::testing
