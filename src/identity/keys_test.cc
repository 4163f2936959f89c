// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/testing.h"
#include "identity/organisations.h"
#include "store/record.h"
#include "store/schema.h"

namespace atrium::identity {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Golden bytes: what a release has written, every later one reads. Lines are added here and in
// docs/formats/identity.md, never changed.
constexpr std::string_view kOrgRow =
    R"({"id":"00000000-0000-4000-8000-000000000001","name":"Default","hosts":["north.example.org"],)"
    R"("quota_bytes":1000000,"settings":{"theme":"dark"},"created_at":"2027-01-15T08:00:00.000Z"})";
constexpr std::string_view kHostRow =
    R"({"host":"north.example.org","org":"00000000-0000-4000-8000-000000000001"})";
constexpr std::string_view kUserRow =
    R"({"id":"00000000-0000-7000-8000-000000000007","org":"00000000-0000-4000-8000-000000000001",)"
    R"("email":"ann@example.org","name":"Ann","role":"admin","status":"active","quota_bytes":5,)"
    R"("time_zone":"Europe/Berlin","created_at":"2027-01-15T08:00:00.000Z","generation":3,)"
    R"("session_generation":1})";
constexpr std::string_view kUserWithPhotoRow =
    R"({"id":"00000000-0000-7000-8000-000000000007","org":"00000000-0000-4000-8000-000000000001",)"
    R"("email":"ann@example.org","name":"Ann","role":"admin","status":"active",)"
    R"("time_zone":"Europe/Berlin","created_at":"2027-01-15T08:00:00.000Z","generation":3,)"
    R"("session_generation":1,"photo":"0123456789abcdef"})";
constexpr std::string_view kPhotoRow =
    R"({"user":"00000000-0000-7000-8000-000000000007","version":"0123456789abcdef","type":"webp",)"
    R"("content":"UklGRg==","changed_at":"2027-01-15T08:00:00.000Z"})";
constexpr std::string_view kSecretsRow =
    R"({"user":"00000000-0000-7000-8000-000000000007","password_hash":"$argon2id$v=19$…",)"
    R"("totp_secret":"v1.main.…","totp_pending":"","totp_last_step":60000000,)"
    R"("recovery_codes":["ab12"]})";
constexpr std::string_view kExternalRow =
    R"({"issuer":"https://id.example.net","subject":"1234",)"
    R"("user":"00000000-0000-7000-8000-000000000007","email":"ann@example.net",)"
    R"("linked_at":"2027-01-15T08:00:00.000Z"})";
constexpr std::string_view kSessionRow =
    R"({"hash":"ab12","id":"00000000000000000000000001","kind":"full",)"
    R"("org":"00000000-0000-4000-8000-000000000001","user":"00000000-0000-7000-8000-000000000007",)"
    R"("guest_name":"","guest_email":"","guest_group":"","created_at":"2027-01-15T08:00:00.000Z",)"
    R"("expires_at":"2027-01-22T08:00:00.000Z","last_used_at":"2027-01-15T08:00:00.000Z",)"
    R"("address":"192.0.2.1","agent":"a browser","generation":3,"session_generation":1})";
constexpr std::string_view kGuestRow =
    R"({"hash":"ab12","id":"00000000000000000000000001","kind":"guest",)"
    R"("org":"00000000-0000-4000-8000-000000000001","guest_name":"Gus",)"
    R"("guest_email":"gus@example.org","guest_group":"hikers",)"
    R"("created_at":"2027-01-15T08:00:00.000Z","expires_at":"2027-01-22T08:00:00.000Z",)"
    R"("last_used_at":"2027-01-15T08:00:00.000Z","address":"192.0.2.1","agent":"a browser",)"
    R"("generation":0,"session_generation":0})";
constexpr std::string_view kTokenRow =
    R"({"hash":"ab12","id":"00000000000000000000000001","type":"app_password",)"
    R"("org":"00000000-0000-4000-8000-000000000001","user":"00000000-0000-7000-8000-000000000007",)"
    R"("name":"telephone","scopes":["account:read","calendars:write"],)"
    R"("created_at":"2027-01-15T08:00:00.000Z","expires_at":"2027-01-22T08:00:00.000Z",)"
    R"("last_used_at":"2027-01-15T08:00:00.000Z","last_address":"192.0.2.1","generation":3})";
constexpr std::string_view kLinkRow =
    R"({"hash":"ab12","purpose":"reset_password","user":"00000000-0000-7000-8000-000000000007",)"
    R"("email":"ann@example.org","return_to":"/","expires_at":"2027-01-22T08:00:00.000Z",)"
    R"("generation":3})";
constexpr std::string_view kProviderRow =
    R"({"id":"example","org":"00000000-0000-4000-8000-000000000001","name":"Example",)"
    R"("issuer":"https://id.example.net","client_id":"atrium","client_secret":"v1.main.…",)"
    R"("trusted":true,"creates_users":false,"created_at":"2027-01-15T08:00:00.000Z"})";
constexpr std::string_view kFlowRow =
    R"({"hash":"ab12","org":"00000000-0000-4000-8000-000000000001","provider":"example",)"
    R"("nonce":"n","code_verifier":"c","browser_hash":"cd34","return_to":"/",)"
    R"("redirect_uri":"https://atrium.example.org/auth/example/callback",)"
    R"("links_to":"00000000-0000-7000-8000-000000000007","expires_at":"2027-01-22T08:00:00.000Z"})";
constexpr std::string_view kAttemptRow =
    R"({"subject":"address:192.0.2.1","failures":3,"last":"2027-01-15T08:00:00.000Z",)"
    R"("forget_at":"2027-01-22T08:00:00.000Z"})";
constexpr std::string_view kUndoneSecretsRow =
    R"({"user":"00000000-0000-7000-8000-000000000007","password_hash":"$argon2id$v=19$…",)"
    R"("totp_secret":"v1.main.…","totp_pending":"","totp_last_step":60000000,)"
    R"("recovery_codes":["ab12"],"totp_since":"2027-01-15T08:00:00.000Z",)"
    R"("undo_void_from":"2027-01-15T08:00:00.000Z",)"
    R"("undo_void_until":"2027-01-22T08:00:00.000Z"})";
constexpr std::string_view kProvedSessionRow =
    R"({"hash":"ab12","id":"00000000000000000000000001","kind":"full",)"
    R"("org":"00000000-0000-4000-8000-000000000001",)"
    R"("user":"00000000-0000-7000-8000-000000000007","guest_name":"","guest_email":"",)"
    R"("guest_group":"","created_at":"2027-01-15T08:00:00.000Z",)"
    R"("expires_at":"2027-01-22T08:00:00.000Z","last_used_at":"2027-01-15T08:00:00.000Z",)"
    R"("address":"192.0.2.1","agent":"a browser","generation":3,"session_generation":1,)"
    R"("proved_at":"2027-01-15T08:00:00.000Z"})";
constexpr std::string_view kDeviceTokenRow =
    R"({"hash":"ab12","id":"00000000000000000000000001","type":"api",)"
    R"("org":"00000000-0000-4000-8000-000000000001",)"
    R"("user":"00000000-0000-7000-8000-000000000007","name":"laptop",)"
    R"("scopes":["account:read","files:write"],"created_at":"2027-01-15T08:00:00.000Z",)"
    R"("last_address":"192.0.2.1","generation":3,"session_generation":1})";
constexpr std::string_view kUndoLinkRow =
    R"({"hash":"ab12","purpose":"undo_email","user":"00000000-0000-7000-8000-000000000007",)"
    R"("email":"ann@example.org","return_to":"/","expires_at":"2027-01-22T08:00:00.000Z",)"
    R"("generation":3,"mailed_at":"2027-01-15T08:00:00.000Z"})";
constexpr std::string_view kProofFlowRow =
    R"({"hash":"ab12","org":"00000000-0000-4000-8000-000000000001","provider":"example",)"
    R"("nonce":"n","code_verifier":"c","browser_hash":"cd34","return_to":"/",)"
    R"("redirect_uri":"https://atrium.example.org/auth/example/callback",)"
    R"("proves":{"kind":"session","id":"00000000000000000000000001",)"
    R"("user":"00000000-0000-7000-8000-000000000007"},)"
    R"("expires_at":"2027-01-22T08:00:00.000Z"})";
constexpr std::string_view kAuditRow =
    R"({"at":"2027-01-15T08:00:00.000Z","actor":"user:00000000-0000-7000-8000-000000000007",)"
    R"("label":"ann@example.org","action":"token.created",)"
    R"("target":"token:00000000000000000000000001","address":"192.0.2.1","request":"r1",)"
    R"("detail":{"name":"telephone"}})";

template <typename T>
T Read(std::string_view golden) {
  const auto read = store::DecodeRecord<T>(golden, {});
  EXPECT_THAT(read, IsOk()) << golden;
  return read ? read->record : T{};
}

/// Reads the bytes, writes them again, and answers the key that the record has.
template <typename T>
store::Key Check(const store::Collection<T>& collection, std::string_view golden) {
  const T record = Read<T>(golden);
  EXPECT_EQ(store::EncodeRecord(record), golden);
  EXPECT_THAT(store::DecodeRecord<T>(golden, {}).value().unknown, IsEmpty());
  return collection.KeyOf(record);
}

/// "<table>/<partition>/<sort>" for each index row that follows from the record.
template <typename T>
std::vector<std::string> IndexKeys(const store::Collection<T>& collection,
                                   std::string_view golden) {
  std::vector<std::string> keys;
  for (const store::IndexRow& row : collection.RowsOf(Read<T>(golden), golden)) {
    keys.push_back(std::string(row.table->name) + "/" + row.key.partition + "/" + row.key.sort);
  }
  return keys;
}

const store::Key org_place{.partition = "00000000-0000-4000-8000-000000000001"};
const store::Key user_place{.partition = "00000000-0000-7000-8000-000000000007"};
const store::Key hash_place{.partition = "ab12"};

TEST(IdentityKeysTest, OrganisationsAreAsTheyAlwaysWere) {
  using namespace std::string_literals;
  EXPECT_EQ(Check(Orgs(), kOrgRow), org_place);
  EXPECT_THAT(IndexKeys(Orgs(), kOrgRow), ElementsAre("org_list/all/Default\0\1"
                                                      "00000000-0000-4000-8000-000000000001\0\1"s));
  EXPECT_EQ(Check(HostNames(), kHostRow), (store::Key{.partition = "north.example.org"}));
  EXPECT_EQ(DefaultOrg().Render(), "00000000-0000-4000-8000-000000000001");
}

TEST(IdentityKeysTest, PeopleAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(Users(), kUserRow), user_place);
  EXPECT_THAT(IndexKeys(Users(), kUserRow),
              ElementsAre("user_emails/ann@example.org/",
                          "users_by_org/00000000-0000-4000-8000-000000000001/ann@example.org"));
  EXPECT_EQ(Check(Users(), kUserWithPhotoRow), user_place);
  EXPECT_EQ(Check(Secrets(), kSecretsRow), user_place);
  EXPECT_EQ(Check(Secrets(), kUndoneSecretsRow), user_place);
  EXPECT_EQ(Check(UserPhotos(), kPhotoRow), user_place);
}

