#include "workload/training/rank_mesh.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "collective/library/library_time.hpp"
#include "support/ids.hpp"

namespace orrery::core::rank_mesh_test {
namespace {

GroupPlacement placement(const RankMesh& mesh, std::vector<MeshAxis> axes) {
  return placement_of(mesh.communicator("", axes), 8);
}

TEST(RankMesh, TensorParallelismLiesInsideNodes) {
  RankMesh mesh;
  mesh.sizes = {4, 1, 1, 16, 8};
  EXPECT_EQ(mesh.ranks(), 512u);
  EXPECT_EQ(mesh.stride(MeshAxis::data), 4u);
  EXPECT_EQ(mesh.stride(MeshAxis::pipeline), 64u);
  const GroupPlacement tensor = placement(mesh, {MeshAxis::tensor});
  EXPECT_EQ(tensor.members, 4);
  EXPECT_EQ(tensor.per_node, 4);
  // Ranks 0 and 4 of a node hold the same shard.
  const GroupPlacement data = placement(mesh, {MeshAxis::data});
  EXPECT_EQ(data.members, 16);
  EXPECT_EQ(data.per_node, 2);
  EXPECT_EQ(placement(mesh, {MeshAxis::pipeline}).per_node, 1);
}

TEST(RankMesh, GroupsAlongSeveralAxes) {
  RankMesh mesh;
  mesh.sizes = {2, 2, 4, 4, 1};
  const GroupPlacement dense = placement(mesh, {MeshAxis::context, MeshAxis::expert, MeshAxis::data});
  EXPECT_EQ(dense.members, 32);
  EXPECT_EQ(dense.per_node, 4);
  // The group has every fourth block of four ranks, so one node in two holds two of its ranks.
  const GroupPlacement experts = placement(mesh, {MeshAxis::context, MeshAxis::data});
  EXPECT_EQ(experts.members, 8);
  EXPECT_EQ(experts.per_node, 2);
}

TEST(RankMesh, OrderDecidesWhatIsNear) {
  RankMesh mesh;
  mesh.sizes = {8, 1, 1, 8, 1};
  EXPECT_EQ(placement(mesh, {MeshAxis::data}).per_node, 1);
  mesh.order = {MeshAxis::data, MeshAxis::tensor, MeshAxis::context, MeshAxis::expert, MeshAxis::pipeline};
  EXPECT_EQ(placement(mesh, {MeshAxis::data}).per_node, 8);
  EXPECT_EQ(placement(mesh, {MeshAxis::tensor}).per_node, 1);
}

// Members and how many are in a node of 8.
bool is(const Communicator& groups, int members, int per_node) {
  return placement_of(groups, 8) == GroupPlacement{members, per_node};
}

TEST(RankMesh, PartsOfAGroup) {
  const Communicator group{"group", {{1, 32, -1}}};
  for (const auto& [part, per_node, across] :
       std::vector<std::array<int, 3>>{{8, 8, 1}, {4, 4, 2}, {16, 8, 1}}) {
    const SplitGroups split = split_groups(group, static_cast<std::uint64_t>(part));
    EXPECT_TRUE(is(split.parts, part, per_node)) << part;
    EXPECT_TRUE(is(split.across, 32 / part, across)) << part;
  }
  const SplitGroups whole = split_groups(group, 32);
  EXPECT_TRUE(is(whole.parts, 32, 8) && is(whole.across, 1, 1));
  // Four neighbours in each of three nodes: parts of six are two neighbours in each.
  const SplitGroups six = split_groups({"group", {{1, 4, -1}, {8, 3, -1}}}, 6);
  EXPECT_TRUE(is(six.parts, 6, 2) && is(six.across, 2, 2));
}

TEST(RankMesh, RanksOfAStage) {
  RankMesh mesh;
  mesh.sizes = {2, 1, 1, 2, 2};
  EXPECT_EQ(mesh.ranks_of_stage(1), test::ids<RankId>({4, 5, 6, 7}));
  mesh.order = {MeshAxis::tensor, MeshAxis::pipeline, MeshAxis::context, MeshAxis::expert, MeshAxis::data};
  EXPECT_EQ(mesh.ranks_of_stage(1), test::ids<RankId>({2, 3, 6, 7}));
}

}  // namespace
}  // namespace orrery::core::rank_mesh_test
