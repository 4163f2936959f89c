// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <variant>

#include "base/check.h"
#include "base/error.h"
#include "base/result.h"
#include "base/utf8.h"
#include "files/names.h"
#include "files/objects.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {
namespace {

using files::Directory;
using files::Dirent;
using files::FileObject;
using files::FsObject;

void CheckRefusal(const Error& error) {
  Check(error.code == ErrorCode::kInvalidArgument, "a bad object is an invalid argument");
  Check(IsValidUtf8(error.client_message), "the mistake can be sent to a client");
}

void CheckDirectory(const Directory& directory) {
  const Dirent* above = nullptr;
  for (const Dirent& entry : directory.Entries()) {
    Check(files::CheckName(entry.name).has_value(), "names are valid");
    Check(above == nullptr || entry.name < above->name, "names descend, each once");
    Check(directory.Find(entry.name) == &entry, "each name is found");
    Check(entry.size >= 0 && (!entry.IsDirectory() || entry.modifier.empty()),
          "sizes are sizes, and folders have no modifier");
    above = &entry;
  }
  const std::string text = Render(directory);
  const Result<Directory> back = files::ParseDirectory(text);
  Check(back && *back == directory && Render(*back) == text, "a directory reads back");
  Check(IsZero(ObjectIdOf(directory)) == directory.empty(), "only what is empty has no id");
}

void CheckFile(const FileObject& file) {
  Check(file.size == 0 || !file.blocks.empty(), "content is somewhere");
  const std::string text = Render(file);
  const Result<FileObject> back = files::ParseFile(text);
  Check(back && *back == file && Render(*back) == text, "a file reads back");
}

}  // namespace

void TryInput(std::string_view input) {
  const Result<FsObject> object = files::ParseObject(input);
  if (!object) {
    return CheckRefusal(object.error());
  }
  Check(IsValidUtf8(input), "what was accepted is UTF-8");
  if (const auto* directory = std::get_if<Directory>(&*object)) {
    CheckDirectory(*directory);
  } else {
    CheckFile(std::get<FileObject>(*object));
  }
}

}  // namespace atrium::fuzz
