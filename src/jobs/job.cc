// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/job.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>

#include "base/error.h"
#include "base/result.h"
#include "jobs/schedule.h"

namespace atrium::jobs {
namespace {

constexpr std::size_t kNameBytesMax = 64;

bool IsNameCharacter(char c) {
  return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '.' || c == '-';
}

bool IsName(const std::string& text) {
  return !text.empty() && text.size() <= kNameBytesMax &&
         std::ranges::all_of(text, IsNameCharacter);
}

}  // namespace

Result<void> Validate(const JobSpec& spec) {
  if (!IsName(spec.name)) {
    return Fail(ErrorCode::kInvalidArgument,
                "\"" + spec.name + "\" is not a job name: a-z, 0-9, dot and hyphen, at most 64");
  }
  RETURN_IF_ERROR(Validate(spec.schedule));
  if (spec.lease < std::chrono::seconds(1)) {
    return Fail(ErrorCode::kInvalidArgument, "the lease of a job must be a second or more");
  }
  if (spec.retry.attempts_max == 0) {
    return Fail(ErrorCode::kInvalidArgument, "a job needs at least one attempt");
  }
  if (!spec.run) {
    return Fail(ErrorCode::kInvalidArgument, "job " + spec.name + " has nothing to run");
  }
  return {};
}

Result<void> Call(const JobSpec& spec, JobContext& context) {
  try {
    return spec.run(context);
  } catch (const std::exception& thrown) {
    return FailPrivately(ErrorCode::kInternal, std::string("the job threw: ") + thrown.what());
  } catch (...) {
    return FailPrivately(ErrorCode::kInternal, "the job threw something unknown");
  }
}

}  // namespace atrium::jobs
