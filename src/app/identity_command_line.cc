// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command_interface.h"
#include "app/command_line.h"
#include "app/config_values.h"
#include "app/identity_actions.h"

namespace atrium::app {
namespace {

constexpr Duration kLifetime{.min = std::chrono::seconds(1),
                             .max = std::chrono::hours(24 * 365 * 10)};
constexpr ByteSize kQuota{.min = 0, .max = std::numeric_limits<std::int64_t>::max()};

struct Question : ApiOperation<IdentityCommand> {
  using ApiOperation::ApiOperation;

  void InOrg(std::string& place) const {
    command->add_option("--org", place, "Id of the organisation, instead of one's own")
        ->type_name("ID");
  }

  void About(Person& person) const {
    Takes("person", person.who, "E-mail address or id");
    InOrg(person.org);
  }

  /// A value that is written in a form of its own, such as 30d or 10GiB.
  template <typename Kind, typename Place>
  void MayBe(const std::string& flag, const Kind& kind, Place& place,
             const std::string& description) const {
    command
        ->add_option_function<std::string>(
            flag,
            [kind, flag, &place](const std::string& text) {
              const auto parsed = kind.Parse(text);
              if (!parsed) {
                throw CLI::ValidationError(flag, "expected " + kind.Expectation());
              }
              place = *parsed;
            },
            description)
        ->type_name(Placeholder(flag));
  }
};

void AddUserFields(const Question& question, UserFields& fields) {
  CLI::App& command = *question.command;
  question.May("--name", fields.name, "What the person is called");
  question.May("--time-zone", fields.time_zone, "Such as Europe/Berlin");
  question.MayBe("--quota", kQuota, fields.quota_bytes, "Room for files, such as 10GiB");
  CLI::Option* role =
      command.add_option("--role", fields.role, "What the person may do")
          ->type_name("ROLE")
          ->check(CLI::IsMember({"guest", "readonly", "user", "admin", "superadmin"}));
  CLI::Option* admin = command.add_flag_callback(
      "--admin", [&fields] { fields.role = "admin"; }, "Short for --role admin");
  CLI::Option* superadmin = command.add_flag_callback(
      "--superadmin", [&fields] { fields.role = "superadmin"; }, "Short for --role superadmin");
  role->excludes(admin)->excludes(superadmin);
  admin->excludes(superadmin);
}

void AddUserAdd(Interface& interface, CLI::App& user) {
  Question add(user, "add", "Make an account; the first one looks after the server");
  UserAdd& added = add.As(UserAdd{});
  add.command->add_option("email", added.fields.email, "E-mail address")
      ->required()
      ->type_name("EMAIL");
  AddUserFields(add, added.fields);
  add.InOrg(added.org);
  add.May("--password-file", added.password_file,
          "File with the password; - is standard input. Without it, there is no password");
  add.command->add_flag_callback(
      "--invite", [&added] { added.fields.invite = true; }, "Mail a link to sign in by");
  add.ChosenIn(interface);
}

void AddUserSet(Interface& interface, CLI::App& user) {
  Question set(user, "set", "Change an account");
  UserSet& changed = set.As(UserSet{});
  set.About(changed.person);
  AddUserFields(set, changed.fields);
  set.May("--email", changed.fields.email, "Another address for the same person");
  CLI::Option* activate = set.command->add_flag_callback(
      "--activate", [&changed] { changed.fields.status = "active"; }, "Let the person in again");
  set.command
      ->add_flag_callback(
          "--deactivate", [&changed] { changed.fields.status = "deactivated"; },
          "End all sessions and tokens, and let the person in no more")
      ->excludes(activate);
  set.ChosenIn(interface);
}

void AddUserDeed(Interface& interface, CLI::App& user, UserDeed deed, std::string name,
                 std::string description) {
  Question question(user, std::move(name), std::move(description));
  question.About(question.As(UserDo{.deed = deed}).person);
  question.ChosenIn(interface);
}

void AddUser(Interface& interface) {
  CLI::App* user = interface.root.add_subcommand("user", "Look after people");
  Question list(*user, "list", "List all people of an organisation");
  list.InOrg(list.As(UserList{}).org);
  list.ChosenIn(interface);
  AddUserAdd(interface, *user);
  AddUserDeed(interface, *user, UserDeed::kShow, "show", "Show an account");
  AddUserSet(interface, *user);
  AddUserDeed(interface, *user, UserDeed::kRemove, "remove", "Erase an account");

  Question password(*user, "password", "Give somebody a password and end all their credentials");
  UserPassword& given = password.As(UserPassword{});
  password.About(given.person);
  password.Takes("--password-file", given.password_file,
                 "File with the password; - is standard input");
  password.ChosenIn(interface);

  AddUserDeed(interface, *user, UserDeed::kInvite, "invite", "Mail a link to sign in by");
  AddUserDeed(interface, *user, UserDeed::kLogout, "logout", "End all sessions of somebody");
  AddUserDeed(interface, *user, UserDeed::kResetSecondFactor, "reset-second-factor",
              "Take the second factor away from somebody who has lost it");
}

void AddOrgFields(const Question& question, OrgFields& fields) {
  question.MayBe("--quota", kQuota, fields.quota_bytes, "Room for all files, such as 1TiB");
  question.command
      ->add_option_function<std::vector<std::string>>(
          "--host", [&fields](const std::vector<std::string>& hosts) { fields.hosts = hosts; },
          "Host name by which it is reached; may be given often, and replaces all")
      ->type_name("HOST")
      ->allow_extra_args(false);
  question.command
      ->add_option_function<std::vector<std::string>>(
          "--setting",
          [&fields](const std::vector<std::string>& settings) {
            fields.settings.emplace();
            for (const std::string& setting : settings) {
              const std::size_t equals = setting.find('=');
              if (equals == std::string::npos || equals == 0) {
                throw CLI::ValidationError("--setting", "expected KEY=VALUE, got " + setting);
              }
              fields.settings->insert_or_assign(setting.substr(0, equals),
                                                setting.substr(equals + 1));
            }
          },
          "A setting of the organisation; may be given often, and replaces all")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void AddOrg(Interface& interface) {
  CLI::App* org = interface.root.add_subcommand("org", "Look after organisations");
  Question list(*org, "list", "List all organisations");
  list.As(OrgList{});
  list.ChosenIn(interface);

  Question add(*org, "add", "Make an organisation");
  OrgAdd& added = add.As(OrgAdd{});
  add.command->add_option("name", added.fields.name, "What it is called")
      ->required()
      ->type_name("NAME");
  AddOrgFields(add, added.fields);
  add.ChosenIn(interface);

  Question show(*org, "show", "Show an organisation and what it uses");
  show.Takes("id", show.As(OrgShow{}).id, "Which one");
  show.ChosenIn(interface);

  Question set(*org, "set", "Change an organisation");
  OrgSet& changed = set.As(OrgSet{});
  set.Takes("id", changed.id, "Which one");
  set.May("--name", changed.fields.name, "What it is called");
  AddOrgFields(set, changed.fields);
  set.ChosenIn(interface);

  Question remove(*org, "remove", "Erase an organisation to which nobody belongs");
  remove.Takes("id", remove.As(OrgRemove{}).id, "Which one");
  remove.ChosenIn(interface);
}

void AddTokenAdd(Interface& interface, CLI::App& token) {
  Question add(token, "add", "Make a token and print it, this once");
  TokenAdd& added = add.As(TokenAdd{});
  add.Takes("person", added.who, "Whose: e-mail address or id");
  add.Takes("--name", added.fields.name, "What it is for");
  const std::map<std::string, std::string> types{
      {"personal", "personal"}, {"api", "api"}, {"app-password", "app_password"}};
  add.command
      ->add_option_function<std::string>(
          "--type",
          [&added, types](const std::string& type) { added.fields.type = types.at(type); },
          "personal (the default), api, or app-password")
      ->type_name("TYPE")
      ->check(CLI::IsMember({"personal", "api", "app-password"}));
  add.command
      ->add_option_function<std::vector<std::string>>(
          "--scope",
          [&added](const std::vector<std::string>& scopes) { added.fields.scopes = scopes; },
          "What it may be used for, such as files:read; may be given often")
      ->type_name("SCOPE")
      ->allow_extra_args(false);
  add.MayBe("--expires-in", kLifetime, added.expires_in, "How long it works, such as 30d");
  add.ChosenIn(interface);
}

void AddToken(Interface& interface) {
  CLI::App* token = interface.root.add_subcommand("token", "Look after the tokens of programs");
  Question list(*token, "list", "List the tokens of somebody");
  list.Takes("person", list.As(TokenList{}).who, "Whose: e-mail address or id");
  list.ChosenIn(interface);
  AddTokenAdd(interface, *token);
  Question remove(*token, "remove", "End a token");
  TokenRemove& removed = remove.As(TokenRemove{});
  remove.Takes("person", removed.who, "Whose: e-mail address or id");
  remove.Takes("id", removed.id, "Which one");
  remove.ChosenIn(interface);
}

void AddProvider(Interface& interface) {
  CLI::App* provider =
      interface.root.add_subcommand("provider", "Look after OpenID Connect providers");
  Question list(*provider, "list", "List the providers through which people sign in");
  list.InOrg(list.As(ProviderList{}).org);
  list.ChosenIn(interface);

  Question set(*provider, "set", "Add a provider, or replace what is known of one");
  ProviderSet& wanted = set.As(ProviderSet{});
  set.Takes("id", wanted.id, "Its name in addresses: small letters, digits, hyphens");
  set.Takes("--name", wanted.fields.name, "What people see");
  set.Takes("--issuer", wanted.fields.issuer, "Its URL");
  set.Takes("--client-id", wanted.fields.client_id, "How this server is called there");
  set.May("--client-secret-file", wanted.client_secret_file,
          "File with the client secret; - is standard input");
  set.command->add_flag("--trusted", wanted.fields.trusted,
                        "Take its word that an e-mail address was verified");
  set.command->add_flag("--creates-users", wanted.fields.creates_users,
                        "Make accounts for people who are not known yet");
  set.InOrg(wanted.org);
  set.ChosenIn(interface);

  Question remove(*provider, "remove", "Let nobody sign in through a provider any more");
  ProviderRemove& removed = remove.As(ProviderRemove{});
  remove.Takes("id", removed.id, "Which one");
  remove.InOrg(removed.org);
  remove.ChosenIn(interface);
}

void AddInvitation(Interface& interface) {
  CLI::App* invitation =
      interface.root.add_subcommand("invitation", "Look after invitations of people");
  Question list(*invitation, "list", "List invitations, newest first, and what became of them");
  list.InOrg(list.As(InvitationList{}).org);
  list.ChosenIn(interface);
  Question revoke(*invitation, "revoke", "Take an invitation back");
  revoke.Takes("id", revoke.As(InvitationRevoke{}).id, "Which one");
  revoke.ChosenIn(interface);
}

void AddAudit(Interface& interface) {
  CLI::App* audit = interface.root.add_subcommand("audit", "Read who did what");
  Question list(*audit, "list", "List the latest lines, newest first");
  AuditList& asked = list.As(AuditList{});
  list.InOrg(asked.org);
  list.command->add_option("--limit", asked.limit, "How many lines")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 500));
  list.command->add_option("--before", asked.before, "Only lines older than this one")
      ->type_name("ID");
  list.ChosenIn(interface);

  Question exports(*audit, "export", "Write all lines, oldest first, one JSON object each");
  AuditExport& wanted = exports.As(AuditExport{});
  exports.InOrg(wanted.org);
  exports.command->add_option("file", wanted.file, "File to make, instead of standard output")
      ->type_name("FILE");
  exports.ChosenIn(interface);
}

}  // namespace

void AddIdentityCommands(Interface& interface) {
  AddUser(interface);
  AddOrg(interface);
  AddToken(interface);
  AddProvider(interface);
  AddInvitation(interface);
  AddAudit(interface);
}

}  // namespace atrium::app
