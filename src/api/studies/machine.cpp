#include "orrery/machine.hpp"

#include "api/studies/findings_state.hpp"
#include "report/catalogue.hpp"

namespace orrery {

Table devices() {
  return core::table_of(core::catalogue_rows("devices"));
}

Table platforms() {
  return core::table_of(core::catalogue_rows("platforms"));
}

Table stacks() {
  return core::table_of(core::catalogue_rows("stacks"));
}

Table host_stacks() {
  return core::table_of(core::catalogue_rows("host-stacks"));
}

}  // namespace orrery
