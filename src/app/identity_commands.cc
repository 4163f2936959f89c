// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/identity_commands.h"

#include <array>
#include <boost/describe/class.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "app/api_answers.h"
#include "app/api_door.h"
#include "app/audit_export.h"
#include "app/catalog.h"
#include "app/command_line.h"
#include "app/config.h"
#include "app/document_text.h"
#include "app/identity_actions.h"
#include "app/secret_input.h"
#include "app/store_commands.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/json_write.h"
#include "base/result.h"
#include "base/uuid.h"
#include "http/headers.h"
#include "http/method.h"
#include "http/urlencoded.h"

namespace atrium::app {
namespace {

namespace json = boost::json;
using http::Method;

constexpr std::array kUserColumns{
    Column{.title = "EMAIL", .member = "email"}, Column{.title = "NAME", .member = "name"},
    Column{.title = "ROLE", .member = "role"}, Column{.title = "STATUS", .member = "status"},
    Column{.title = "ID", .member = "id"}};
constexpr std::array kOrgColumns{
    Column{.title = "NAME", .member = "name"}, Column{.title = "HOSTS", .member = "hosts"},
    Column{.title = "QUOTA", .member = "quota_bytes"}, Column{.title = "ID", .member = "id"}};
constexpr std::array kTokenColumns{Column{.title = "ID", .member = "id"},
                                   Column{.title = "TYPE", .member = "type"},
                                   Column{.title = "NAME", .member = "name"},
                                   Column{.title = "SCOPES", .member = "scopes"},
                                   Column{.title = "EXPIRES", .member = "expires_at"},
                                   Column{.title = "LAST USED", .member = "last_used_at"}};
constexpr std::array kProviderColumns{Column{.title = "ID", .member = "id"},
                                      Column{.title = "NAME", .member = "name"},
                                      Column{.title = "ISSUER", .member = "issuer"},
                                      Column{.title = "CLIENT", .member = "client_id"},
                                      Column{.title = "TRUSTED", .member = "trusted"},
                                      Column{.title = "CREATES USERS", .member = "creates_users"}};
constexpr std::array kInvitationColumns{Column{.title = "ID", .member = "id"},
                                        Column{.title = "EMAIL", .member = "email"},
                                        Column{.title = "BY", .member = "inviter"},
                                        Column{.title = "STATE", .member = "state"},
                                        Column{.title = "LETTER", .member = "delivery"},
                                        Column{.title = "EXPIRES", .member = "expires_at"}};
constexpr std::array kAuditColumns{
    Column{.title = "ID", .member = "id"},         Column{.title = "AT", .member = "at"},
    Column{.title = "WHO", .member = "label"},     Column{.title = "ACTION", .member = "action"},
    Column{.title = "TARGET", .member = "target"}, Column{.title = "FROM", .member = "address"},
    Column{.title = "DETAIL", .member = "detail"}};

struct PasswordBody {
  std::string password{};
};
BOOST_DESCRIBE_STRUCT(PasswordBody, (), (password))

bool SaysNothing(const auto& fields) {
  return ToJson(fields) == "{}";
}

/// One command, by the kind of its action.
class Performer {
 public:
  Performer(ApiDoor& door, OutputFormat format) : door_(door), format_(format) {}

  Result<CommandOutput> operator()(const UserList& action) const {
    return List("/api/users", "users", action.org, kUserColumns);
  }

  Result<CommandOutput> operator()(const UserAdd& action) const {
    UserFields fields = action.fields;
    if (!action.password_file.empty()) {
      ASSIGN_OR_RETURN(fields.password, ReadSecretInput(action.password_file));
    }
    return Send(Method::kPost, InOrg("/api/users", action.org), ToJson(fields));
  }

  Result<CommandOutput> operator()(const UserSet& action) const {
    if (SaysNothing(action.fields)) {
      return NothingToChange();
    }
    ASSIGN_OR_RETURN(const std::string path, PathOf(action.person));
    return Send(Method::kPatch, path, ToJson(action.fields));
  }

  Result<CommandOutput> operator()(const UserPassword& action) const {
    ASSIGN_OR_RETURN(std::string password, ReadSecretInput(action.password_file));
    ASSIGN_OR_RETURN(const std::string path, PathOf(action.person));
    return Send(Method::kPost, path + "/password",
                ToJson(PasswordBody{.password = std::move(password)}));
  }

