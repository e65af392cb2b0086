#include "study/experiment/timeline_choice.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

namespace {

void add(TimelineFormats& formats, std::string_view word, const SourceLocation& where) {
  const auto format = value_of(timeline_format_words, word);
  if (!format)
    throw InputError(where, "there is no timeline " + backquoted(word) + "; use " +
                                alternatives(words_of(timeline_format_words)));
  if (std::ranges::find(formats, *format) != formats.end())
    throw InputError(where, "the timeline " + backquoted(word) + " is named twice; leave one out");
  formats.push_back(*format);
}

// Pages about results are made of it.
TimelineFormats with_csv(TimelineFormats formats) {
  if (std::ranges::find(formats, &csv_timeline) == formats.end()) formats.push_back(&csv_timeline);
  return formats;
}

}  // namespace

TimelineFormats read_timelines(const InputNode& node, const KeyFacts& key) {
  TimelineFormats formats;
  if (node.kind != InputNode::Kind::list) {
    add(formats, scalar_of(node, key.name), node.where);
  } else {
    for (const InputNode& word : list_of(node, key.name)) add(formats, scalar_of(word, key.name), word.where);
  }
  return with_csv(std::move(formats));
}

TimelineFormats timelines_of_flag(const std::string& text) {
  TimelineFormats formats;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) add(formats, word, {"--timeline"});
  return with_csv(std::move(formats));
}

}  // namespace orrery::core
