// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/uploads_commands.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <memory>
#include <string>
#include <variant>

#include "app/api_answers.h"
#include "app/api_door.h"
#include "app/document_text.h"
#include "http/method.h"

namespace atrium::app {
namespace {

constexpr std::array kUploadColumns{Column{.title = "ID", .member = "id"},
                                    Column{.title = "LIBRARY", .member = "repo_id"},
                                    Column{.title = "PATH", .member = "path"},
                                    Column{.title = "RECEIVED", .member = "received"},
                                    Column{.title = "SIZE", .member = "size"},
                                    Column{.title = "SINCE", .member = "updated_at"},
                                    Column{.title = "UNTIL", .member = "expires_at"}};

/// One command, by the kind of its action.
class Performer {
 public:
  Performer(ApiDoor& door, const UploadsCommand& command) : door_(door), command_(command) {}

  Result<CommandOutput> operator()(const UploadsList& /*action*/) const {
    ASSIGN_OR_RETURN(const ApiReply reply, door_.Ask({.target = For(kPath)}));
    ASSIGN_OR_RETURN(const boost::json::object answer, ReadObject(reply.body));
    ASSIGN_OR_RETURN(const boost::json::array uploads, ReadList(answer, "uploads"));
    return PrintAll(uploads, kUploadColumns, command_.format);
  }

  Result<CommandOutput> operator()(const UploadsRemove& action) const {
    ASSIGN_OR_RETURN(const ApiReply reply, door_.Ask({.method = http::Method::kDelete,
                                                      .target = For(Under(kPath, action.id))}));
    return PrintDocument(reply, command_.format);
  }

 private:
  static constexpr const char* kPath = "/api/v2.1/unfinished-uploads";

  std::string For(const std::string& path) const {
    return Target(path, {.fields = {{.name = "user", .value = command_.user}}});
  }

  ApiDoor& door_;
  const UploadsCommand& command_;
};

}  // namespace

Result<CommandOutput> PerformUploadsCommand(const Config& config, const Catalog& /*catalog*/,
                                            const UploadsCommand& command) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ApiDoor> door,
                   OpenApiDoor(config, command.access, NoStore::kRefuse));
  return std::visit(Performer(*door, command), command.action);
}

}  // namespace atrium::app
