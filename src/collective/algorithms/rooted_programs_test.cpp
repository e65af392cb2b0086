// Tests what the programs do, whatever time it takes: who ends up with what, and how much travels.
#include "collective/algorithms/rooted_programs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "collective/algorithms/algorithms.hpp"

namespace orrery::core::rooted_programs_test {
namespace {

using Kind = MemberProgram::Kind;
using Counts = std::vector<std::uint32_t>;  // of the contributions of each member

constexpr RootedTree trees[] = {RootedTree::chain, RootedTree::binomial, RootedTree::star};

struct Member {
  MemberProgram program;
  std::vector<std::uint32_t> missing;
  std::vector<std::uint32_t> ready;  // steps that may run
  std::size_t left = 0;
  Counts has;
  std::uint64_t sent = 0, received = 0;  // bytes
  std::uint64_t messages = 0;            // sent
};

// Runs the programs of all members; what a send carries is what its member has got by then.
class Group {
 public:
  explicit Group(const RootedPhase& phase) : members_(phase.members) {
    for (std::uint32_t p = 0; p < phase.members; ++p) {
      Member& member = members_[p];
      member.program = make_rooted_program(phase, p);
      member.missing = member.program.parents;
      member.left = member.program.steps.size();
      member.has.assign(phase.members, 0);
      member.has[p] = 1;
      for (std::uint32_t step = 0; step < member.missing.size(); ++step)
        if (member.missing[step] == 0) member.ready.push_back(step);
    }
    while (pass()) {
    }
  }

  const Member& operator[](std::uint32_t position) const { return members_[position]; }
  bool ended() const {
    return std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.left == 0; }) &&
           std::all_of(wires_.begin(), wires_.end(), [](const auto& wire) { return wire.second.empty(); });
  }
  std::uint64_t bytes() const {
    return std::accumulate(members_.begin(), members_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Member& member) { return sum + member.sent; });
  }
  std::uint64_t messages() const {
    return std::accumulate(members_.begin(), members_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Member& member) { return sum + member.messages; });
  }

 private:
  bool pass() {
    bool any = false;
    for (std::uint32_t p = 0; p < members_.size(); ++p) {
      std::vector<std::uint32_t> waiting;
      for (const std::uint32_t step : std::exchange(members_[p].ready, {})) {
        if (run(p, members_[p].program.steps[step])) {
          end(members_[p], step);
          any = true;
        } else {
          waiting.push_back(step);
        }
      }
      members_[p].ready.insert(members_[p].ready.end(), waiting.begin(), waiting.end());
    }
    return any;
  }
  bool run(std::uint32_t p, const MemberProgram::Step& step) {
    Member& member = members_[p];
    if (step.kind == Kind::send) {
      wires_[{p, step.peer, step.bytes.count()}].push_back(member.has);
      member.sent += step.bytes.count();
      ++member.messages;
    } else if (step.kind == Kind::receive) {
      auto& wire = wires_[{step.peer, p, step.bytes.count()}];
      if (wire.empty()) return false;
      for (std::size_t i = 0; i < member.has.size(); ++i) member.has[i] += wire.front()[i];
      wire.pop_front();
      member.received += step.bytes.count();
    }
    return true;
  }
  static void end(Member& member, std::uint32_t step) {
    --member.left;
    for (const std::uint32_t child : member.program.children.of(step))
      if (--member.missing[child] == 0) member.ready.push_back(child);
  }

  std::vector<Member> members_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::deque<Counts>> wires_;
};

