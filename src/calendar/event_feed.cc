// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/event_feed.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "calendar/calendars.h"
#include "calendar/event_ids.h"
#include "calendar/keys.h"
#include "store/epoch.h"

namespace atrium::calendar {
namespace {

using Piece = Result<std::optional<std::string>>;
using Wake = http::EventSource::Wake;

/// As much as one piece of a stream holds; a slow listener takes them piece by piece.
constexpr std::size_t kEventsPerPiece = 100;
constexpr std::size_t kPieceBytes = std::size_t{64} << 10U;

constexpr std::string_view kGap =
    R"({"reason":"event_history_gap",)"
    R"("message":"Some changes are no longer known one by one. Load everything anew."})";

/// A topic that is followed, and how far.
struct Followed {
  std::unique_ptr<EventTail::Ear> ear{};
  std::uint64_t after = 0;
  /// Of calendars: CalendarTag().
  std::string tag{};

  bool MayHaveMore() const { return ear->Tail().MayHaveMore(after); }
  Result<LivePage> Read() const { return ear->Tail().Read(after, kEventsPerPiece); }
};

Result<Followed> Listen(EventTails& tails, const std::string& topic, const Wake& wake) {
  ASSIGN_OR_RETURN(std::shared_ptr<EventTail> tail, tails.Find(topic));
  return Followed{.ear = std::make_unique<EventTail::Ear>(std::move(tail), wake)};
}

Result<std::string> LoadEpochTag(EventTails& tails) {
  ASSIGN_OR_RETURN(const auto epoch, store::FindEpoch(tails.GetStore(), tails.Terms()));
  return EpochTag(epoch.value_or(store::Epoch{}));
}

Result<bool> IsMember(EventTails& tails, const CalendarId& calendar, const UserId& user) {
  ASSIGN_OR_RETURN(const auto member, store::Find(tails.GetStore(), tails.Terms(), Members(),
                                                  MemberKey(calendar, user)));
  return member && member->record.status == MemberStatus::kActive;
}

void AppendId(std::string& text, std::string_view id) {
  text.append("id: ").append(id).append("\n");
}

std::string IdAlone(std::string_view id) {
  std::string text;
  AppendId(text, id);
  return text + "\n";
}

std::string RefreshRequired(std::string_view id) {
  return http::RenderEvent(id, "refresh_required", kGap);
}

bool TellsOf(const LiveEvent& event, const UserId& user) {
  return event.turn && event.turn->user == user;
}

class OneCalendar final : public http::EventSource {
 public:
  OneCalendar(std::shared_ptr<EventTails> tails, EventRequest request, const CalendarId& calendar)
      : tails_(std::move(tails)), request_(std::move(request)), calendar_(calendar) {}

  Piece Next(const Wake& wake) override {
    if (!followed_.ear) {
      return Begin(wake);
    }
    if (ended_) {
      return std::nullopt;
    }
    if (!followed_.MayHaveMore()) {
      return "";
    }
    ASSIGN_OR_RETURN(const LivePage page, followed_.Read());
    if (page.refresh_required) {
      followed_.after = page.last;
      return RefreshRequired(Id());
    }
    ASSIGN_OR_RETURN(std::string text, Render(page));
    if (ended_ || followed_.after < page.last) {
      wake();
    }
    return text;
  }

 private:
  Piece Begin(const Wake& wake) {
    ASSIGN_OR_RETURN(epoch_tag_, LoadEpochTag(*tails_));
    ASSIGN_OR_RETURN(followed_, Listen(*tails_, TopicOf(calendar_), wake));
    wake();
    if (request_.last_event_id) {
      if (const auto after = ParseEventId(*request_.last_event_id, epoch_tag_)) {
        followed_.after = *after;
        return "";
      }
    }
    ASSIGN_OR_RETURN(followed_.after, followed_.ear->Tail().Last());
    return request_.last_event_id ? RefreshRequired(Id()) : IdAlone(Id());
  }