TEST(IdentityKeysTest, AccountsElsewhereAreAsTheyAlwaysWere) {
  const std::string place = "cd5c042486949d2d6a5f689285b048d22f957f3507ca47f6dc57cce1da02ec01";
  EXPECT_EQ(Check(ExternalIdentities(), kExternalRow), (store::Key{.partition = place}));
  EXPECT_THAT(IndexKeys(ExternalIdentities(), kExternalRow),
              ElementsAre("external_by_user/00000000-0000-7000-8000-000000000007/" + place));
}

TEST(IdentityKeysTest, CredentialsAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(Sessions(), kSessionRow), hash_place);
  EXPECT_THAT(IndexKeys(Sessions(), kSessionRow),
              ElementsAre("sessions_by_user/00000000-0000-7000-8000-000000000007/"
                          "00000000000000000000000001"));
  EXPECT_EQ(Check(Sessions(), kGuestRow), hash_place);
  EXPECT_THAT(
      IndexKeys(Sessions(), kGuestRow),
      ElementsAre("sessions_by_user/00000000000000000000000001/00000000000000000000000001"));
  EXPECT_EQ(Check(Sessions(), kProvedSessionRow), hash_place);
  EXPECT_EQ(Check(Tokens(), kDeviceTokenRow), hash_place);
  EXPECT_EQ(Check(MailedLinks(), kUndoLinkRow), hash_place);
  EXPECT_EQ(Check(Tokens(), kTokenRow), hash_place);
  EXPECT_THAT(IndexKeys(Tokens(), kTokenRow),
              ElementsAre("tokens_by_user/00000000-0000-7000-8000-000000000007/"
                          "00000000000000000000000001"));
  EXPECT_EQ(Check(MailedLinks(), kLinkRow), hash_place);
}

