#include "program/agreement.hpp"

#include <fmt/format.h>

#include "program/members.hpp"
#include "program/operation_text.hpp"

namespace orrery::core {

std::string disagreement(const RankRequest& one, const RankRequest& other,
                         const std::vector<Communicator>& communicators) {
  const CollectiveRequest &a = one.request, &b = other.request;
  const Communicator &of_a = communicators[a.communicator], &of_b = communicators[b.communicator];
  const bool has_size = a.kind != CollectiveKind::barrier;
  const bool has_root = has_size && !is_symmetric(a.kind);
  if (a.kind == b.kind && (!has_size || a.size == b.size) &&
      (!has_root || member_at(a.root, one.rank, a, of_a) == member_at(b.root, other.rank, b, of_b)))
    return {};
  return fmt::format("is {}, where rank {} has {}", described(a, one.rank, of_a), other.rank.value(),
                     described(b, other.rank, of_b));
}

}  // namespace orrery::core
