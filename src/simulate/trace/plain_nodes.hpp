// Works out before the run what most nodes ask for, so that nobody has to look into their traces on the way.
//
// A node is plain if it does nothing but take a time that it states, or is a collective of all ranks without
// a root. A node with an error is not plain either: the error counts only when the node is issued.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "simulate/trace/node_request.hpp"

namespace orrery {

class PlainNodes {
 public:
  // A time, a collective of this number, or neither: a number, so that it takes little room.
  class Asks {
   public:
    static Asks time(Time duration) { return Asks(duration.ps()); }
    static Asks collective(std::uint32_t number) { return Asks(-2 - std::int64_t{number}); }
    static Asks something_else() { return Asks(-1); }
    static Asks from_code(std::int64_t code) { return Asks(code); }

    bool is_time() const { return code_ >= 0; }
    bool is_collective() const { return code_ < -1; }
    Time time() const { return Time::from_ps(code_); }
    std::uint32_t collective() const { return static_cast<std::uint32_t>(-2 - code_); }
    std::int64_t code() const { return code_; }

   private:
    explicit Asks(std::int64_t code) : code_(code) {}
    std::int64_t code_;
  };

  // Keeps references.
  PlainNodes(const TraceMachine& machine, const NodeRequests& requests)
      : machine_(machine), requests_(requests) {}

  Asks look_at(std::uint32_t rank, std::uint32_t node);
  const StreamRequest& collective(Asks asks) const { return collectives_[asks.collective()]; }

 private:
  using Key = std::tuple<CollectiveKind, Bytes, std::uint32_t, const CustomAlgorithm*, int>;

  Asks look_at_collective(std::uint32_t rank, std::uint32_t node);

  const TraceMachine& machine_;
  const NodeRequests& requests_;
  std::vector<StreamRequest> collectives_;  // each once, up to a number
  std::map<Key, std::uint32_t> numbers_;
};

}  // namespace orrery
