// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "api/change_stream.h"

#include <charconv>
#include <string_view>
#include <utility>

#include "api/api.h"
#include "store/change_signals.h"
#include "store/op_context.h"

namespace atrium::api {
namespace {

/// As many as one piece of the stream holds; a slow listener takes them piece by piece.
constexpr std::size_t kChangesPerPiece = 100;

class ChangeStream final : public http::EventSource {
 public:
  ChangeStream(store::Store& store, const Clock& clock, ChangeStreamRequest request)
      : store_(store), clock_(clock), request_(std::move(request)) {}

  Result<std::optional<std::string>> Next(const Wake& wake) override {
    if (!watching_) {
      // Before the first read: what is committed from here on wakes us.
      watch_ = store_.Signals().Listen(*request_.log, request_.topic, wake);
      watching_ = true;
    }
    // The stream may live for hours; each reading has the time of a request.
    const store::OpContext op{.deadline = clock_.Steady() + kTimeForStore, .trace = request_.trace};
    if (!request_.after) {
      ASSIGN_OR_RETURN(request_.after,
                       store::LastChange(store_, op, *request_.log, request_.topic));
    }
    ASSIGN_OR_RETURN(const store::ChangePage page, store::ReadChanges(store_, op,
                                                                      {.log = request_.log,
                                                                       .topic = request_.topic,
                                                                       .after = *request_.after,
                                                                       .limit = kChangesPerPiece}));
    if (page.refresh_required) {
      request_.after = page.last;
      return http::RenderEvent(std::to_string(page.last), "refresh_required", "{}");
    }
    std::string events = Render(page);
    if (*request_.after < page.last) {
      wake();
    }
    return events;
  }

 private:
  std::string Render(const store::ChangePage& page) {
    std::string events;
    for (const store::Change& change : page.changes) {
      events += request_.render
                    ? request_.render(change)
                    : http::RenderEvent(std::to_string(change.id), "change", change.document);
      request_.after = change.id;
    }
    return events;
  }

  store::Store& store_;
  const Clock& clock_;
  ChangeStreamRequest request_;
  bool watching_ = false;
  store::ChangeSignals::Watch watch_;
};

Result<std::uint64_t> ParseId(std::string_view text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(ErrorCode::kInvalidArgument, "the last event id is not a number");
  }
  return id;
}

}  // namespace

std::unique_ptr<http::EventSource> FollowChanges(store::Store& store, const Clock& clock,
                                                 ChangeStreamRequest request) {
  return std::make_unique<ChangeStream>(store, clock, std::move(request));
}

Result<std::optional<std::uint64_t>> LastEventId(const http::Request& request) {
  if (const auto header = request.headers.Find("Last-Event-ID"); header && !header->empty()) {
    ASSIGN_OR_RETURN(const std::uint64_t id, ParseId(*header));
    return id;
  }
  ASSIGN_OR_RETURN(const http::Form query, request.Query());
  const auto parameter = query.Find("last_event_id");
  if (!parameter || parameter->empty()) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const std::uint64_t id, ParseId(*parameter));
  return id;
}

}  // namespace atrium::api
