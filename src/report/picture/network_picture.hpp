// A drawing of a network: where its nodes stand, and what the links between them have carried. However large
// the network is, there are few nodes: nodes that are alike are joined, or each dimension shows one of its
// groups (docs/outputs/links.md, "topology-nodes.csv").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units/bytes.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

inline constexpr std::size_t max_drawn_nodes = 600;

struct PictureNode {
  std::string name;
  std::string_view kind;       // as node_kind_words has it
  std::uint64_t nodes = 1;     // number of nodes that it stands for
  double x = 0, y = 0;         // position to the right and upwards, in steps between neighbours
  std::string dimension = {};  // dimension that it is drawn for; empty: not for a single one
};

// What the links carried that are drawn as one line.
struct PictureLoad {
  std::uint64_t links = 0;
  double most = 0, sum = 0;  // of the links' busy time as a share of the run: the largest, and all added up
  Bytes bytes;               // bytes over the link that carried most
  std::optional<Bytes> longest_queue;
  std::uint64_t drops = 0, marks = 0, pauses = 0;
  Time paused;  // time of the link that paused longest

  double mean() const { return links > 0 ? sum / static_cast<double>(links) : 0; }
  PictureLoad& operator+=(const PictureLoad& other);
};

// Links between two drawn nodes that lead the same way.
struct PictureLink {
  std::size_t from = 0, to = 0;  // nodes of the picture; equal ones: links between nodes that it stands for
  std::string dimension;
  bool both_ways = false;  // the line stands for the links in both directions
  double bend = 0;         // how far its line bends to the left, as a share of its length
  PictureLoad load = {};
  // It is not known which links of its dimension carried what, so the line stands for all of them.
  bool of_all = false;
};

// What a line carried in an interval. It is that of the busiest link that the line stands for, among those
// that are known.
struct PictureMoment {
  std::size_t link = 0;
  Time start, end;
  double use = 0;
  std::optional<std::uint64_t> longest_queue;  // bytes
};

struct NetworkPicture {
  // How a picture shows a network.
  enum class Shows : std::uint8_t {
    all,         // every node
    joined,      // nodes with the same neighbours are one
    classes,     // nodes whose names differ by a number are one
    dimensions,  // the group of NPU 0 in each dimension
  };

  Shows shows = Shows::all;
  std::vector<PictureNode> nodes;
  std::vector<PictureLink> links;
  std::vector<PictureMoment> moments;  // by link and time
};

}  // namespace orrery::core
