// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "mail/records.h"
#include "store/collection.h"
#include "store/row.h"
#include "store/table.h"

namespace atrium::mail {

/// Each letter in a partition of its own, named by its id.
inline constexpr store::Table kOutgoing{.number = 70, .name = "outgoing_mail"};

/// Letters that wait, by when they are due.
inline constexpr store::Table kOutgoingDue{
    .number = 71, .name = "outgoing_mail_due", .kind = store::TableKind::kDerived};

/// Letters that nobody would take, newest first.
inline constexpr store::Table kOutgoingDead{
    .number = 72, .name = "outgoing_mail_dead", .kind = store::TableKind::kDerived};

/// Grows with each letter that is queued; says nothing but that. Only there to be watched.
inline constexpr store::Table kOutgoingAdded{
    .number = 73, .name = "outgoing_mail_added", .kind = store::TableKind::kLog};
inline constexpr std::string_view kAddedTopic = "mail";

/// The tables that Outgoing() does not name, for the schema of the whole program.
inline constexpr std::array<const store::Table*, 1> kTables{&kOutgoingAdded};

/// The partitions of the two indexes.
inline constexpr std::string_view kDuePartition = "due";
inline constexpr std::string_view kDeadPartition = "dead";

const store::Collection<OutgoingMail>& Outgoing();

/// Behind every letter that is due at `now`, and before all others.
std::string DueEnd(Instant now);

}  // namespace atrium::mail
