// Exporters of a run of execution traces by the flags of ASTRA-sim 2.
#pragma once

#include <array>

#include "study/run/exporters.hpp"

namespace orrery::core {

extern const Exporter trace_ranks_exporter;     // what each rank's nodes took
extern const Exporter trace_timeline_exporter;  // what each rank's nodes did when

// They read the traces' facts, so that the workload has to keep them (TraceSettings::keeps_facts).
inline constexpr std::array<const Exporter*, 6> trace_exporters{
    &trace_ranks_exporter, &trace_timeline_exporter, &links_exporter,
    &switches_exporter,    &topology_exporter,       &memory_exporter};

}  // namespace orrery::core
