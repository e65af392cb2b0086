// Reads values of flags that several commands check alike.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "base/files/file_loader.hpp"
#include "network/network_models.hpp"
#include "study/run/run_spec.hpp"

namespace orrery::core {

// Returns a number of at least 0, rounded to binary32 if asked for. Throws InputError that names `flag`.
double scale_factor(const std::string& text, const char* flag, bool single_precision);

// Returns `value`. Throws InputError that names `flag` unless `value` is from `least` to `most`.
int checked(int value, int least, int most, const char* flag);

// Checks a number that a flag was given. CLI11 has such a check, too, but its words differ from version to
// version.
template <class Number>
CLI::Validator from_to(Number least, Number most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    Number value{};
    if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return {};
    return fmt::format("{} is not a number from {} to {}", backquoted(text), least, most);
  };
  return {check, fmt::format("{} to {}", least, most), ""};
}

// Returns the value of a word that a flag was given. Throws InputError that names `flag`.
template <class Table>
auto word_of_flag(const Table& table, const std::string& word, const char* flag) {
  const auto value = value_of(table, word);
  if (!value)
    throw InputError({flag}, "unknown word " + backquoted(word) + ", use " + alternatives(words_of(table)));
  return *value;
}

// Returns the value of --num-queues-per-dim. Throws InputError when it is not allowed.
int checked_queues(int queues);
// Returns the value of --threads. Throws InputError when it is not allowed.
int checked_threads(int threads);
// Returns one thread per core, up to what --threads allows and what fits into memory that is limited.
int usual_threads();

// Adds the experiment files and --set. Both variables have to live as long as the command, and so do those
// below.
void add_experiments(CLI::App& command, std::vector<std::string>& files, std::vector<std::string>& overrides);
void add_overrides(CLI::App& command, std::vector<std::string>& overrides);  // --set alone
// Adds --interval, which stands for a --set.
void add_interval(CLI::App& command, std::vector<std::string>& overrides);

// Adds --fold.
void add_fold(CLI::App& command, bool& fold);

// Adds --allow-oom.
void add_allow_out_of_memory(CLI::App& command, bool& allow);

// Returns the settings in the file that --packets names. Throws InputError where a network has no packets, or
// cannot carry such.
std::shared_ptr<const PacketSettings> packets_of_flag(const std::string& file, const Topology& topology,
                                                      NetworkModel model, Warnings& warnings,
                                                      const FileLoader& load);
inline constexpr const char* packets_flag_meaning =
    "A map, in YAML, of what packets, switches and NICs of the model packet do";

}  // namespace orrery::core
