// These functions tell files of other programs by their content (foreign_files.hpp).
#pragma once

#include <initializer_list>
#include <string_view>

namespace orrery::core {

// Returns whether the text is an object or a list of JSON.
bool is_json(std::string_view text);
// Returns whether the text is JSON that has all of these keys, in whatever depth.
bool is_json_of(std::string_view text, std::initializer_list<std::string_view> keys);
bool has_any_key(std::string_view text, std::initializer_list<std::string_view> keys);

// Returns the name of the element at the top of a text of XML; empty: it is none.
std::string_view root_element(std::string_view text);

// Returns whether a text of YAML or JSON has this key, in quotes or without, at any depth.
bool has_yaml_key(std::string_view text, std::string_view key);

bool is_infragraph(std::string_view text);
// The same in protobuf, which has no mark of its own.
bool is_infragraph_message(std::string_view text);

// The first word that is no remark is `num_ranks`; or a number stands at the beginning, in binary.
bool is_goal(std::string_view text);

// A layer table whose first line has a label of SimAI's, or that names groups of experts.
bool is_simai_table(std::string_view text);

// The words of a command line, perhaps in a script, with at least two flags that only Megatron-LM has.
bool is_megatron_arguments(std::string_view text);

// TOML with a table `[parallelism]`, or a `[model]` that has a `flavor`.
bool is_torchtitan_job(std::string_view text);

// Keys that are names of collectives with a comma at their end.
bool is_simai_bandwidths(std::string_view text);

// A file of ns-3's back ends has a key of capitals and a value on each line, or a remark in braces.
bool is_ns3_config(std::string_view text);

}  // namespace orrery::core
