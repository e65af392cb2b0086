// Makes the program of data-parallel training with parameter servers in place of all-reduces (Li et al.,
// "Scaling distributed machine learning with the parameter server", OSDI 2014).
//
// Every rank trains, forward and backward as in the data-parallel loop. It pushes a layer's gradients to the
// servers as soon as they are there, and pulls its weights before the layer's next forward pass. Servers are
// some or all of the ranks. Each holds an equal share of every layer, or layers as a whole. A server that
// trains needs no messages for its own gradients; others do nothing but serve. Weights have as many bytes as
// gradients.
//
// A synchronous server adds up the gradients of all ranks, in the order of layers and ranks, updates the
// weights and sends them to all. Each addition and the update take bytes / update-bandwidth.
//
// An asynchronous server applies and answers each gradient by itself. With a staleness of s, the answer to a
// rank's i-th gradient waits until every rank's (i - s)-th is applied (stale synchronous parallel: Ho et al.,
// NIPS 2013). So no rank has done more than s training steps more than another when it starts one, as far as
// its first layer has parameters. Gradients of one rank are applied one after the other, those of different
// ranks at the same time. Where a server is short of memory bandwidth and not of links, this is too fast.
//
// Work as a server takes no time from what the same rank computes.
#pragma once

#include "program/program.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/astra1/scaling.hpp"

namespace orrery::core {

// Returns the program, which has a part per rank. The table has to have a parameter server. Throws InputError
// when there is no such rank, or when more would have to be simulated than fits into memory.
Program parameter_server_program(const LayerTable& table, int npus, int passes, const Dialect& dialect,
                                 const Scales& scales);

}  // namespace orrery::core
