// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "app/command_interface.h"
#include "app/command_line.h"

namespace atrium::app {

namespace {

void AddLetters(Interface& interface) {
  using Question = ApiOperation<LettersCommand>;
  CLI::App* letters =
      interface.root.add_subcommand("letters", "Look after letters that no mail server took");
  Question list(*letters, "list", "List them, newest first, with the reason");
  list.As(LettersList{});
  list.ChosenIn(interface);

  Question retry(*letters, "retry", "Send one again");
  retry.Takes("id", retry.As(LettersRetry{}).id, "Id of the letter");
  retry.ChosenIn(interface);

  Question drop(*letters, "drop", "Drop one");
  drop.Takes("id", drop.As(LettersDrop{}).id, "Id of the letter");
  drop.ChosenIn(interface);
}

void AddSecrets(Interface& interface) {
  CLI::App* secrets =
      interface.root.add_subcommand("secrets", "Look after what the server's secrets have sealed");
  const ApiOperation<SecretsCommand> status(*secrets, "status",
                                            "Count it, and tell whether earlier secrets may go");
  status.ChosenIn(interface);
}

}  // namespace

void AddCareCommands(Interface& interface) {
  AddLetters(interface);
  AddSecrets(interface);
}

}  // namespace atrium::app
