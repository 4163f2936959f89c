// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "app/program.h"
#include "lab_routes.h"

int main(int count, char** words) {
  return atrium::app::RunProgram(std::vector<std::string>(words + 1, words + count),
                                 atrium::lab::AddRoutes);
}
