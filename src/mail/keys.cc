// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/keys.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "mail/records.h"
#include "store/collection.h"
#include "store/key_bytes.h"
#include "store/row.h"

namespace atrium::mail {
namespace {

store::Key OutgoingKey(const OutgoingMail& mail) {
  return {.partition = mail.id, .sort = {}};
}

std::vector<store::Key> DueKeys(const OutgoingMail& mail) {
  if (mail.dead_at) {
    return {};
  }
  return {{.partition = std::string(kDuePartition),
           .sort = store::KeyBytes().Time(mail.due_at).Raw(mail.id).Take()}};
}

std::vector<store::Key> DeadKeys(const OutgoingMail& mail) {
  if (!mail.dead_at) {
    return {};
  }
  return {{.partition = std::string(kDeadPartition),
           .sort = store::KeyBytes().Descending(*mail.dead_at).Raw(mail.id).Take()}};
}

}  // namespace

const store::Collection<OutgoingMail>& Outgoing() {
  static const store::Collection<OutgoingMail> outgoing({
      .table = &kOutgoing,
      .key = OutgoingKey,
      .lists = {{.table = &kOutgoingDue, .projection = store::Projection::kKey, .keys = DueKeys},
                {.table = &kOutgoingDead,
                 .projection = store::Projection::kDocument,
                 .keys = DeadKeys}},
      .expires_at = [](const OutgoingMail& mail) { return mail.gone_at; },
  });
  return outgoing;
}

std::string DueEnd(Instant now) {
  return store::KeyBytes().Time(now + std::chrono::milliseconds{1}).Take();
}

}  // namespace atrium::mail
