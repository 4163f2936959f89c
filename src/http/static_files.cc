// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/static_files.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "http/encoding_choice.h"

namespace atrium::http {
namespace {

constexpr std::string_view kPagePolicy =
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'";

std::string_view BytesOf(const StaticFile& file, ContentEncoding encoding) {
  switch (encoding) {
    case ContentEncoding::kBrotli:
      return file.brotli;
    case ContentEncoding::kGzip:
      return file.gzip;
    case ContentEncoding::kIdentity:
      return file.plain;
  }
  return file.plain;
}

ContentEncoding Choose(const StaticFile& file, const Request& request) {
  std::vector<ContentEncoding> available;
  for (const ContentEncoding encoding : {ContentEncoding::kBrotli, ContentEncoding::kGzip}) {
    if (!BytesOf(file, encoding).empty()) {
      available.push_back(encoding);
    }
  }
  available.push_back(ContentEncoding::kIdentity);
  return ChooseEncoding(request.headers.Find("Accept-Encoding"), available)
      .value_or(ContentEncoding::kIdentity);
}

}  // namespace

Result<Reply> ServeStatic(std::span<const StaticFile> files, const Request& request,
                          std::string_view path) {
  const auto file = std::ranges::find(files, path, &StaticFile::path);
  if (file == files.end()) {
    return Fail(ErrorCode::kNotFound, "there is nothing at this address");
  }
  const ContentEncoding encoding = Choose(*file, request);
  // Each encoding is another sequence of bytes and so needs another tag.
  std::string tag = std::string(file->hash.substr(0, 32)) + "-" + std::string(Name(encoding));
  ASSIGN_OR_RETURN(ETag etag, ETag::Strong(std::move(tag)));
  Reply reply{.content_type = file->content_type,
              .body = StaticBytes{BytesOf(*file, encoding)},
              .etag = std::move(etag),
              .cache_control = file->path.starts_with("assets/")
                                   ? "public, max-age=31536000, immutable"
                                   : "no-cache",
              .content_security_policy = kPagePolicy};
  reply.headers.emplace_back("Vary", "Accept-Encoding");
  if (encoding != ContentEncoding::kIdentity) {
    reply.headers.emplace_back("Content-Encoding", std::string(Name(encoding)));
  }
  return reply;
}

}  // namespace atrium::http
