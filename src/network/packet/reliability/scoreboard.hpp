// What a sender knows about every packet that has not been acknowledged in order.
//
// Every transmission has a number, as in QUIC (RFC 9002), so that a packet which is sent again can be lost
// again. A transmission is lost when others that were sent later have arrived: so many of them as it is
// allowed to be overtaken by, and so much later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>

#include "events/clock.hpp"

namespace orrery::core {

class Scoreboard {
 public:
  struct Piece {
    std::uint64_t first = 0;
    std::uint32_t bytes = 0;
    std::uint32_t transmission = 0;  // number of its last transmission
    enum class State : std::uint8_t { under_way, arrived, lost } state = State::under_way;
  };

  // Sends a piece: one that is lost, or one behind all others. Returns the number of the transmission.
  std::uint32_t send(std::uint64_t first, std::uint32_t bytes, Stamp now) {
    const std::uint32_t number = next_transmission_++;
    if (!pieces_.empty() && first < pieces_.back().first + pieces_.back().bytes) {
      Piece& piece = at(first);
      lost_.erase(first);
      missing_ -= bytes;
      piece.state = Piece::State::under_way;
      piece.transmission = number;
    } else {
      pieces_.push_back({first, bytes, number});
    }
    sendings_.push_back({first, number, now});
    return number;
  }
  // All bytes before this one have arrived.
  void acknowledge(std::uint64_t until) {
    for (; !pieces_.empty() && pieces_.front().first < until; pieces_.pop_front()) {
      const Piece& piece = pieces_.front();
      if (piece.state == Piece::State::arrived) arrived_ -= piece.bytes;
      if (piece.state == Piece::State::lost) {
        missing_ -= piece.bytes;
        lost_.erase(piece.first);
      }
    }
  }
  // Says that the piece that begins there has arrived, if it is still known.
  void arrive(std::uint64_t first) {
    if (pieces_.empty() || first < pieces_.front().first || first > pieces_.back().first) return;
    Piece& piece = at(first);
    if (piece.first != first || piece.state == Piece::State::arrived) return;
    if (piece.state == Piece::State::lost) {  // it was only late
      missing_ -= piece.bytes;
      lost_.erase(first);
    }
    piece.state = Piece::State::arrived;
    arrived_ += piece.bytes;
  }
  // This transmission has arrived, which was made at that time. Returns whether others are lost, therefore.
  [[nodiscard]] bool find_losses(std::uint32_t transmission, Stamp sent, std::uint32_t packets, Stamp later) {
    if (static_cast<std::int32_t>(transmission - newest_) > 0) {
      newest_ = transmission;
      newest_sent_ = sent;
    }
    bool any = false;
    while (!sendings_.empty()) {
      const Sending& sending = sendings_.front();
      const bool overtaken =
          static_cast<std::int32_t>(newest_ - sending.transmission) >= static_cast<std::int32_t>(packets);
      if (!overtaken || newest_sent_ - sending.at < later) break;
      any = lose(sending) || any;
      sendings_.pop_front();
    }
    return any;
  }
  // Says that this transmission is lost. Returns whether that was not known yet.
  [[nodiscard]] bool lose(std::uint32_t transmission) {
    if (sendings_.empty()) return false;
    const std::uint32_t place = transmission - sendings_.front().transmission;
    return place < sendings_.size() && lose(sendings_[place]);
  }
  // Forgets the first transmissions whose fate is known.
  void forget_known() {
    while (!sendings_.empty() && !is_under_way(sendings_.front())) sendings_.pop_front();
  }
  // Says that nothing that is under way will arrive.
  void lose_all() {
    for (const Sending& sending : sendings_) lose(sending);
    sendings_.clear();
  }

  // Returns the first piece that is lost. Null: no piece is.
  const Piece* first_lost() { return lost_.empty() ? nullptr : &at(*lost_.begin()); }
  // Returns how many of the unacknowledged bytes are not under way any more.
  std::uint64_t gone() const { return arrived_ + missing_; }

 private:
  struct Sending {
    std::uint64_t first;
    std::uint32_t transmission;
    Stamp at;
  };

  Piece& at(std::uint64_t first) { return *std::ranges::lower_bound(pieces_, first, {}, &Piece::first); }
  bool is_under_way(const Sending& sending) {
    if (pieces_.empty() || sending.first < pieces_.front().first) return false;
    const Piece& piece = at(sending.first);
    return piece.transmission == sending.transmission && piece.state == Piece::State::under_way;
  }
  bool lose(const Sending& sending) {
    if (!is_under_way(sending)) return false;
    Piece& piece = at(sending.first);
    piece.state = Piece::State::lost;
    missing_ += piece.bytes;
    lost_.insert(piece.first);
    return true;
  }

  std::deque<Piece> pieces_;                 // in ascending order
  std::deque<Sending> sendings_;             // transmissions that may be lost, in the order of their numbers
  std::set<std::uint64_t> lost_;             // first bytes of pieces
  std::uint64_t arrived_ = 0, missing_ = 0;  // bytes of pieces that have arrived, and of those that are lost
  std::uint32_t next_transmission_ = 1, newest_ = 0;
  Stamp newest_sent_ = 0;
};

}  // namespace orrery::core
