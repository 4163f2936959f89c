// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/resolver.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/ip_network.h"
#include "base/result.h"
#include "egress/socket_address.h"

namespace atrium::egress {
namespace {

/// Shared by the asking thread and the one that looks up; the last of the two frees it.
struct Lookup {
  explicit Lookup(std::string name) : host(std::move(name)) {}

  const std::string host;
  std::mutex mutex;
  std::condition_variable answered;
  // Guarded by mutex.
  bool done = false;
  Result<std::vector<IpAddress>> answer;
};

std::atomic<int>& LookupsUnderWay() {
  static std::atomic<int> count{0};
  return count;
}

Result<std::vector<IpAddress>> AskSystem(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (const int code = getaddrinfo(host.c_str(), nullptr, &hints, &list); code != 0) {
    return Fail(ErrorCode::kUnavailable,
                "the host " + host + " was not found: " + gai_strerror(code));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(list, freeaddrinfo);
  std::vector<IpAddress> addresses;
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    const auto address = AddressOf(*entry->ai_addr);
    if (address && std::ranges::find(addresses, *address) == addresses.end()) {
      addresses.push_back(*address);
    }
  }
  if (addresses.empty()) {
    return Fail(ErrorCode::kUnavailable, "the host " + host + " has no address");
  }
  return addresses;
}

void Run(Lookup& lookup) {
  auto answer = AskSystem(lookup.host);
  {
    const std::scoped_lock lock(lookup.mutex);
    lookup.answer = std::move(answer);
    lookup.done = true;
  }
  lookup.answered.notify_one();
  LookupsUnderWay().fetch_sub(1);
}

Result<void> StartThread(const std::shared_ptr<Lookup>& lookup) {
  if (LookupsUnderWay().fetch_add(1) >= SystemResolver::kLookupsMax) {
    LookupsUnderWay().fetch_sub(1);
    return Fail(ErrorCode::kUnavailable, "too many host names are being looked up");
  }
  try {
    std::thread([lookup] { Run(*lookup); }).detach();
  } catch (const std::system_error& error) {
    LookupsUnderWay().fetch_sub(1);
    return FailPrivately(ErrorCode::kUnavailable,
                         std::string("no thread to look up a host name: ") + error.what());
  }
  return {};
}

}  // namespace

Result<std::vector<IpAddress>> SystemResolver::Resolve(const std::string& host,
                                                       std::chrono::milliseconds timeout) {
  const auto lookup = std::make_shared<Lookup>(host);
  RETURN_IF_ERROR(StartThread(lookup));
  std::unique_lock lock(lookup->mutex);
  if (!lookup->answered.wait_for(lock, timeout, [&] { return lookup->done; })) {
    return Fail(ErrorCode::kUnavailable, "the host " + host + " was not found in time");
  }
  return lookup->answer;
}

}  // namespace atrium::egress
