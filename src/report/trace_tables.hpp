// The tables and the JSON of a run of traces. docs/outputs.md lists their columns and keys.
#pragma once

#include <array>
#include <string>

#include "base/words.hpp"
#include "report/origin.hpp"
#include "report/table.hpp"
#include "report/trace_statistics.hpp"

namespace orrery {

// Words for the types of nodes.
inline constexpr std::array<Word<chakra::NodeType>, 8> node_type_words{{
    {"invalid", chakra::NodeType::invalid},
    {"metadata", chakra::NodeType::metadata},
    {"memory-load", chakra::NodeType::memory_load},
    {"memory-store", chakra::NodeType::memory_store},
    {"compute", chakra::NodeType::compute},
    {"send", chakra::NodeType::send},
    {"receive", chakra::NodeType::receive},
    {"collective", chakra::NodeType::collective},
}};

// When the last rank has ended.
Time end_of(const TraceRecording& recording);

struct RankRow;
struct NodeRow;
extern const Table<RankRow> rank_table;
extern const Table<NodeRow> node_table;

// A line per rank, and per node of each rank.
std::string ranks_csv(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                      const TraceRecording& recording);
std::string nodes_csv(const std::vector<RankTrace>& traces, const TraceRecording& recording);

// One line, without a line break.
std::string trace_json(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                       const TraceRecording& recording, const Origin& origin);

}  // namespace orrery
