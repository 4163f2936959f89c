// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/letters_commands.h"

#include <array>
#include <boost/json/array.hpp>
#include <memory>
#include <variant>

#include "app/api_answers.h"
#include "app/api_door.h"
#include "app/document_text.h"
#include "http/method.h"

namespace atrium::app {
namespace {

constexpr const char* kPath = "/api/admin/letters";
constexpr std::array kLetterColumns{Column{.title = "ID", .member = "id"},
                                    Column{.title = "TO", .member = "to"},
                                    Column{.title = "SUBJECT", .member = "subject"},
                                    Column{.title = "GIVEN UP", .member = "dead_at"},
                                    Column{.title = "REASON", .member = "last_error"}};

/// One command, by the kind of its action.
struct Performer {
  ApiDoor& door;
  const LettersCommand& command;

  Result<CommandOutput> operator()(const LettersList& /*action*/) const {
    ASSIGN_OR_RETURN(const boost::json::array letters, AskForAll(door, kPath, "letters", {}));
    return PrintAll(letters, kLetterColumns, command.format);
  }

  Result<CommandOutput> operator()(const LettersRetry& action) const {
    ASSIGN_OR_RETURN(
        const ApiReply reply,
        door.Ask({.method = http::Method::kPost, .target = Under(kPath, action.id) + "/retry"}));
    return PrintDocument(reply, command.format);
  }

  Result<CommandOutput> operator()(const LettersDrop& action) const {
    ASSIGN_OR_RETURN(const ApiReply reply, door.Ask({.method = http::Method::kDelete,
                                                     .target = Under(kPath, action.id)}));
    return PrintDocument(reply, command.format);
  }
};

}  // namespace

Result<CommandOutput> PerformLettersCommand(const Config& config, const Catalog& /*catalog*/,
                                            const LettersCommand& command) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ApiDoor> door,
                   OpenApiDoor(config, command.access, NoStore::kRefuse));
  return std::visit(Performer{.door = *door, .command = command}, command.action);
}

}  // namespace atrium::app
