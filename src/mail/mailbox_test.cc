// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/mailbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::mail {
namespace {

TEST(MailboxTest, IsAnAddressPerhapsWithAName) {
  EXPECT_THAT(ParseMailbox("a@b"), Holds(Mailbox{.address = "a@b"}));
  EXPECT_THAT(ParseMailbox("Atrium Post <a+b@c.d>"),
              Holds(Mailbox{.name = "Atrium Post", .address = "a+b@c.d"}));
}

TEST(MailboxTest, NothingElseIsOne) {
  for (const auto* text :
       {"", "a", "@b", "a@", "a@b@c", "a b@c", "<a@b>", "A <a@b", "A <a@b> c", "\"A\" <a@b>",
        "a@b\r\nBcc: c@d", "A\nB <a@b>", "\xC3\xA9@b", "a@b,c@d", "\xFF <a@b>"}) {
    EXPECT_THAT(ParseMailbox(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(MailboxTest, TheDomainIsBehindTheSign) {
  EXPECT_EQ(DomainOf("a@example.org"), "example.org");
}

}  // namespace
}  // namespace atrium::mail
