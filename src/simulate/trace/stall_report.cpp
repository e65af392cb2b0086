#include "simulate/trace/stall_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace orrery {

namespace {

constexpr std::uint64_t first_tag_of_streams = 500'000'000;

using Waits = std::map<std::uint32_t, std::set<std::uint32_t>>;  // of a rank for others

class StallReport {
 public:
  StallReport(const TraceExecutor& executor, const StreamEngine& collectives, const Messenger& messenger)
      : executor_(executor), collectives_(collectives) {
    for (const Messenger::Unmatched& one : messenger.unmatched())
      if (one.key.tag < first_tag_of_streams) unmatched_.push_back(one);
  }

  std::vector<std::string> lines() {
    report_sizes();
    report_messages();
    report_absent_members();
    report_circle();
    for (std::string& line : executor_.waiting()) lines_.push_back(std::move(line));
    return std::move(lines_);
  }

 private:
  // A send and a receive that agree in everything else.
  void report_sizes() {
    for (const auto& send : unmatched_) {
      if (!send.is_send) continue;
      for (const auto& receive : unmatched_) {
        const bool same = !receive.is_send && receive.key.source == send.key.source &&
                          receive.key.destination == send.key.destination && receive.key.tag == send.key.tag;
        if (!same) continue;
        lines_.push_back(fmt::format(
            "sizes differ: rank {} sends {} bytes to rank {} with tag {}, which receives {}", send.key.source,
            send.key.bytes.count(), send.key.destination, send.key.tag, receive.key.bytes.count()));
        explained_.insert({send.key.source, send.key.destination, send.key.tag});
      }
    }
  }

  void report_messages() {
    for (const auto& one : unmatched_) {
      const MessageKey& key = one.key;
      if (explained_.contains({key.source, key.destination, key.tag})) continue;
      const std::uint32_t other = one.is_send ? key.destination : key.source;
      if (!one.is_send) waits_[key.destination].insert(key.source);
      if (one.is_send || !executor_.has_ended(other)) continue;
      lines_.push_back(
          fmt::format("rank {} receives {} bytes from rank {} with tag {}, but rank {} has ended without "
                      "sending them",
                      key.destination, key.bytes.count(), key.source, key.tag, key.source));
    }
  }

  void report_absent_members() {
    std::set<std::pair<std::uint64_t, std::uint32_t>> reported;  // by group and absent rank
    for (const TraceExecutor::WaitingCollective& waiting : executor_.waiting_collectives()) {
      const std::uint64_t base = waiting.group ? waiting.group->tag_base : 0;
      const std::uint64_t mine = collectives_.issued_streams(waiting.rank, base);
      const auto check = [&](std::uint32_t member) {
        if (collectives_.issued_streams(member, base) >= mine) return;
        waits_[waiting.rank].insert(member);
        if (!reported.insert({base, member}).second) return;
        lines_.push_back(fmt::format(
            "a collective of {}, which rank {} has started, waits for rank {}{}",
            waiting.group ? fmt::format("group {}", waiting.group->name) : "all ranks", waiting.rank, member,
            executor_.has_ended(member) ? ", which has ended without it" : ""));
      };
      if (waiting.group) {
        for (const int member : waiting.group->members) check(static_cast<std::uint32_t>(member));
      } else {
        for (std::uint32_t member = 0; member < executor_.ranks(); ++member) check(member);
      }
    }
  }

  // Follows who waits for whom until a rank comes again.
  void report_circle() {
    for (const auto& [start, ignored] : waits_) {
      std::vector<std::uint32_t> path;
      std::uint32_t rank = start;
      while (std::find(path.begin(), path.end(), rank) == path.end()) {
        path.push_back(rank);
        const auto next = waits_.find(rank);
        if (next == waits_.end()) break;
        rank = *next->second.begin();
      }
      if (!waits_.contains(path.back())) continue;
      path.erase(path.begin(), std::find(path.begin(), path.end(), rank));
      path.push_back(rank);
      lines_.push_back(fmt::format("ranks {} wait for each other", fmt::join(path, " -> ")));
      return;
    }
  }

  const TraceExecutor& executor_;
  const StreamEngine& collectives_;
  std::vector<Messenger::Unmatched> unmatched_;  // of messages that traces name
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> explained_;
  Waits waits_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> explain_stall(const TraceExecutor& executor, const StreamEngine& collectives,
                                       const Messenger& messenger) {
  return StallReport(executor, collectives, messenger).lines();
}

}  // namespace orrery
