// Says how far off the predicted time of a collective of a library may be, from collectives that were
// measured.
#pragma once

#include <string_view>

#include "collective/library/group_table.hpp"
#include "report/accuracy/measured_errors.hpp"

namespace orrery::core {

// `library` is the name that the library's file has.
RunProperties properties_of_collective(std::string_view library, const GroupRow& row);

// Returns the errors of measured collectives.
const MeasuredErrors& collective_errors();

// Returns how far off the time of a collective may be. It is nowhere shorter than the links' bandwidth
// allows.
ErrorInterval collective_interval(std::string_view library, const GroupRow& row, const CollectiveCost& cost,
                                  double share);

}  // namespace orrery::core