// Calls `check` with phases of all algorithms, 2 to 17 members and some larger groups.
template <class Check>
void for_phases(CollectiveKind kind, Check check) {
  Random random(7);
  for (const RootedTree tree : trees) {
    for (std::uint32_t i = 2; i < 30; ++i) {
      RootedPhase phase;
      phase.kind = kind;
      phase.tree = tree;
      phase.members = i < 18 ? i : static_cast<std::uint32_t>(random.between(18, 130));
      phase.bytes = Bytes(static_cast<std::uint64_t>(random.between(1, 1'000'000)) * phase.members);
      phase.reduction = Time::from_ns(5);
      SCOPED_TRACE(testing::Message() << "tree " << static_cast<int>(tree) << " among " << phase.members);
      const Group group(phase);
      ASSERT_TRUE(group.ended());
      check(phase, group);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Returns how often a share crosses a link on its way between the root and its member, summed over all
// members.
std::uint64_t hops(RootedTree algorithm, std::uint32_t members) {
  std::uint64_t sum = 0;
  for (std::uint32_t p = 1; p < members; ++p) {
    switch (algorithm) {
      case RootedTree::chain:
        sum += p;
        break;
      case RootedTree::binomial:
        sum += static_cast<std::uint64_t>(std::popcount(p));
        break;
      case RootedTree::star:
        sum += 1;
        break;
    }
  }
  return sum;
}

TEST(RootedTrees, BroadcastReachesEveryMemberOnce) {
  for_phases(CollectiveKind::broadcast, [](const RootedPhase& phase, const Group& group) {
    for (std::uint32_t p = 0; p < phase.members; ++p) {
      EXPECT_EQ(group[p].has[0], 1u);
      EXPECT_EQ(group[p].received, p == 0 ? 0 : phase.bytes.count());
    }
    EXPECT_EQ(group.bytes(), (phase.members - 1) * phase.bytes.count());
  });
}

TEST(RootedTrees, ReduceBringsEveryContributionToTheRootOnce) {
  for_phases(CollectiveKind::reduce, [](const RootedPhase& phase, const Group& group) {
    EXPECT_EQ(group[0].has, Counts(phase.members, 1));
    EXPECT_EQ(group.bytes(), (phase.members - 1) * phase.bytes.count());
    // There are as many reductions as times that two operands are brought together.
    Time reductions;
    for (std::uint32_t p = 0; p < phase.members; ++p)
      for (const auto& step : group[p].program.steps) reductions += step.duration;
    EXPECT_EQ(reductions, phase.reduction * (phase.members - 1));
  });
}

TEST(RootedTrees, GatherLeavesAllContributionsAtTheRoot) {
  for_phases(CollectiveKind::gather, [](const RootedPhase& phase, const Group& group) {
    const std::uint64_t own = phase.bytes.count();
    EXPECT_EQ(group[0].has, Counts(phase.members, 1));
    EXPECT_EQ(group[0].received + own, tree_algorithm.output(phase.kind, phase.bytes, phase.members).count());
    for (std::uint32_t p = 1; p < phase.members; ++p) EXPECT_EQ(group[p].received + own, group[p].sent);
    EXPECT_EQ(group.bytes(), own * hops(phase.tree, phase.members));
  });
}

TEST(RootedTrees, ScatterLeavesAShareAtEveryMember) {
  for_phases(CollectiveKind::scatter, [](const RootedPhase& phase, const Group& group) {
    const std::uint64_t share = tree_algorithm.output(phase.kind, phase.bytes, phase.members).count();
    ASSERT_EQ(share * phase.members, phase.bytes.count());
    EXPECT_EQ(phase.bytes.count(), group[0].sent + share);
    for (std::uint32_t p = 1; p < phase.members; ++p) {
      EXPECT_EQ(group[p].received, group[p].sent + share);
      EXPECT_EQ(group[p].has[0], 1u);
    }
    EXPECT_EQ(group.bytes(), share * hops(phase.tree, phase.members));
  });
}

TEST(RootedTrees, ABarrierTellsEveryoneThatEveryoneHasEntered) {
  for_phases(CollectiveKind::barrier, [](const RootedPhase& phase, const Group& group) {
    const std::uint64_t n = phase.members;
    for (std::uint32_t p = 0; p < n; ++p)
      EXPECT_TRUE(std::all_of(group[p].has.begin(), group[p].has.end(), [](auto c) { return c > 0; }));
    EXPECT_EQ(group.messages(), phase.tree == RootedTree::chain      ? 2 * n - 1
                                : phase.tree == RootedTree::binomial ? 2 * (n - 1)
                                                                     : n * (n - 1));
    EXPECT_EQ(group.bytes(), 8 * group.messages());
  });
}

TEST(RootedTrees, PositionsThatDoAlikeShareAProgramSlow) {
  for (const auto& [word, kind] : collective_kind_words) {
    if (is_symmetric(kind)) continue;
    for_phases(kind, [](const RootedPhase& phase, const Group& group) {
      for (std::uint32_t p = 0; p < phase.members; ++p) {
        const RootedRole role = role_of(phase, p);
        const MemberProgram &own = group[p].program, &shared = group[role.position].program;
        EXPECT_EQ(own.children, shared.children);
        EXPECT_EQ(own.parents, shared.parents);
        ASSERT_EQ(own.steps.size(), shared.steps.size());
        for (std::size_t i = 0; i < own.steps.size(); ++i) {
          const auto &a = own.steps[i], &b = shared.steps[i];
          EXPECT_EQ(std::tie(a.kind, a.bytes, a.duration, a.arrived, a.reduces, a.passed_on),
                    std::tie(b.kind, b.bytes, b.duration, b.arrived, b.reduces, b.passed_on));
          if (a.kind == Kind::prepare) continue;
          EXPECT_EQ(a.peer, (role.origin + b.peer) % phase.members) << p;
        }
      }
    });
  }
}

TEST(RootedTrees, TheTreeIsTheBinomialOne) {
  const RootedPhase phase{CollectiveKind::broadcast, RootedTree::binomial, 6, Bytes(1), {}};
  const std::vector<std::vector<std::uint32_t>> children{{4, 2, 1}, {}, {3}, {}, {5}, {}};
  for (std::uint32_t p = 0; p < 6; ++p) {
    std::vector<std::uint32_t> receivers;
    for (const auto& step : make_rooted_program(phase, p).steps)
      if (step.kind == Kind::send) receivers.push_back(step.peer);
    EXPECT_EQ(receivers, children[p]) << p;
  }
}

}  // namespace
}  // namespace orrery::core::rooted_programs_test
