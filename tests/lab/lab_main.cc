// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "app/program.h"
#include "lab_identity.h"
#include "lab_notes.h"
#include "lab_routes.h"

int main(int count, char** words) {
  return atrium::app::RunProgram(std::vector<std::string>(words + 1, words + count),
                                 {.add_routes = atrium::lab::AddRoutes,
                                  .add_room =
                                      [](atrium::api::Api& api, atrium::identity::Identity& room) {
                                        atrium::lab::AddNotes(api);
                                        atrium::lab::AddIdentityRoutes(api, room);
                                      },
                                  .collections = {&atrium::lab::NoteCollection()}});
}