  Result<std::string> Render(const LivePage& page) {
    std::string text;
    for (const auto& event : page.events) {
      if (ended_ || text.size() >= kPieceBytes) {
        break;
      }
      followed_.after = event->number;
      AppendId(text, Id());
      text += event->wire;
      // Who was removed and has come back since is told of both.
      if (TellsOf(*event, request_.user) && !event->turn->is_active) {
        ASSIGN_OR_RETURN(const bool is_member, IsMember(*tails_, calendar_, request_.user));
        ended_ = !is_member;
      }
    }
    return text;
  }

  std::string Id() const { return RenderEventId(epoch_tag_, followed_.after); }

  const std::shared_ptr<EventTails> tails_;
  const EventRequest request_;
  const CalendarId calendar_;
  std::string epoch_tag_;
  Followed followed_;
  bool ended_ = false;
};

/// The log of the person's memberships says which calendars are followed, and is read before them.
/// It alone tells of the person's own part; the same change in the log of the calendar is left out.
class AllCalendars final : public http::EventSource {
 public:
  AllCalendars(std::shared_ptr<EventTails> tails, EventRequest request)
      : tails_(std::move(tails)), request_(std::move(request)) {}

  Piece Next(const Wake& wake) override {
    if (!own_.ear) {
      return Begin(wake);
    }
    if (own_.MayHaveMore()) {
      wake();
      return TellOwn(wake);
    }
    std::string text;
    // Round and round, so that a busy calendar does not keep others waiting.
    for (std::size_t i = 0; i < calendars_.size() && text.size() < kPieceBytes; ++i) {
      auto at = calendars_.upper_bound(last_told_);
      at = at == calendars_.end() ? calendars_.begin() : at;
      last_told_ = at->first;
      if (at->second.MayHaveMore()) {
        RETURN_IF_ERROR(Tell(at->first, at->second, text));
      }
    }
    if (!text.empty()) {
      wake();
    }
    return text;
  }

 private:
  Piece Begin(const Wake& wake) {
    ASSIGN_OR_RETURN(epoch_tag_, LoadEpochTag(*tails_));
    // The log of memberships before the memberships: what happens in between is told, not missed.
    ASSIGN_OR_RETURN(own_, Listen(*tails_, TopicOf(request_.user), wake));
    ASSIGN_OR_RETURN(own_.after, own_.ear->Tail().Last());
    wake();
    std::optional<ManyPositions> seen;
    if (request_.last_event_id) {
      seen = ParseManyEventId(*request_.last_event_id, epoch_tag_);
    }
    RETURN_IF_ERROR(FollowMemberships(wake, seen));
    if (seen) {
      own_.after = seen->own;
      return "";
    }
    return request_.last_event_id ? RefreshRequired(Id()) : IdAlone(Id());
  }

  /// Follows what the user is active in now, and nothing else.
  Result<void> FollowMemberships(const Wake& wake, const std::optional<ManyPositions>& seen) {
    const std::string partition = PartitionOf(request_.user);
    ASSIGN_OR_RETURN(const auto page, store::List<Membership>(tails_->GetStore(), tails_->Terms(),
                                                              {.table = &kCalendarsByUser,
                                                               .partition = partition,
                                                               .limit = kCalendarsOfOne}));
    std::map<CalendarId, Followed> former = std::exchange(calendars_, {});
    for (const store::Stored<Membership>& member : page.records) {
      const CalendarId& calendar = member.record.calendar_id;
      if (member.record.status != MemberStatus::kActive) {
        continue;
      }
      if (auto kept = former.extract(calendar)) {
        calendars_.insert(std::move(kept));
      } else {
        RETURN_IF_ERROR(Join(calendar, wake, seen));
      }
    }
    return {};
  }

  /// From where the listener was; or from where the membership began, when that was while the
  /// listener was away; or from now on.
  Result<void> Join(const CalendarId& calendar, const Wake& wake,
                    const std::optional<ManyPositions>& seen) {
    ASSIGN_OR_RETURN(Followed followed, Listen(*tails_, TopicOf(calendar), wake));
    followed.tag = CalendarTag(calendar);
    ASSIGN_OR_RETURN(followed.after, PositionIn(followed, seen));
    calendars_.insert_or_assign(calendar, std::move(followed));
    return {};
  }

