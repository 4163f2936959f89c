// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/resealing.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "identity/keys.h"
#include "identity/provider_list.h"
#include "identity/records.h"
#include "identity/second_factor.h"
#include "jobs/schedule.h"
#include "store/batch.h"
#include "store/engine.h"
#include "store/store.h"

namespace atrium::identity {
namespace {

/// A sealed text of a record, with what it was sealed for.
struct SealedField {
  std::string* text;
  std::string owner;
};

std::vector<SealedField> FieldsOf(UserSecrets& secrets) {
  const std::string owner = SecondFactor::SealedFor(secrets.user);
  return {{.text = &secrets.totp_secret, .owner = owner},
          {.text = &secrets.totp_pending, .owner = owner}};
}

std::vector<SealedField> FieldsOf(Provider& provider) {
  return {{.text = &provider.client_secret,
           .owner = ProviderList::SealedFor(provider.org, provider.id)}};
}

void Add(SealedTexts& sum, const SealedTexts& more) {
  sum.all += more.all;
  sum.old += more.old;
  sum.lost += more.lost;
}

/// Whether something of it was sealed anew.
template <typename T>
bool ResealRecord(const SealedBox& box, T& record) {
  bool changed = false;
  for (const SealedField& field : FieldsOf(record)) {
    if (field.text->empty() || !box.NeedsResealing(*field.text)) {
      continue;
    }
    const Result<std::string> plain = box.Open(*field.text, field.owner);
    if (!plain) {
      log::Warn("what was sealed cannot be opened", {{"owner", field.owner}});
      continue;
    }
    if (Result<std::string> sealed = box.Seal(*plain, field.owner); sealed) {
      *field.text = *std::move(sealed);
      changed = true;
    }
  }
  return changed;
}

}  // namespace

template <typename T>
SealedTexts Resealing::Look(T record) const {
  SealedTexts found;
  for (const SealedField& field : FieldsOf(record)) {
    if (field.text->empty()) {
      continue;
    }
    ++found.all;
    if (!box_.Open(*field.text, field.owner)) {
      ++found.lost;
    } else if (box_.NeedsResealing(*field.text)) {
      ++found.old;
    }
  }
  return found;
}

template <typename T, typename Visit>
Result<void> Resealing::ForEach(const store::OpContext& op, const store::Collection<T>& collection,
                                const Visit& visit) const {
  store::WalkRequest request{.table = &collection.Base()};
  do {
    std::vector<T> page;
    Result<void> outcome;
    store::FunctionSink sink([&](const store::RowView& row) {
      auto stored = store::DecodeRecord<T>(row.document, row.version);
      if (stored) {
        page.push_back(std::move(stored->record));
      } else if (outcome) {
        outcome = std::unexpected(std::move(stored).error());
      }
    });
    ASSIGN_OR_RETURN(store::WalkEnd end, ground_.store.Walk(op, request, sink));
    RETURN_IF_ERROR(outcome);
    for (const T& record : page) {
      RETURN_IF_ERROR(visit(record));
    }
    request.after = std::move(end.resume);
  } while (request.after);
  return {};
}

template <typename T>
Result<SealedTexts> Resealing::CountIn(const store::OpContext& op,
                                       const store::Collection<T>& collection) const {
  SealedTexts found;
  RETURN_IF_ERROR(ForEach(op, collection, [&](const T& record) -> Result<void> {
    Add(found, Look(record));
    return {};
  }));
  return found;
}

Result<SealedTexts> Resealing::Count(const store::OpContext& op) const {
  ASSIGN_OR_RETURN(SealedTexts found, CountIn(op, Secrets()));
  ASSIGN_OR_RETURN(const SealedTexts of_providers, CountIn(op, Providers()));
  Add(found, of_providers);
  return found;
}

template <typename T>
Result<void> Resealing::Reseal(const store::OpContext& op, const store::Collection<T>& collection,
                               const T& record) {
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto stored,
                     store::Find(ground_.store, op, collection, collection.KeyOf(record)));
    if (!stored) {
      return {};
    }
    T resealed = stored->record;
    if (!ResealRecord(box_, resealed)) {
      return {};
    }
    store::Batch batch;
    batch.Replace(collection, *stored, resealed);
    RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    return {};
  });
}

template <typename T>
Result<void> Resealing::ResealIn(jobs::JobContext& context, const store::Collection<T>& collection,
                                 SealedTexts& found) {
  return ForEach(context.Terms(), collection, [&](const T& record) -> Result<void> {
    const SealedTexts texts = Look(record);
    Add(found, texts);
    if (texts.old == 0 || context.ShouldStop()) {
      return {};
    }
    return Reseal(context.Terms(), collection, record);
  });
}

Result<SealedTexts> Resealing::Run(jobs::JobContext& context) {
  SealedTexts found;
  if (!box_.HasEarlierKeys()) {
    return found;
  }
  RETURN_IF_ERROR(ResealIn(context, Secrets(), found));
  RETURN_IF_ERROR(ResealIn(context, Providers(), found));
  if (found.old + found.lost > 0) {
    context.Report(
        fmt::format("{} of {} sealed anew, {} cannot be opened", found.old, found.all, found.lost));
  }
  return found;
}

jobs::JobSpec MakeResealJob(Resealing& resealing) {
  return {.name = std::string(kResealJob),
          .schedule = jobs::Every{.period = std::chrono::hours(1)},
          .run = [&resealing](jobs::JobContext& context) -> Result<void> {
            RETURN_IF_ERROR(resealing.Run(context));
            return {};
          }};
}

}  // namespace atrium::identity
