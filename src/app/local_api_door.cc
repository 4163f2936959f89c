// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/local_api_door.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "api/api.h"
#include "app/api_door.h"
#include "app/api_exchange.h"
#include "app/config.h"
#include "app/open_store.h"
#include "app/rooms.h"
#include "app/secrets.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id_source.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"
#include "http/body.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/router.h"
#include "store/epoch.h"
#include "store/store.h"

namespace atrium::app {
namespace {

class LocalApiDoor final : public ApiDoor {
 public:
  static Result<std::unique_ptr<ApiDoor>> Open(const Config& config, NoStore no_store) {
    std::unique_ptr<LocalApiDoor> door(new LocalApiDoor());
    RETURN_IF_ERROR(door->OpenStore(config, no_store));
    RETURN_IF_ERROR(door->MakeRooms(config));
    return door;
  }

  Asking As() const override { return Asking::kOperator; }

  Result<ApiReply> Ask(const ApiRequest& asked) override {
    ASSIGN_OR_RETURN(http::Reply reply, Do(asked));
    return Settle(std::move(reply));
  }

  Result<void> Stream(const ApiRequest& asked, const Receive& receive) override {
    ASSIGN_OR_RETURN(http::Reply reply, Do(asked));
    auto* source = std::get_if<std::unique_ptr<http::BodySource>>(&reply.body);
    if (source == nullptr) {
      return std::holds_alternative<std::unique_ptr<http::EventSource>>(reply.body)
                 ? Fail(ErrorCode::kRefusedByState, "only a running server tells what changes")
                 : FailPrivately(ErrorCode::kInternal, "this route does not stream");
    }
    for (;;) {
      ASSIGN_OR_RETURN(const std::optional<std::string> piece, (*source)->Next());
      if (!piece) {
        return {};
      }
      receive(*piece);
    }
  }

 private:
  Result<http::Reply> Do(const ApiRequest& asked) {
    const std::string id = ids_.NewUuid().Render();
    const std::string_view target = asked.target;
    const std::size_t mark = target.find('?');
    http::Request request{
        .method = asked.method,
        .path = target.substr(0, mark),
        .query = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1),
        .body = asked.body,
        .origin = http::Origin::kControlSocket,
        .host = "control",
        .id = id};
    request.headers.Add("Content-Type", asked.content_type);
    request.headers.Add("User-Agent", "atrium");
    return Answer(request);
  }

  LocalApiDoor() = default;

  Result<void> OpenStore(const Config& config, NoStore no_store) {
    RETURN_IF_ERROR(CheckOwner(config));
    ASSIGN_OR_RETURN(engine_, no_store == NoStore::kMake ? app::OpenStore(config, clock_)
                                                         : OpenStoppedStore(config, clock_));
    store_.emplace(*engine_, clock_);
    RETURN_IF_ERROR(store::EnsureEpoch(*store_, store::OpContext::ForWork("open"), ids_, clock_));
    return {};
  }

  Result<void> MakeRooms(const Config& config) {
    ASSIGN_OR_RETURN(const ServerSecrets secrets, LoadServerSecrets(config));
    ASSIGN_OR_RETURN(rooms_, Rooms::Make(config, secrets, *store_, clock_));
    api_.emplace(router_, *store_, clock_);
    rooms_->AddTo(*api_);
    return {};
  }

  /// As the server does it: find the route, ask its rule, let it answer.
  Result<http::Reply> Answer(http::Request& request) {
    ASSIGN_OR_RETURN(const http::Match match,
                     router_.Find(request.method, request.path, request.origin));
    if (match.endpoint == nullptr) {
      return Fail(ErrorCode::kNotFound, "there is no such route");
    }
    ASSIGN_OR_RETURN(request.principal, match.endpoint->route.access.Admit(request));
    if (match.endpoint->receive) {
      ASSIGN_OR_RETURN(const std::unique_ptr<http::BodySink> sink,
                       match.endpoint->receive(*match.endpoint, request, match.params));
      RETURN_IF_ERROR(sink->Write(std::as_bytes(std::span(request.body))));
      return sink->Finish();
    }
    return match.endpoint->answer(*match.endpoint, request, match.params);
  }

  static Result<ApiReply> Settle(http::Reply reply) {
    auto* body = std::get_if<std::string>(&reply.body);
    if (body == nullptr) {
      return FailPrivately(ErrorCode::kInternal, "routes for commands answer from memory");
    }
    ApiReply settled{.status = reply.status, .body = std::move(*body)};
    for (const auto& [name, value] : reply.headers) {
      if (name == kAfterHeader) {
        settled.after = value;
      }
    }
    return Judge(std::move(settled));
  }

  // Each outlives what stands below it.
  const SystemClock clock_{};
  SystemIdSource ids_{clock_};
  std::unique_ptr<rocks::RocksEngine> engine_{};
  std::optional<store::Store> store_{};
  std::unique_ptr<Rooms> rooms_{};
  http::Router router_{};
  std::optional<api::Api> api_{};
};

}  // namespace

Result<std::unique_ptr<ApiDoor>> OpenLocalApiDoor(const Config& config, NoStore no_store) {
  return LocalApiDoor::Open(config, no_store);
}

}  // namespace atrium::app
