// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_views.h"

#include <string_view>

#include "files/route_parts.h"

namespace atrium::files {
namespace {

/// The port of "files.example.org:8443"; empty when the host names none.
std::string_view PortOf(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  return colon == std::string_view::npos || host.ends_with(']') ? std::string_view()
                                                                : host.substr(colon + 1);
}

std::string_view UsualPort(http::Scheme scheme) {
  return scheme == http::Scheme::kHttps ? "443" : "80";
}

}  // namespace

ListedLibrary ViewOf(const Library& library, const Person& owner, Permission permission) {
  ListedLibrary view{.id = library.id,
                     .owner = owner.email,
                     .owner_name = owner.name,
                     .owner_contact_email = owner.email,
                     .name = library.name,
                     .desc = library.description,
                     .mtime = SecondsSince1970(library.updated_at),
                     .modifier_email = library.updated_by,
                     .size = library.bytes,
                     .file_count = library.files,
                     .encrypted = library.lock.has_value(),
                     .permission = std::string(PermissionWord(permission)),
                     .head_commit_id = library.head};
  if (library.lock) {
    view.salt = library.lock->salt;
    view.enc_version = library.lock->version;
    view.magic = library.lock->magic;
    view.random_key = library.lock->random_key;
  }
  return view;
}

DownloadInfo DownloadInfoOf(const http::Request& request, const Library& library,
                            const Person& person, Permission permission) {
  const std::string_view port = PortOf(request.host);
  DownloadInfo info{
      .relay_addr = std::string(request.host.substr(
          0, port.empty() ? request.host.size() : request.host.size() - port.size() - 1)),
      .relay_port = std::string(port.empty() ? UsualPort(request.scheme) : port),
      .email = person.email,
      .repo_id = library.id,
      .repo_name = library.name,
      .repo_desc = library.description,
      .repo_size = library.bytes,
      .mtime = SecondsSince1970(library.updated_at),
      .encrypted = {.value = library.lock.has_value()},
      .head_commit_id = library.head,
      .permission = std::string(PermissionWord(permission))};
  if (library.lock) {
    info.enc_version = library.lock->version;
    info.salt = library.lock->salt;
    info.magic = library.lock->magic;
    info.random_key = library.lock->random_key;
  }
  return info;
}

}  // namespace atrium::files