  Result<CommandOutput> operator()(const UserDo& action) const {
    ASSIGN_OR_RETURN(const std::string path, PathOf(action.person));
    switch (action.deed) {
      case UserDeed::kShow:
        return Send(Method::kGet, path);
      case UserDeed::kRemove:
        return Send(Method::kDelete, path);
      case UserDeed::kInvite:
        return Send(Method::kPost, path + "/invite");
      case UserDeed::kLogout:
        return Send(Method::kPost, path + "/logout-all");
      case UserDeed::kResetSecondFactor:
        return Send(Method::kDelete, path + "/second-factor");
    }
    return FailPrivately(ErrorCode::kInternal, "a deed nobody knows");
  }

  Result<CommandOutput> operator()(const OrgList& /*action*/) const {
    return List("/api/orgs", "orgs", "", kOrgColumns);
  }

  Result<CommandOutput> operator()(const OrgAdd& action) const {
    return Send(Method::kPost, "/api/orgs", ToJson(action.fields));
  }

  Result<CommandOutput> operator()(const OrgShow& action) const {
    return Send(Method::kGet, Under("/api/orgs", action.id));
  }

  Result<CommandOutput> operator()(const OrgSet& action) const {
    if (SaysNothing(action.fields)) {
      return NothingToChange();
    }
    return Send(Method::kPatch, Under("/api/orgs", action.id), ToJson(action.fields));
  }

  Result<CommandOutput> operator()(const OrgRemove& action) const {
    return Send(Method::kDelete, Under("/api/orgs", action.id));
  }

  Result<CommandOutput> operator()(const TokenList& action) const {
    ASSIGN_OR_RETURN(const std::string target, OfOwner("/api/tokens", action.who));
    ASSIGN_OR_RETURN(const ApiReply reply, door_.Ask({.target = target}));
    ASSIGN_OR_RETURN(const json::object page, ReadObject(reply.body));
    ASSIGN_OR_RETURN(const json::array tokens, ReadList(page, "tokens"));
    return PrintAll(tokens, kTokenColumns, format_);
  }

  Result<CommandOutput> operator()(const TokenAdd& action) const {
    TokenFields fields = action.fields;
    if (action.expires_in) {
      fields.expires_at = RenderInstant(SystemClock().Now() + *action.expires_in);
    }
    ASSIGN_OR_RETURN(const std::string target, OfOwner("/api/tokens", action.who));
    ASSIGN_OR_RETURN(
        const ApiReply reply,
        door_.Ask({.method = Method::kPost, .target = target, .body = ToJson(fields)}));
    ASSIGN_OR_RETURN(const json::object made, ReadObject(reply.body));
    const std::optional<std::string> token = FindText(made, "token");
    if (!token) {
      return PuzzlingAnswer();
    }
    // Alone, so that a script can keep it.
    return CommandOutput{.text = (format_ == OutputFormat::kJson ? reply.body : *token) + "\n"};
  }

  Result<CommandOutput> operator()(const TokenRemove& action) const {
    ASSIGN_OR_RETURN(const std::string target,
                     OfOwner(Under("/api/tokens", action.id), action.who));
    return Send(Method::kDelete, target);
  }

  Result<CommandOutput> operator()(const ProviderList& action) const {
    return List("/api/providers", "providers", action.org, kProviderColumns);
  }

  Result<CommandOutput> operator()(const ProviderSet& action) const {
    ProviderFields fields = action.fields;
    if (!action.client_secret_file.empty()) {
      ASSIGN_OR_RETURN(fields.client_secret, ReadSecretInput(action.client_secret_file));
    }
    return Send(Method::kPut, InOrg(Under("/api/providers", action.id), action.org),
                ToJson(fields));
  }

  Result<CommandOutput> operator()(const ProviderRemove& action) const {
    return Send(Method::kDelete, InOrg(Under("/api/providers", action.id), action.org));
  }

  Result<CommandOutput> operator()(const InvitationList& action) const {
    return List("/api/admin/invitations", "invitations", action.org, kInvitationColumns);
  }

  Result<CommandOutput> operator()(const InvitationRevoke& action) const {
    return Send(Method::kDelete, Under("/api/admin/invitations", action.id));
  }

