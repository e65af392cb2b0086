#include "workload/training/rank_mesh.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orrery {
namespace {

GroupPlacement placement(const RankMesh& mesh, std::vector<MeshAxis> axes) {
  return mesh.placement(axes, 8);
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
  // Every fourth block of four ranks, so one node in two holds two of the group.
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

TEST(RankMesh, PartsOfAGroup) {
  const auto is = [](const GroupPlacement& group, int members, int per_node) {
    return group.members == members && group.per_node == per_node;
  };
  const GroupPlacement group{32, 8};
  EXPECT_TRUE(is(part_of(group, 8), 8, 8) && is(across_parts(group, 8), 4, 1));
  EXPECT_TRUE(is(part_of(group, 4), 4, 4) && is(across_parts(group, 4), 8, 2));
  EXPECT_TRUE(is(part_of(group, 16), 16, 8) && is(across_parts(group, 16), 2, 1));
  EXPECT_TRUE(is(part_of(group, 32), 32, 8) && is(across_parts(group, 32), 1, 1));
  EXPECT_TRUE(is(part_of({12, 4}, 6), 6, 2) && is(across_parts({12, 4}, 6), 2, 1));
}

}  // namespace
}  // namespace orrery
