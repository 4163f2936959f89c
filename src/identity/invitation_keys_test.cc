// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/invitation_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hex.h"
#include "base/testing.h"
#include "store/record.h"

namespace atrium::identity {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Golden bytes: what a release has written, every later one reads. Lines are added here and in
// docs/formats/identity.md, never changed.
constexpr std::string_view kInvitationRow =
    R"({"id":"00000000000000000000000001","org":"00000000-0000-4000-8000-000000000001",)"
    R"("email":"new@example.org","inviter":"00000000-0000-7000-8000-000000000007",)"
    R"("target":{"kind":"calendar","id":"00000000-0000-4000-8000-000000000009","label":"Family",)"
    R"("return_to":"/calendar"},"role":"writer","state":"requested","shown_hash":"ab12",)"
    R"("mailed_hash":"cd34","created_at":"2027-01-15T08:00:00.000Z",)"
    R"("expires_at":"2027-01-29T08:00:00.000Z","delivery":"handed_over","delivery_reason":"",)"
    R"("resends":1,"requests":1,"applicant":"00000000000000000000000002",)"
    R"("accepted_by":"00000000-0000-7000-8000-000000000008",)"
    R"("ended_at":"2027-01-16T08:00:00.000Z"})";
constexpr std::string_view kVouchedRow =
    R"({"id":"00000000000000000000000001","org":"00000000-0000-4000-8000-000000000001",)"
    R"("email":"new@example.org","inviter":"00000000-0000-7000-8000-000000000007",)"
    R"("target":{"kind":"calendar","id":"00000000-0000-4000-8000-000000000009","label":"Family",)"
    R"("return_to":"/calendar"},"role":"writer","state":"open","shown_hash":"ab12",)"
    R"("mailed_hash":"","created_at":"2027-01-15T08:00:00.000Z",)"
    R"("expires_at":"2027-01-29T08:00:00.000Z","delivery":"off","delivery_reason":"",)"
    R"("resends":0,"requests":0,"applicant":"","vouched":true})";
constexpr std::string_view kApplicantRow =
    R"({"id":"00000000000000000000000002","org":"00000000-0000-4000-8000-000000000001",)"
    R"("invitation":"00000000000000000000000001","email":"new@example.org","name":"New",)"
    R"("time_zone":"Europe/Berlin","password_hash":"$argon2id$v=19$…","proof":"approval",)"
    R"("state":"waiting","letter_hash":"ef56","session":"00000000000000000000000003",)"
    R"("user":"00000000-0000-7000-8000-000000000008","created_at":"2027-01-15T08:00:00.000Z",)"
    R"("expires_at":"2027-01-29T08:00:00.000Z"})";

template <typename T>
T Read(std::string_view golden) {
  const auto read = store::DecodeRecord<T>(golden, {});
  EXPECT_THAT(read, IsOk());
  return read ? read->record : T{};
}

/// "<table>/<partition>/<sort in hexadecimal digits>" for each row that follows.
template <typename T>
std::vector<std::string> IndexKeys(const store::Collection<T>& collection, const T& record) {
  std::vector<std::string> keys;
  for (const store::IndexRow& row : collection.RowsOf(record, "{}")) {
    keys.push_back(std::string(row.table->name) + "/" + row.key.partition + "/" +
                   EncodeHex(row.key.sort));
  }
  return keys;
}

TEST(InvitationKeysTest, InvitationsAreAsTheyAlwaysWere) {
  const auto invitation = Read<Invitation>(kInvitationRow);
  EXPECT_EQ(store::EncodeRecord(invitation), kInvitationRow);
  EXPECT_EQ(InvitationRows().KeyOf(invitation),
            (store::Key{.partition = "00000000000000000000000001"}));
  EXPECT_THAT(IndexKeys(InvitationRows(), invitation),
              ElementsAre("invitations_shown/ab12/", "invitations_mailed/cd34/",
                          "invitations_by_org/00000000-0000-4000-8000-000000000001/" +
                              EncodeHex("00000000000000000000000001")));
  EXPECT_EQ(InvitationRows().ExpiryOf(invitation), invitation.expires_at + kInvitationKept);
}

TEST(InvitationKeysTest, AnInvitationSaysWhetherItsLinkIsVouchedFor) {
  EXPECT_EQ(Read<Invitation>(kInvitationRow).vouched, std::nullopt);
  const auto vouched = Read<Invitation>(kVouchedRow);
  EXPECT_EQ(vouched.vouched, true);
  EXPECT_EQ(store::EncodeRecord(vouched), kVouchedRow);
}

TEST(InvitationKeysTest, AnInvitationWithoutALetterHasNoRowForOne) {
  auto invitation = Read<Invitation>(kInvitationRow);
  invitation.mailed_hash.clear();
  EXPECT_THAT(IndexKeys(InvitationRows(), invitation),
              ElementsAre("invitations_shown/ab12/", HasSubstr("invitations_by_org/")));
}

TEST(InvitationKeysTest, ApplicantsAreAsTheyAlwaysWere) {
  auto applicant = Read<Applicant>(kApplicantRow);
  EXPECT_EQ(store::EncodeRecord(applicant), kApplicantRow);
  EXPECT_THAT(
      IndexKeys(ApplicantRows(), applicant),
      ElementsAre("applicant_letters/ef56/", "applicant_sessions/00000000000000000000000003/",
                  HasSubstr("applicants_by_org/00000000-0000-4000-8000-000000000001/")));
  EXPECT_EQ(ApplicantRows().ExpiryOf(applicant), applicant.expires_at);
  applicant.state = ApplicantState::kAdmitted;
  applicant.letter_hash.clear();
  EXPECT_THAT(IndexKeys(ApplicantRows(), applicant),
              ElementsAre("applicant_sessions/00000000000000000000000003/"))
      << "nobody has to decide about them any more";
}

TEST(InvitationKeysTest, TheDocumentShowsTheGoldenBytes) {
  std::ifstream file(ATRIUM_SOURCE_DIR "/docs/formats/identity.md");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  for (const std::string_view golden : {kInvitationRow, kVouchedRow, kApplicantRow}) {
    EXPECT_THAT(text, HasSubstr("\n" + std::string(golden) + "\n"));
  }
}

}  // namespace
}  // namespace atrium::identity
