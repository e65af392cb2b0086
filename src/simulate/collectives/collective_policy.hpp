// A policy is a way in which collectives are carried out: as phases of algorithms, as streams of execution
// traces, as a library does it, or on channels.
#pragma once

#include <memory>
#include <string_view>

#include "collective/group_collectives.hpp"
#include "events/event_loop.hpp"
#include "events/rank_timers.hpp"
#include "network/contention_free_network.hpp"
#include "network/transport.hpp"
#include "simulate/collectives/collective_survey.hpp"
#include "simulate/collectives/exchange_cost.hpp"

namespace orrery::core {

class DimensionUses;
class PhaseBarriers;
class Messenger;
class IsolatedPhaseSimulator;
struct RepresentativeRank;

// The parts of a run that a policy may use to carry out the collectives.
struct CollectiveRun {
  // A run whose ranks start what is ready has these in addition (collective/collective_engine.hpp).
  struct Phases {
    const ContentionFreeNetwork& network;
    Transport* transport;  // carries the messages of phases; null: phases take the time they take alone
    const IsolatedPhaseSimulator* trials;  // may be null
    bool by_messages;
    bool watches_ties;
  };
  // A run whose ranks issue in slots has these (collective/streams/stream_engine.hpp).
  struct Streams {
    Messenger& messenger;
    DimensionUses& uses;
    PhaseBarriers* barriers;      // may be null
    RepresentativeRank* for_all;  // may be null
  };

  const Program& program;
  const Machine& machine;
  EventLoop& loop;
  RankTimers& timers;
  CollectiveRanks ranks;
  CollectiveListener& listener;
  Transport* transport;              // null: nobody sends messages
  const Phases* phases = nullptr;    // null: ranks issue in slots
  const Streams* streams = nullptr;  // null: ranks start what is ready
};

struct CollectivePolicy {
  std::string_view name;
  // The members of a collective meet and carry it out as a whole. Otherwise each runs phases of its own.
  bool as_a_whole = false;
  // Returns whether the policy is for the program and the machine. The first one of the table that is carries
  // out all collectives (collective_policies.hpp).
  bool (*applies)(const Program& program, const Machine& machine) = nullptr;
  // Throws InputError where the machine has what the policy cannot heed. Null: it heeds everything.
  void (*check)(const Program& program, const Machine& machine) = nullptr;
  // Makes what carries out the collectives. It keeps references to what the run refers to.
  std::unique_ptr<RecordedCollectives> (*make)(const CollectiveRun& run) = nullptr;
  // Finds what collectives use of the machine. Throws InputError when an algorithm cannot run what the
  // program asks for.
  CollectiveSurvey (*survey)(const Program& program, const Machine& machine) = nullptr;
  // Returns what explains single collectives to reports. It keeps references.
  std::unique_ptr<CollectiveExplainer> (*explain)(const Program& program, const Machine& machine) = nullptr;
};

}  // namespace orrery::core
