// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab_routes.h"

namespace atrium::lab {
namespace {

using http::Anyone;
using http::Method;
using http::Reply;
using http::Request;
using http::Work;

/// Lines "0\n1\n2\n...", in pieces; past `fails_at` it breaks.
class CountingSource final : public http::BodySource {
 public:
  CountingSource(std::uint64_t lines, std::uint64_t fails_at)
      : lines_(lines), fails_at_(fails_at) {}

  Result<std::optional<std::string>> Next() override {
    if (next_ >= fails_at_) {
      return FailPrivately(ErrorCode::kUnavailable, "the source ran dry");
    }
    if (next_ == lines_) {
      return std::nullopt;
    }
    std::string piece;
    while (next_ < lines_ && next_ < fails_at_ && piece.size() < 4096) {
      piece.append(std::to_string(next_++)).append("\n");
    }
    return piece;
  }

 private:
  const std::uint64_t lines_;
  const std::uint64_t fails_at_;
  std::uint64_t next_ = 0;
};

/// Letters of the alphabet, over and over. Knows its length, and can give a part of it; gives
/// another number of bytes when told to, against its word.
class AlphabetSource final : public http::BodySource {
 public:
  struct Bytes {
    std::uint64_t promised = 0;
    std::uint64_t given = 0;
  };

  explicit AlphabetSource(const Bytes& bytes) : promised_(bytes.promised), end_(bytes.given) {}

  Result<std::optional<std::string>> Next() override {
    if (next_ >= end_) {
      return std::nullopt;
    }
    std::string piece;
    for (; next_ < end_ && piece.size() < 4096; ++next_) {
      piece.push_back(static_cast<char>('a' + next_ % 26));
    }
    return piece;
  }

  std::optional<std::uint64_t> Length() const override { return promised_; }

  bool Narrow(const http::ByteRange& part) override {
    next_ = part.first;
    end_ = part.last + 1;
    return true;
  }

 private:
  const std::uint64_t promised_;
  std::uint64_t next_ = 0;
  std::uint64_t end_;
};

/// What was said so far, and who wants to hear more.
class Board {
 public:
  void Say(std::string text) {
    std::vector<http::EventSource::Wake> listeners;
    {
      const std::lock_guard lock(mutex_);
      said_.push_back(std::move(text));
      std::swap(listeners, listeners_);
    }
    for (const auto& wake : listeners) {
      wake();
    }
  }

  /// The events from `first` on; when there are none, `wake` is called with the next.
  std::string ReadOrWait(std::size_t& first, const http::EventSource::Wake& wake) {
    const std::lock_guard lock(mutex_);
    std::string events;
    for (; first < said_.size(); ++first) {
      events += http::RenderEvent(std::to_string(first + 1), "said", said_[first]);
    }
    if (events.empty()) {
      listeners_.push_back(wake);
    }
    return events;
  }

 private:
  std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<std::string> said_;
  std::vector<http::EventSource::Wake> listeners_;
};

class BoardReader final : public http::EventSource {
 public:
  BoardReader(Board& board, std::size_t first) : board_(board), first_(first) {}

  Result<std::optional<std::string>> Next(const Wake& wake) override {
    return board_.ReadOrWait(first_, wake);
  }

 private:
  Board& board_;
  std::size_t first_;
};

Board& TheBoard() {
  static Board board;
  return board;
}

void AddAlphabets(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/lab/alphabet/{bytes}",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "A body made while it is sent, of known length"},
             [](const Request&, std::uint64_t bytes) -> Result<Reply> {
               return Reply{.content_type = "text/plain",
                            .body = std::make_unique<AlphabetSource>(
                                AlphabetSource::Bytes{.promised = bytes, .given = bytes})};
             });
  router.Add({.method = Method::kGet,
              .path = "/lab/alphabet/{promised}/{given}",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "A body that does not keep its word"},
             [](const Request&, std::uint64_t promised, std::uint64_t given) -> Result<Reply> {
               return Reply{.content_type = "text/plain",
                            .body = std::make_unique<AlphabetSource>(
                                AlphabetSource::Bytes{.promised = promised, .given = given})};
             });
}

}  // namespace

void AddStreams(http::Router& router) {
  AddAlphabets(router);
  router.Add({.method = Method::kGet,
              .path = "/lab/count/{lines}",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "A body made while it is sent"},
             [](const Request&, std::uint64_t lines) -> Result<Reply> {
               return Reply{.content_type = "text/plain",
                            .body = std::make_unique<CountingSource>(lines, UINT64_MAX)};
             });
  router.Add({.method = Method::kGet,
              .path = "/lab/count/{lines}/broken",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "A body that cannot be finished"},
             [](const Request&, std::uint64_t lines) -> Result<Reply> {
               return Reply{.content_type = "text/plain",
                            .body = std::make_unique<CountingSource>(lines, lines / 2)};
             });
  router.Add({.method = Method::kGet,
              .path = "/lab/events",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "What is said on the board, live",
              .gives = http::Gives::kStream},
             [](const Request& request) -> Result<Reply> {
               const std::string last(request.headers.Get("Last-Event-ID"));
               const std::size_t first = std::strtoull(last.c_str(), nullptr, 10);
               return Reply{.content_type = "text/event-stream",
                            .body = std::make_unique<BoardReader>(TheBoard(), first)};
             });
  router.Add({.method = Method::kPost,
              .path = "/lab/events",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "Says something on the board",
              .body_bytes_max = 4096},
             [](const Request& request) -> Result<Reply> {
               TheBoard().Say(std::string(request.body));
               return http::EmptyReply();
             });
  // The file is named by the environment, never by the request.
  router.Add({.method = Method::kGet,
              .path = "/lab/file",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "A file from the disk"},
             [](const Request&) -> Result<Reply> {
               const char* path = std::getenv("LAB_FILE");
               ASSIGN_OR_RETURN(http::FileSlice file, http::OpenFile(path != nullptr ? path : ""));
               Reply reply{.content_type = "application/octet-stream", .body = std::move(file)};
               ASSIGN_OR_RETURN(reply.etag, http::ETag::Strong("file"));
               return reply;
             });
}

}  // namespace atrium::lab
