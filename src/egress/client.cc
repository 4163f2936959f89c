// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/client.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/ip_network.h"
#include "base/random.h"
#include "base/result.h"
#include "egress/address_guard.h"
#include "egress/handle_pool.h"
#include "egress/message.h"
#include "egress/redirect.h"
#include "egress/resolver.h"
#include "egress/retry.h"
#include "egress/sleeper.h"
#include "egress/transfer.h"
#include "egress/url.h"

namespace atrium::egress {
namespace {

using std::chrono::milliseconds;

double RandomFraction() {
  std::uint32_t bits = 0;
  FillRandom(std::as_writable_bytes(std::span(&bits, 1)));
  return static_cast<double>(bits) / 4294967296.0;
}

std::unexpected<TransferFailure> Transient(Error error) {
  return std::unexpected(TransferFailure{.error = std::move(error), .hope = Hope::kTransient});
}

std::unexpected<TransferFailure> Final(Error error) {
  return std::unexpected(TransferFailure{.error = std::move(error), .hope = Hope::kFinal});
}

bool IsWorthRepeating(const TransferOutcome& outcome) {
  return outcome ? IsTransientStatus(outcome->status) : outcome.error().hope == Hope::kTransient;
}

Result<OutgoingResponse> Settle(TransferOutcome outcome) {
  if (!outcome) {
    return std::unexpected(std::move(outcome).error().error);
  }
  return std::move(*outcome);
}

}  // namespace

/// What all calls share; immutable but for the pool, which guards itself.
struct Client::Parts {
  TransferSettings settings;
  std::shared_ptr<Resolver> resolver;
  std::shared_ptr<Sleeper> sleeper;
  std::function<double()> fraction;
  const Clock& clock;
  HandlePool pool;
};

/// One Send: its deadline, and the addresses found and approved in it so far.
class Client::Call {
 public:
  Call(Parts& parts, const OutgoingRequest& request)
      : parts_(parts),
        first_(request),
        deadline_(parts.clock.Steady() + request.timeout),
        handle_(parts.pool.Take()) {}

  Result<OutgoingResponse> Run() {
    OutgoingRequest redirected;
    const OutgoingRequest* request = &first_;
    for (unsigned followed = 0;; ++followed) {
      ASSIGN_OR_RETURN(const Url url, ParseUrl(request->url));
      ASSIGN_OR_RETURN(OutgoingResponse response, SendUntilSettled(*request, url));
      if (first_.redirects_max == 0) {
        return response;
      }
      ASSIGN_OR_RETURN(auto next, FollowRedirect(*request, url, response));
      if (!next) {
        return response;
      }
      if (followed == first_.redirects_max) {
        return Fail(ErrorCode::kLimitExceeded,
                    "the call was redirected more than " + std::to_string(followed) + " times");
      }
      redirected = std::move(*next);
      request = &redirected;
    }
  }

 private:
  Result<OutgoingResponse> SendUntilSettled(const OutgoingRequest& request, const Url& url) {
    for (unsigned attempt = 1;; ++attempt) {
      TransferOutcome outcome = Attempt(request, url);
      if (attempt >= request.retry.attempts_max || !MayRepeat(request) ||
          !IsWorthRepeating(outcome)) {
        return Settle(std::move(outcome));
      }
      const milliseconds wait = WaitAfter(request, outcome, attempt);
      if (wait >= Remaining()) {
        return Settle(std::move(outcome));
      }
      parts_.sleeper->Sleep(wait, request.stop);
      if (request.stop.stop_requested()) {
        return Settle(std::move(outcome));
      }
    }
  }

