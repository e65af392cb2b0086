#include "collective/library/link_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "collective/library/collective_library.hpp"
#include "collective/library/library_file.hpp"
#include "collective/plan/collective_words.hpp"

namespace orrery::core::link_choice_test {
namespace {

LibraryConstants nccl() {
  return find_library_constants("nccl", {}, no_files());
}

LinkChoice choice(const std::string& text) {
  return link_of_flag(text, "--link");
}

// Half a network is no faster than the whole.
TEST(LinkChoice, ABandwidthIsLikeTheNearestClass) {
  const LibraryConstants library = nccl();
  const auto half = between_link("25 GB/s", library, {});
  EXPECT_DOUBLE_EQ(half.link.bandwidth, 25e9);
  EXPECT_EQ(half.link.efficiency, 0.96);
  EXPECT_DOUBLE_EQ(half.link.step_seconds, 90e-6);
  EXPECT_EQ(half.link.name, "25 GB/s");
  const CollectiveLibrary slow(library, {"nvlink4", "25 GB/s", 8, 0}, {});
  const CollectiveLibrary fast(library, {"nvlink4", "ib-ndr", 8, 0}, {});
  EXPECT_GT(slow.seconds(CollectiveKind::all_reduce, 1 << 26, {64, 8}),
            fast.seconds(CollectiveKind::all_reduce, 1 << 26, {64, 8}));
  ASSERT_EQ(slow.notes().size(), 1u);
  EXPECT_EQ(
      slow.notes().front().text,
      "links between nodes of 25 GB/s are like those of the nearest class, `ib-hdr`: they reach 96% of their "
      "bandwidth and a step takes 90 us; choose another class with `{ base: CLASS, bandwidth: 25 GB/s }`, "
      "where the class `ideal` has no losses");
}

// The ratio decides: 35.3 GB/s is nearer to 25 GB/s, and 35.4 GB/s is nearer to 50 GB/s. Of two classes of
// 300 GB/s the one whose wiring is not special is chosen.
TEST(LinkChoice, NearnessIsARatio) {
  const LibraryConstants library = nccl();
  EXPECT_DOUBLE_EQ(between_link("35.3 GB/s", library, {}).link.step_seconds, 90e-6);
  EXPECT_DOUBLE_EQ(between_link("35.4 GB/s", library, {}).link.step_seconds, 45.4e-6);
  EXPECT_EQ(between_link("1 MB/s", library, {}).link.efficiency, 0.9059);
  EXPECT_DOUBLE_EQ(inside_link("150 GB/s", library, {}).link.step_seconds, 16.78e-6);
  EXPECT_TRUE(inside_link("1 GB/s", library, {}).link.ring_shares.empty());
}

TEST(LinkChoice, ScalingAClassKeepsTheRest) {
  const LibraryConstants library = nccl();
  const auto half = between_link(choice("{ base: ib-ndr, bandwidth: 25 GB/s }"), library, {});
  EXPECT_DOUBLE_EQ(half.link.bandwidth, 25e9);
  EXPECT_EQ(half.link.efficiency, 0.9331);
  EXPECT_DOUBLE_EQ(half.link.step_seconds, 45.4e-6);
  EXPECT_FALSE(half.note);
  const auto inside =
      inside_link(choice("{ base: nvlink2-mesh, ring-shares: [0.5], step: 1 us }"), library, {});
  EXPECT_EQ(inside.link.ring_shares, std::vector<double>{0.5});
  EXPECT_EQ(inside.link.efficiency, 0.9056);
  EXPECT_DOUBLE_EQ(inside.link.step_seconds, 1e-6);
}

TEST(LinkChoice, IdealLinksAreThereOnRequest) {
  const auto ideal = between_link(choice("{ base: ideal, bandwidth: 25 GB/s }"), nccl(), {});
  EXPECT_EQ(ideal.link.efficiency, 1);
  EXPECT_DOUBLE_EQ(ideal.link.step_seconds, 0);
  EXPECT_FALSE(ideal.note);
  EXPECT_FALSE(between_link("25 GB/s", find_library_constants("ideal", {}, no_files()), {}).note);
}

// The note says what counts, not what the class has.
TEST(LinkChoice, TheNoteIsTrueOfAChangedLink) {
  const auto link = between_link(choice("{ bandwidth: 30 GB/s, step: 5 us }"), nccl(), {});
  ASSERT_TRUE(link.note);
  EXPECT_NE(link.note->text.find("a step takes 5 us"), std::string::npos) << link.note->text;
}

std::string error_of(const std::string& text) {
  try {
    between_link(choice(text), nccl(), {"here"});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LinkChoice, Errors) {
  EXPECT_EQ(
      error_of("ib-nd"),
      "--link: error: there is no class of links between nodes `ib-nd`; you may mean `ib-ndr`, `ib-hdr` or "
      "`ib-xdr`, or give a bandwidth such as `50 GB/s`");
  EXPECT_EQ(error_of("ideal"),
            "--link: error: ideal links need a bandwidth, write `{ base: ideal, bandwidth: 50 GB/s }`");
  EXPECT_EQ(error_of("{ base: ideal }"), "--link:1:1: error: an ideal link needs the key `bandwidth`");
  EXPECT_EQ(error_of("{ step: 3 us }"),
            "--link:1:1: error: a class of links between nodes needs the key `bandwidth`");
  EXPECT_EQ(error_of("{ base: ib-ndr, bandwith: 3 GB/s }"),
            "--link:1:17: error: unknown key `bandwith`, did you mean `bandwidth`?");
}

// Everything that a link between nodes can do better than another.
bool no_worse(const BetweenLink& a, const BetweenLink& b) {
  const auto ll_step = [](const BetweenLink& link) {
    return link.ll_step_seconds.value_or(nccl()[Protocol::ll].hop_seconds);
  };
  return a.bandwidth >= b.bandwidth && a.bandwidth * a.efficiency >= b.bandwidth * b.efficiency &&
         a.bandwidth * a.switch_efficiency >= b.bandwidth * b.switch_efficiency &&
         a.step_seconds <= b.step_seconds && a.short_step_seconds <= b.short_step_seconds &&
         ll_step(a) <= ll_step(b) && a.rendezvous_seconds <= b.rendezvous_seconds &&
         (b.rendezvous_seconds == 0 || a.eager >= b.eager);
}

std::vector<LinkChoice> bandwidths_from(double least, double most) {
  std::vector<LinkChoice> choices;
  for (double bandwidth = least; bandwidth <= most; bandwidth *= 1.13)
    choices.push_back(std::to_string(bandwidth) + " GB/s");
  return choices;
}

void expect_no_slower(const CollectiveLibrary& better, const CollectiveLibrary& worse) {
  constexpr double rounding = 1 + 1e-12;
  for (const GroupPlacement group : {GroupPlacement{2, 2}, {4, 4}, {8, 8}, {2, 1}, {8, 2}, {64, 8}, {512, 1}})
    for (double bytes = 1; bytes < 0x1p40; bytes *= 8) {
      for (const auto& [word, kind] : collective_kind_words)
        EXPECT_LE(better.seconds(kind, bytes, group), worse.seconds(kind, bytes, group) * rounding)
            << better.links().inside.text() << " and " << better.links().between.text() << " against "
            << worse.links().inside.text() << " and " << worse.links().between.text() << ", " << word
            << " of " << bytes << " among " << group.members;
      EXPECT_LE(better.send_seconds(bytes, true), worse.send_seconds(bytes, true) * rounding);
      EXPECT_LE(better.send_seconds(bytes, false), worse.send_seconds(bytes, false) * rounding);
    }
}

TEST(LinkChoice, MoreBandwidthIsNeverSlower) {
  const LibraryConstants library = nccl();
  const auto in_order = [&](const std::vector<LinkChoice>& choices, bool inside) {
    for (std::size_t i = 1; i < choices.size(); ++i) {
      const auto links = [&](const LinkChoice& link) {
        return inside ? ClusterLinks{link, "ib-ndr", 8, 0} : ClusterLinks{"nvlink4", link, 8, 0};
      };
      expect_no_slower({library, links(choices[i]), {}}, {library, links(choices[i - 1]), {}});
    }
  };
  in_order(bandwidths_from(1, 3000), true);
  in_order(bandwidths_from(0.1, 500), false);
  for (const InsideLink& link : library.inside)
    in_order({choice("{ base: " + link.name + ", bandwidth: 10 GB/s }"),
              choice("{ base: " + link.name + ", bandwidth: 11 GB/s }"),
              choice("{ base: " + link.name + ", bandwidth: 900 GB/s }")},
             true);
}

// Classes and numbers against each other.
TEST(LinkChoice, ABetterLinkIsNeverSlower) {
  const LibraryConstants library = nccl();
  std::vector<LinkChoice> choices = bandwidths_from(8, 120);
  for (const BetweenLink& link : library.between) {
    choices.push_back(link.name);
    choices.push_back(choice("{ base: " + link.name + ", bandwidth: 30 GB/s }"));
    choices.push_back(choice("{ base: " + link.name + ", step: 20 us, short-step: 10 us }"));
  }
  int compared = 0;
  for (const LinkChoice& a : choices)
    for (const LinkChoice& b : choices) {
      if (!no_worse(between_link(a, library, {}).link, between_link(b, library, {}).link)) continue;
      ++compared;
      expect_no_slower({library, {"nvlink4", a, 8, 0}, {}}, {library, {"nvlink4", b, 8, 0}, {}});
    }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace orrery::core::link_choice_test
