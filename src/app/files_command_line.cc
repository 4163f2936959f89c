// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <string>
#include <utility>

#include "app/command_interface.h"
#include "app/command_line.h"

namespace atrium::app {
namespace {

void AddVerify(Interface& interface, CLI::App& files) {
  Operation<FilesCommand> verify(files, "verify", "Read all libraries and tell what is wrong");
  verify.ShowsProgress();
  verify.command
      ->add_option("--library", verify.As(FilesVerify{}).library, "Only this one, by its id")
      ->type_name("ID");
  verify.ChosenIn(interface);

  Operation<FilesCommand> repair(
      files, "repair",
      "Count anew, make commits anew, and take damaged content away, for clients to send it again");
  repair.ShowsProgress();
  repair.command
      ->add_option("--library", repair.As(FilesVerify{.repair = true}).library,
                   "Only this one, by its id")
      ->type_name("ID");
  repair.ChosenIn(interface);
}

void AddCollect(Interface& interface, CLI::App& files) {
  Operation<FilesCommand> collect(files, "gc", "Remove what no state of a library names any more");
  collect.ShowsProgress();
  FilesCollect& asked = collect.As(FilesCollect{});
  collect.command->add_flag("--dry-run", asked.dry_run, "Only tell what would go");
  collect.command
      ->add_option(
          "--grace-hours", asked.grace_hours,
          "How long a client may rely on content that it was told is there, instead of 24; "
          "0 makes clients that upload just now begin anew")
      ->type_name("NUMBER")
      ->check(CLI::Range(0, 24 * 365));
  collect.ChosenIn(interface);
}

void AddExport(Interface& interface, CLI::App& files) {
  Operation<FilesCommand> exports(files, "export", "Write a library as plain files to a folder");
  exports.ShowsProgress();
  FilesExport& asked = exports.As(FilesExport{});
  exports.command->add_option("library", asked.library, "Which one, by its id")
      ->type_name("ID")
      ->required();
  exports.command->add_option("folder", asked.folder, "Folder to make; an empty one is taken, too")
      ->type_name("FOLDER")
      ->required();
  exports.command
      ->add_option("--commit", asked.commit, "As it was with this commit, instead of now")
      ->type_name("ID");
  exports.command
      ->add_option("--password-file", asked.password_file,
                   "File with the password of an encrypted library; - is standard input")
      ->type_name("FILE");
  exports.ChosenIn(interface);
}

/// A command about somebody's unfinished uploads, while its words are being read.
struct UploadsQuestion : ApiOperation<UploadsCommand> {
  UploadsQuestion(CLI::App& parent, std::string name, std::string description)
      : ApiOperation(parent, std::move(name), std::move(description)) {
    command
        ->add_option("--user", chosen->user,
                     "Whose uploads, by e-mail address or id; a token says it by itself")
        ->type_name("PERSON")
        ->excludes("--server");
  }
};

void AddUploads(Interface& interface, CLI::App& files) {
  CLI::App* uploads = files.add_subcommand("uploads", "Look after files that arrived in part");
  UploadsQuestion list(*uploads, "list", "List them, the one that has not gone on longest first");
  list.As(UploadsList{});
  list.ChosenIn(interface);

  UploadsQuestion remove(*uploads, "remove", "Give one up");
  remove.Takes("id", remove.As(UploadsRemove{}).id, "Id of the upload");
  remove.ChosenIn(interface);
}

}  // namespace

void AddFilesCommands(Interface& interface) {
  CLI::App* files = interface.root.add_subcommand("files", "Look after libraries of files");
  AddVerify(interface, *files);
  AddCollect(interface, *files);
  AddExport(interface, *files);
  AddUploads(interface, *files);

  CLI::App* blobs = interface.root.add_subcommand("blobs", "Look after the content of files");
  Operation<FilesCommand> verify(*blobs, "verify", "Read all content and tell what is damaged");
  verify.ShowsProgress();
  verify.command->add_flag("--repair", verify.As(BlobsVerify{}).repair,
                           "Set aside what is damaged, so that it can be sent again");
  verify.ChosenIn(interface);

  Operation<FilesCommand> stats(*blobs, "stats", "Print figures about the content of files");
  stats.As(BlobsStats{});
  stats.ChosenIn(interface);
}

}  // namespace atrium::app