TEST(IdentityKeysTest, ProvidersAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(Providers(), kProviderRow),
            (store::Key{.partition = org_place.partition, .sort = "example"}));
  EXPECT_EQ(Check(ProviderFlows(), kFlowRow), hash_place);
  EXPECT_EQ(Check(ProviderFlows(), kProofFlowRow), hash_place);
}

TEST(IdentityKeysTest, CountsAndLinesAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(AttemptCounts(), kAttemptRow),
            (store::Key{.partition =
                            "692f1c5fd14be0df495b408220bea452a177620b10b270a6227a4175078d2f16"}));
  EXPECT_EQ(store::EncodeRecord(Read<AuditLine>(kAuditRow)), kAuditRow);
  EXPECT_EQ(PartitionOf(DefaultOrg()), org_place.partition);
}

TEST(IdentityKeysTest, WhatExpiresSaysWhen) {
  const Instant then = ParseInstant("2027-01-22T08:00:00.000Z").value();
  EXPECT_EQ(Sessions().ExpiryOf(Read<Session>(kSessionRow)), then);
  EXPECT_EQ(Tokens().ExpiryOf(Read<Token>(kTokenRow)), then);
  EXPECT_EQ(Tokens().ExpiryOf(Token{}), std::nullopt);
  EXPECT_EQ(MailedLinks().ExpiryOf(Read<MailedLink>(kLinkRow)), then);
  EXPECT_EQ(ProviderFlows().ExpiryOf(Read<ProviderFlow>(kFlowRow)), then);
  EXPECT_EQ(AttemptCounts().ExpiryOf(Read<Attempts>(kAttemptRow)), then);
}

