// The formats of timelines that a run writes, as users name them.
#pragma once

#include <string>

#include "base/input/keys.hpp"
#include "report/timeline/timeline_formats.hpp"

namespace orrery::core {

// Read the key `timeline` of an experiment file, which is a word or a list of words, and the flag --timeline,
// which has words with commas between them. CSV is always among them. Throw InputError where a word is
// unknown or occurs twice.
TimelineFormats read_timelines(const InputNode& node, const KeyFacts& key);
TimelineFormats timelines_of_flag(const std::string& text);

}  // namespace orrery::core