  TransferOutcome Attempt(const OutgoingRequest& request, const Url& url) {
    if (handle_ == nullptr) {
      return Final(Error{.code = ErrorCode::kUnavailable,
                         .detail = "no memory for an outgoing call",
                         .client_message = {},
                         .where = std::source_location::current()});
    }
    auto addresses = Pin(request, url);
    if (!addresses) {
      return std::unexpected(std::move(addresses).error());
    }
    const milliseconds remaining = Remaining();
    if (remaining <= milliseconds::zero()) {
      return Final(Fail(ErrorCode::kDeadlineExceeded, RenderOrigin(url) + " did not answer in time")
                       .error());
    }
    return Transfer(
        handle_.get(), parts_.settings,
        {.request = request, .url = url, .addresses = std::move(*addresses), .timeout = remaining});
  }

  /// The permitted addresses of the host: those of this call's first look-up, whatever DNS says
  /// now.
  std::expected<std::vector<IpAddress>, TransferFailure> Pin(const OutgoingRequest& request,
                                                             const Url& url) {
    if (const auto literal = ParseIpAddress(url.host)) {
      return Permitted(url, {*literal});
    }
    if (!parts_.settings.proxy.empty()) {
      return {};
    }
    const auto pinned = pins_.find(url.host);
    if (pinned != pins_.end()) {
      return pinned->second;
    }
    const milliseconds timeout = std::min(request.connect_timeout, Remaining());
    auto found = parts_.resolver->Resolve(url.host, timeout);
    if (!found) {
      return Transient(std::move(found).error());
    }
    auto permitted = Permitted(url, *found);
    if (permitted) {
      pins_[url.host] = *permitted;
    }
    return permitted;
  }

  std::expected<std::vector<IpAddress>, TransferFailure> Permitted(
      const Url& url, const std::vector<IpAddress>& found) const {
    std::vector<IpAddress> permitted;
    std::optional<Error> refusal;
    for (const IpAddress& address : found) {
      if (const auto objection = parts_.settings.guard.FindObjection(address)) {
        refusal = RefusedAddress(url, address, *objection);
      } else {
        permitted.push_back(address);
      }
    }
    if (permitted.empty() && refusal) {
      return Final(std::move(*refusal));
    }
    return permitted;
  }

  milliseconds WaitAfter(const OutgoingRequest& request, const TransferOutcome& outcome,
                         unsigned attempt) const {
    const milliseconds backoff = BackoffWait(request.retry, attempt, parts_.fraction());
    const auto asked = outcome ? outcome->FindHeader("Retry-After") : std::nullopt;
    const auto retry_after =
        asked ? ParseRetryAfter(*asked, parts_.clock.Now()) : std::optional<milliseconds>();
    return std::max(backoff, retry_after.value_or(milliseconds::zero()));
  }

  milliseconds Remaining() const {
    return std::chrono::ceil<milliseconds>(deadline_ - parts_.clock.Steady());
  }

  Parts& parts_;
  const OutgoingRequest& first_;
  SteadyInstant deadline_;
  HandlePool::Handle handle_;
  std::map<std::string, std::vector<IpAddress>> pins_;
};

Client::Client(ClientOptions options, const Clock& clock)
    : parts_(new Parts{.settings = {.guard = AddressGuard(std::move(options.allowed)),
                                    .user_agent = std::move(options.user_agent),
                                    .ca_bundle = std::move(options.ca_bundle),
                                    .proxy = std::move(options.proxy)},
                       .resolver = std::move(options.resolver),
                       .sleeper = std::move(options.sleeper),
                       .fraction = std::move(options.fraction),
                       .clock = clock,
                       .pool = {}}) {
  if (!parts_->resolver) {
    parts_->resolver = std::make_shared<SystemResolver>();
  }
  if (!parts_->sleeper) {
    parts_->sleeper = std::make_shared<ThreadSleeper>();
  }
  if (!parts_->fraction) {
    parts_->fraction = RandomFraction;
  }
}

Client::~Client() = default;

Result<OutgoingResponse> Client::Send(const OutgoingRequest& request) {
  RETURN_IF_ERROR(Validate(request));
  return Call(*parts_, request).Run();
}

}  // namespace atrium::egress
