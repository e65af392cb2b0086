#include "simulate/slots/stall_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "program/operation_text.hpp"

namespace orrery::core {

namespace {

using Waits = std::map<RankId, std::set<RankId>>;  // the ranks that a rank waits for

class StallReport {
 public:
  StallReport(const Program& program, const SlotIssuer& issuer, const Messenger& messenger)
      : program_(program), issuer_(issuer) {
    for (const Messenger::Unmatched& one : messenger.unmatched()) {
      if (one.key.tag < trace_tags)
        unmatched_.push_back(one);
      else if (!one.is_send && one.key.tag >= handshake_tags && one.key.tag < handshake_tags + trace_tags)
        handshakes_.push_back(one.key);
    }
  }

  std::vector<std::string> lines() {
    report_sizes();
    report_messages();
    report_handshakes();
    report_different_collectives();
    report_absent_members();
    report_circle();
    return std::move(lines_);
  }

 private:
  static RankId source_of(const MessageKey& key) { return simulated_of(key.source); }
  static RankId destination_of(const MessageKey& key) { return simulated_of(key.destination); }

  // Reports a send and a receive that agree in everything but their sizes.
  void report_sizes() {
    for (const auto& send : unmatched_) {
      if (!send.is_send) continue;
      for (const auto& receive : unmatched_) {
        const bool same = !receive.is_send && receive.key.source == send.key.source &&
                          receive.key.destination == send.key.destination && receive.key.tag == send.key.tag;
        if (!same) continue;
        lines_.push_back(
            fmt::format("sizes differ: rank {} sends {} bytes to rank {} with tag {}, which receives {}",
                        source_of(send.key).value(), send.key.bytes.count(), destination_of(send.key).value(),
                        send.key.tag, receive.key.bytes.count()));
        explained_.insert({send.key.source, send.key.destination, send.key.tag});
      }
    }
  }

  void report_messages() {
    for (const auto& one : unmatched_) {
      const MessageKey& key = one.key;
      if (explained_.contains({key.source, key.destination, key.tag})) continue;
      if (one.is_send) continue;
      const RankId source = source_of(key), destination = destination_of(key);
      waits_[destination].insert(source);
      if (!issuer_.has_ended(source)) continue;
      lines_.push_back(
          fmt::format("rank {} receives {} bytes from rank {} with tag {}, but rank {} has ended without "
                      "sending them",
                      destination.value(), key.bytes.count(), source.value(), key.tag, source.value()));
    }
  }

  // Reports senders that wait until they may send.
  void report_handshakes() {
    for (const MessageKey& key : handshakes_) {
      const RankId sender = destination_of(key), receiver = source_of(key);
      waits_[sender].insert(receiver);
      if (!issuer_.has_ended(receiver)) continue;
      lines_.push_back(
          fmt::format("rank {} sends to rank {} with tag {}, but rank {} has ended without receiving that",
                      sender.value(), receiver.value(), key.tag - handshake_tags, receiver.value()));
    }
  }

  // Reports, for each group, the first two different collectives that its members take for the same one.
  void report_different_collectives() {
    using Key = std::pair<std::uint64_t, std::uint64_t>;  // tag base of the group, number
    std::map<Key, WaitingCollective> first;
    std::set<Key> reported;
    for (const WaitingCollective& one : issuer_.waiting_collectives()) {
      const Communicator& group = communicator_of(one);
      const Key key{group.tags, one.number};
      const auto [found, is_new] = first.try_emplace(key, one);
      const WaitingCollective& other = found->second;
      const CollectiveRequest &mine = *one.request, &its = *other.request;
      const bool same = mine.kind == its.kind && mine.size == its.size;
      if (same || !reported.insert(key).second) continue;
      lines_.push_back(fmt::format("collective {} of {} differs: {}, {}", one.number, name_of_group(group),
                                   description(other), description(one)));
    }
  }

  std::string description(const WaitingCollective& one) const {
    return fmt::format("{} of rank {} is {}", described(issuer_.graph_of(one.rank), one.operation),
                       one.rank.value(), described(*one.request, one.rank, communicator_of(one)));
  }

  const Communicator& communicator_of(const WaitingCollective& one) const {
    return program_.communicators[one.request->communicator];
  }

  static std::string name_of_group(const Communicator& group) {
    return group.lists_members() ? fmt::format("group {}", group.name) : "all ranks";
  }

  void report_absent_members() {
    std::set<std::pair<std::uint64_t, RankId>> reported;  // by group and absent rank
    for (const WaitingCollective& waiting : issuer_.waiting_collectives()) {
      const Communicator& group = communicator_of(waiting);
      const auto check = [&](RankId member) {
        if (issuer_.collectives_of(member, group.tags) >= waiting.number) return;
        waits_[waiting.rank].insert(member);
        if (!reported.insert({group.tags, member}).second) return;
        lines_.push_back(fmt::format("a collective of {}, which rank {} has started, waits for rank {}{}",
                                     name_of_group(group), waiting.rank.value(), member.value(),
                                     issuer_.has_ended(member) ? ", which has ended without it" : ""));
      };
      if (group.lists_members()) {
        for (const RankId member : group.members) check(member);
      } else {
        for (const RankId member : first_ids<RankId>(issuer_.ranks())) check(member);
      }
    }
  }

  // Follows who waits for whom until a rank occurs twice.
  void report_circle() {
    for (const auto& [start, ignored] : waits_) {
      std::vector<RankId> path;
      RankId rank = start;
      while (std::find(path.begin(), path.end(), rank) == path.end()) {
        path.push_back(rank);
        const auto next = waits_.find(rank);
        if (next == waits_.end()) break;
        rank = *next->second.begin();
      }
      if (!waits_.contains(path.back())) continue;
      path.erase(path.begin(), std::find(path.begin(), path.end(), rank));
      path.push_back(rank);
      std::vector<std::uint32_t> numbers;
      for (const RankId one : path) numbers.push_back(one.value());
      lines_.push_back(fmt::format("ranks {} wait for each other", fmt::join(numbers, " -> ")));
      return;
    }
  }

  const Program& program_;
  const SlotIssuer& issuer_;
  std::vector<Messenger::Unmatched> unmatched_;  // unmatched messages that programs name
  std::vector<MessageKey> handshakes_;           // handshakes that their senders wait for
  std::set<std::tuple<ClassId, ClassId, std::uint64_t>> explained_;
  Waits waits_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> explain_stall(const Program& program, const SlotIssuer& issuer,
                                       const Messenger& messenger, const CollectiveBackend& collectives) {
  std::vector<std::string> lines = StallReport(program, issuer, messenger).lines();
  std::ranges::move(waiting_lines(issuer.waiting_operations(), collectives.waiting(),
                                  [&](ClassId of_class, std::uint32_t token) {
                                    return described(issuer.graph_of(simulated_of(of_class)), token);
                                  }),
                    std::back_inserter(lines));
  return lines;
}

}  // namespace orrery::core
