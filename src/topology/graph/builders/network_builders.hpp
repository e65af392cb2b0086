// The forms of networks that `build` knows. A new one is a NetworkBuilder in a file of its own, and a line
// here.
#pragma once

#include <array>

#include "topology/graph/builders/network_plan.hpp"

namespace orrery::core {

extern const NetworkBuilder ring_builder, torus_builder, mesh_builder;  // torus.cpp
extern const NetworkBuilder switch_builder;                             // switch.cpp
extern const NetworkBuilder fully_connected_builder;                    // fully_connected.cpp
extern const NetworkBuilder fat_tree_builder, rail_optimized_builder, rail_only_builder;  // fat_tree.cpp
extern const NetworkBuilder dragonfly_builder;                                            // dragonfly.cpp
extern const NetworkBuilder nvlink_builder;                                               // nvlink.cpp
extern const NetworkBuilder dgx_1v_builder;                                               // dgx_1v.cpp

inline constexpr std::array network_builders{&ring_builder,
                                             &mesh_builder,
                                             &torus_builder,
                                             &switch_builder,
                                             &fully_connected_builder,
                                             &fat_tree_builder,
                                             &rail_optimized_builder,
                                             &rail_only_builder,
                                             &dragonfly_builder,
                                             &nvlink_builder,
                                             &dgx_1v_builder};

}  // namespace orrery::core
