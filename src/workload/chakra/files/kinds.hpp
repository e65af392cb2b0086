// Translates the kinds of nodes in traces, and of their collectives, into those of programs.
#pragma once

#include <array>
#include <utility>

#include "program/execution_graph.hpp"
#include "workload/chakra/files/node.hpp"

namespace orrery::core::chakra {

inline constexpr std::array<OperationKind, 8> kinds_of_nodes{
    // The kinds of operations by NodeType.
    OperationKind::unknown, OperationKind::note, OperationKind::load,    OperationKind::store,
    OperationKind::compute, OperationKind::send, OperationKind::receive, OperationKind::collective};

// This leaves out the reduce-scatter-block, which is a reduce-scatter in programs.
inline constexpr std::array<std::pair<CollectiveKind, CommType>, collective_kinds> comm_types{{
    {CollectiveKind::reduce_scatter, CommType::reduce_scatter},
    {CollectiveKind::all_gather, CommType::all_gather},
    {CollectiveKind::all_reduce, CommType::all_reduce},
    {CollectiveKind::all_to_all, CommType::all_to_all},
    {CollectiveKind::broadcast, CommType::broadcast},
    {CollectiveKind::reduce, CommType::reduce},
    {CollectiveKind::gather, CommType::gather},
    {CollectiveKind::scatter, CommType::scatter},
    {CollectiveKind::barrier, CommType::barrier},
}};

}  // namespace orrery::core::chakra
