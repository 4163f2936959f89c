// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "http/body.h"
#include "http/request.h"
#include "store/change_log.h"
#include "store/store.h"
#include "store/table.h"

namespace atrium::api {

/// Which log is followed, from where, and how a change looks on the wire.
struct ChangeStreamRequest {
  const store::Table* log = &store::kChanges;
  std::string topic{};
  /// What the listener has seen last; nullopt: only what comes from now on.
  std::optional<std::uint64_t> after{};
  /// The id of the request, for what is asked of the store.
  std::string trace{};
  /// The event of a change, by http::RenderEvent(); empty text leaves it out. nullptr: an event
  /// "change" with the document.
  std::function<std::string(const store::Change&)> render{};
};

/// Follows a topic of the change log as server-sent events whose ids are those of the changes, so
/// that a listener goes on where it was, after a restart too. One that fell too far behind gets the
/// event "refresh_required" and goes on from the newest change. Woken by commits: nothing polls.
/// Store and clock outlive it.
std::unique_ptr<http::EventSource> FollowChanges(store::Store& store, const Clock& clock,
                                                 ChangeStreamRequest request);

/// The id a listener names in `Last-Event-ID` or, as pages without headers do, in the parameter
/// `last_event_id`; the header counts more. kInvalidArgument when it is no number.
Result<std::optional<std::uint64_t>> LastEventId(const http::Request& request);

}  // namespace atrium::api
