// The first line of a topology file of ns-3's back ends, in its forms, and numbers as ns-3 writes them:
//
//   nodes switches links                                 HPCC, ConWeave, ASTRA-sim
//   nodes switches racks links [rate [rate]]             PowerTCP, Reverie (ns3-datacenter)
//   nodes per-server nvswitches switches links type      SimAI, whose last word names a GPU
#pragma once

#include <cstdint>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "base/text/token_reader.hpp"
#include "base/units/bandwidth.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

struct Ns3Header {
  std::uint64_t nodes = 0, switches = 0, links = 0;
  // Of SimAI's form: GPUs of a server, switches inside servers, and whether these reduce.
  int per_server = 0;  // 0: another form
  std::uint64_t server_switches = 0;
  bool reduces = false;

  std::uint64_t all_switches() const { return switches + server_switches; }
};

// Returns whether the first line has at least three whole numbers and not more than six words, and no others
// than rates and the word for a GPU; or other numbers, where a rate follows.
bool begins_like_ns3(std::string_view text);

// Takes the first line, whose words may also stand on several, or before others. Throws InputError where it
// has another form or its numbers do not fit one another.
Ns3Header read_ns3_header(TokenReader& tokens);

// Reads a rate, such as 100Gbps, 25Gb/s or 12.5GBps. A number alone is in bit/s.
Bandwidth ns3_rate(std::string_view text, const SourceLocation& where);
// Returns whether a rate has no unit and is so low that one is likely to be missing.
bool is_low_bare_rate(std::string_view text);
// Reads a time, such as 0.001ms. A number alone is in seconds.
Time ns3_delay(std::string_view text, const SourceLocation& where);

}  // namespace orrery::core