TEST(IdentityKeysTest, IssuerAndSubjectDoNotRunIntoEachOther) {
  EXPECT_NE(ExternalKey("https://a", "b"), ExternalKey("https://ab", ""));
}

TEST(IdentityKeysTest, TheTablesAreTheNumbersFrom100To119And180To187) {
  store::Schema schema;
  for (const store::Table* table : BareTables()) {
    EXPECT_THAT(schema.Add(*table), IsOk());
  }
  for (const store::AnyCollection* collection : Collections()) {
    EXPECT_THAT(schema.Add(collection->Base()), IsOk());
    for (const store::Table* index : collection->Indexes()) {
      EXPECT_THAT(schema.Add(*index), IsOk());
    }
  }
  ASSERT_EQ(schema.Tables().size(), 28U);
  EXPECT_EQ(schema.Tables().front()->number, 100);
  EXPECT_EQ(schema.Tables().back()->number, 187);
}

TEST(IdentityKeysTest, TheDocumentShowsTheGoldenBytes) {
  std::ifstream file(ATRIUM_SOURCE_DIR "/docs/formats/identity.md");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  for (const std::string_view golden :
       {kOrgRow,           kHostRow,          kUserRow,        kUserWithPhotoRow, kSecretsRow,
        kPhotoRow,         kExternalRow,      kSessionRow,     kGuestRow,         kTokenRow,
        kLinkRow,          kProviderRow,      kFlowRow,        kAttemptRow,       kAuditRow,
        kUndoneSecretsRow, kProvedSessionRow, kDeviceTokenRow, kUndoLinkRow,      kProofFlowRow}) {
    EXPECT_THAT(text, HasSubstr("\n" + std::string(golden) + "\n"));
  }
}

}  // namespace
}  // namespace atrium::identity
