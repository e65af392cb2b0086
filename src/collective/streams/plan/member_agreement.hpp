// Checks that all members of a collective mean the same one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

class MemberAgreement {
 public:
  // Keeps a reference.
  explicit MemberAgreement(const std::vector<Communicator>& communicators) : communicators_(communicators) {}

  // A rank begins a collective, having begun `before` streams or collectives in its group. Returns why it
  // cannot: members do not agree, so that their messages would miss each other, and not every such case
  // stalls. Returns nothing where they do agree.
  std::string begin(RankId rank, const CollectiveRequest& request, std::uint64_t before);

 private:
  // The request of the first member to begin.
  struct Begun {
    RankId rank;
    CollectiveRequest request;
    std::uint64_t members_left;
  };

  const std::vector<Communicator>& communicators_;
  // Collectives that only some of their members have begun, by tag base, number of streams or collectives
  // before, and first member.
  std::map<std::tuple<std::uint64_t, std::uint64_t, int>, Begun> begun_;
};

}  // namespace orrery::core