  Result<CommandOutput> operator()(const AuditList& action) const {
    const std::string before = action.before ? std::to_string(*action.before) : "";
    ASSIGN_OR_RETURN(
        const ApiReply reply,
        door_.Ask({.target = Target(
                       "/api/audit",
                       {.fields = {{.name = "org", .value = action.org},
                                   {.name = "before", .value = before},
                                   {.name = "limit", .value = std::to_string(action.limit)}}})}));
    ASSIGN_OR_RETURN(const json::object page, ReadObject(reply.body));
    ASSIGN_OR_RETURN(const json::array lines, ReadList(page, "lines"));
    CommandOutput output = PrintAll(lines, kAuditColumns, format_);
    if (const json::value* older = page.if_contains("before");
        older != nullptr && format_ == OutputFormat::kText) {
      output.text += "there are older ones: --before " + json::serialize(*older) + "\n";
    }
    return output;
  }

  Result<CommandOutput> operator()(const AuditExport& action) const {
    RETURN_IF_ERROR(ExportAudit(door_, action));
    return CommandOutput{};
  }

 private:
  static std::unexpected<Error> NothingToChange() {
    return Fail(ErrorCode::kInvalidArgument, "say what to change; --help lists what can be");
  }

  static std::string InOrg(std::string path, const std::string& org) {
    return Target(std::move(path), {.fields = {{.name = "org", .value = org}}});
  }

  Result<CommandOutput> Send(Method method, std::string target, std::string body = {}) const {
    ASSIGN_OR_RETURN(
        const ApiReply reply,
        door_.Ask({.method = method, .target = std::move(target), .body = std::move(body)}));
    return PrintDocument(reply, format_);
  }

  /// All pages of a list.
  Result<CommandOutput> List(const std::string& path, std::string_view name, const std::string& org,
                             std::span<const Column> columns) const {
    ASSIGN_OR_RETURN(const json::array all,
                     AskForAll(door_, path, name, {.fields = {{.name = "org", .value = org}}}));
    return PrintAll(all, columns, format_);
  }

  /// "/api/users/<id>". Who is named by address is looked up first.
  Result<std::string> PathOf(const Person& person) const {
    if (Uuid::Parse(person.who)) {
      return Under("/api/users", person.who);
    }
    ASSIGN_OR_RETURN(
        const ApiReply reply,
        door_.Ask(
            {.target = Target("/api/users", {.fields = {{.name = "email", .value = person.who},
                                                        {.name = "org", .value = person.org}}})}));
    ASSIGN_OR_RETURN(const json::object page, ReadObject(reply.body));
    ASSIGN_OR_RETURN(const json::array found, ReadList(page, "users"));
    if (found.empty() || !found.front().is_object()) {
      return Fail(ErrorCode::kNotFound, "there is nobody with the address " + person.who);
    }
    const std::optional<std::string> id = FindText(found.front().get_object(), "id");
    return id ? Result<std::string>(Under("/api/users", *id)) : PuzzlingAnswer();
  }

  /// The operator says whose tokens are meant. Everybody else has only their own, so who was named
  /// must be the one who asks.
  Result<std::string> OfOwner(std::string path, const std::string& who) const {
    if (door_.As() == Asking::kOperator) {
      return Target(std::move(path), {.fields = {{.name = "user", .value = who}}});
    }
    ASSIGN_OR_RETURN(const ApiReply reply, door_.Ask({.target = "/api/me"}));
    ASSIGN_OR_RETURN(const json::object me, ReadObject(reply.body));
    const json::value* user = me.if_contains("user");
    const bool same =
        user != nullptr && user->is_object() &&
        (FindText(user->get_object(), "id") == who ||
         http::EqualsIgnoringCase(FindText(user->get_object(), "email").value_or(""), who));
    return same ? Result<std::string>(std::move(path))
                : Fail(ErrorCode::kPermissionDenied,
                       "over the network, tokens are looked after by their owner alone");
  }

  ApiDoor& door_;
  const OutputFormat format_;
};

/// Only the account of who looks after the server may come before the server itself.
NoStore WithoutStore(const IdentityAction& action) {
  const auto* add = std::get_if<UserAdd>(&action);
  const bool first = add != nullptr && add->fields.role &&
                     (add->fields.role == "admin" || add->fields.role == "superadmin");
  return first ? NoStore::kMake : NoStore::kRefuse;
}

}  // namespace

Result<CommandOutput> PerformIdentityCommand(const Config& config, const Catalog& /*catalog*/,
                                             const IdentityCommand& command) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ApiDoor> door,
                   OpenApiDoor(config, command.access, WithoutStore(command.action)));
  return std::visit(Performer(*door, command.format), command.action);
}

}  // namespace atrium::app
