// The congestion controls that users can choose. A new one is a CongestionKind in a file of its own, and a
// line here.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "network/packet/congestion/congestion_control.hpp"

namespace orrery::core {

extern const CongestionKind dcqcn_control;
extern const CongestionKind dctcp_control;
extern const CongestionKind eqds_control;
extern const CongestionKind hpcc_control;
extern const CongestionKind hpcc_pint_control;
extern const CongestionKind infiniband_control;
extern const CongestionKind ndp_control;
extern const CongestionKind swift_control;
extern const CongestionKind tcp_cubic_control;
extern const CongestionKind tcp_dctcp_control;
extern const CongestionKind tcp_new_reno_control;
extern const CongestionKind timely_control;

inline constexpr std::array<EnumName<const CongestionKind*>, 13> congestion_words{{
    {"none", nullptr},
    {"dcqcn", &dcqcn_control},
    {"dctcp", &dctcp_control},
    {"hpcc", &hpcc_control},
    {"hpcc-pint", &hpcc_pint_control},
    {"infiniband", &infiniband_control},
    {"swift", &swift_control},
    {"timely", &timely_control},
    {"tcp-new-reno", &tcp_new_reno_control},
    {"tcp-cubic", &tcp_cubic_control},
    {"tcp-dctcp", &tcp_dctcp_control},
    {"ndp", &ndp_control},
    {"eqds", &eqds_control},
}};

}  // namespace orrery::core
