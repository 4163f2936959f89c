// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/commit.h"

#include <string>
#include <string_view>

#include "base/check.h"
#include "base/error.h"
#include "base/json_read.h"
#include "base/result.h"
#include "base/utf8.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {

void TryInput(std::string_view input) {
  const Result<files::Commit> commit = files::ParseCommit(input);
  if (!commit) {
    Check(commit.error().code == ErrorCode::kInvalidArgument ||
              commit.error().code == ErrorCode::kLimitExceeded,
          "a bad commit is an invalid argument or too long");
    Check(IsValidUtf8(commit.error().client_message), "the mistake can be sent to a client");
    return;
  }
  Check(commit->creator.size() == files::Sha1Id::kTextLength, "a device has 40 characters");
  Check(!commit->lock || CheckLibraryLock(*commit->lock).has_value(), "a lock is one");
  const std::string text = Render(*commit);
  Check(ParseJson(text).has_value(), "what is written is JSON");
  if (text.size() <= files::kCommitBytesMax) {
    const Result<files::Commit> back = files::ParseCommit(text);
    Check(back && *back == *commit && Render(*back) == text, "a commit reads back");
  }
}

}  // namespace atrium::fuzz
