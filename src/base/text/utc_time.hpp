// The time of day, for notes of when something happened. No result depends on it.
#pragma once

#include <string>

namespace orrery::core {

// Returns the present time in UTC as ISO 8601 writes it, such as "2026-11-28T09:30:00Z".
std::string now_in_utc();

}  // namespace orrery::core