  Result<std::uint64_t> PositionIn(const Followed& followed,
                                   const std::optional<ManyPositions>& seen) const {
    if (!seen) {
      return followed.ear->Tail().Last();
    }
    const auto known = seen->calendars.find(followed.tag);
    return known != seen->calendars.end() ? known->second : BeginningOf(followed.ear->Tail());
  }

  /// Where the user's membership began, when that is among the newest changes; else the newest. Who
  /// has made the calendar is told that too.
  Result<std::uint64_t> BeginningOf(EventTail& tail) const {
    ASSIGN_OR_RETURN(const std::uint64_t last, tail.Last());
    ASSIGN_OR_RETURN(
        const LivePage page,
        tail.Read(last > kEventsPerPiece ? last - kEventsPerPiece : 0, kEventsPerPiece));
    for (std::size_t i = page.events.size(); i > 0; --i) {
      const LiveEvent& event = *page.events[i - 1];
      if (TellsOf(event, request_.user) && event.turn->is_active) {
        const bool is_maker = i > 1 && page.events[i - 2]->name == "calendar_added";
        return event.number - (is_maker ? 2 : 0);
      }
    }
    return page.refresh_required ? page.last : last;
  }

  Piece TellOwn(const Wake& wake) {
    ASSIGN_OR_RETURN(const LivePage page, own_.Read());
    if (page.refresh_required) {
      own_.after = page.last;
      RETURN_IF_ERROR(FollowMemberships(wake, ManyPositions{}));
      return RefreshRequired(Id());
    }
    std::string text;
    for (const auto& event : page.events) {
      // First, so that the id of the event knows the calendar that it tells of.
      RETURN_IF_ERROR(Turn(*event, wake));
      own_.after = event->number;
      AppendId(text, Id());
      text += event->wire;
    }
    return text;
  }

  Result<void> Turn(const LiveEvent& event, const Wake& wake) {
    if (!event.turn) {
      return {};
    }
    if (!event.turn->is_active) {
      calendars_.erase(event.turn->calendar);
      return {};
    }
    return calendars_.contains(event.turn->calendar)
               ? Result<void>()
               : Join(event.turn->calendar, wake, ManyPositions{});
  }

  Result<void> Tell(const CalendarId& calendar, Followed& followed, std::string& text) {
    ASSIGN_OR_RETURN(const LivePage page, followed.Read());
    if (page.refresh_required) {
      followed.after = page.last;
      text += RefreshRequired(Id());
      return {};
    }
    for (const auto& event : page.events) {
      if (text.size() >= kPieceBytes) {
        break;
      }
      const bool is_own = TellsOf(*event, request_.user);
      if (is_own && !event->turn->is_active) {
        ASSIGN_OR_RETURN(const bool is_member, IsMember(*tails_, calendar, request_.user));
        if (!is_member) {
          break;  // What comes behind is not for them. Their own log says so in a moment.
        }
      }
      followed.after = event->number;
      if (!is_own) {
        AppendId(text, Id());
        text += event->wire;
      }
    }
    return {};
  }

  std::string Id() const {
    ManyEventId id(epoch_tag_, own_.after);
    for (const auto& [calendar, followed] : calendars_) {
      id.Add(followed.tag, followed.after);
    }
    return id.Text();
  }

  const std::shared_ptr<EventTails> tails_;
  const EventRequest request_;
  std::string epoch_tag_;
  Followed own_;
  std::map<CalendarId, Followed> calendars_;
  CalendarId last_told_;
};

}  // namespace

std::unique_ptr<http::EventSource> FollowCalendar(std::shared_ptr<EventTails> tails,
                                                  EventRequest request,
                                                  const CalendarId& calendar) {
  return std::make_unique<OneCalendar>(std::move(tails), std::move(request), calendar);
}

std::unique_ptr<http::EventSource> FollowAllCalendars(std::shared_ptr<EventTails> tails,
                                                      EventRequest request) {
  return std::make_unique<AllCalendars>(std::move(tails), std::move(request));
}

}  // namespace atrium::calendar
