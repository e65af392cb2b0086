#include "study/search/stored_search.hpp"

#include <optional>

#include "study/store/stored_study.hpp"

namespace orrery::core {

namespace {

bool simulate(const InputNode& document, const StoredSearch& stored) {
  const SweptRuns runs(document, stored.file);
  const bool allow_out_of_memory = stored.wishes.allow_out_of_memory;
  RunStore store(stored.store, facts_of(runs, stored.origin, allow_out_of_memory), runs.space(),
                 stored.folder);
  SweepWishes wishes = stored.wishes;
  if (stored.told) wishes.told = [&](const SweepProgress& so_far) { stored.told(so_far, runs.size()); };
  return simulate_sweep(runs, store, stored.load, wishes).complete;
}

void tell_steps(SweptSearch& search, const std::string& store) {
  StoredStudy study(store);
  const std::vector<StoreColumn> columns{*study.find("number"), *study.find("status"), *study.find("step_us"),
                                         *study.find("reason")};
  Statement rows = study.rows(columns, {});
  while (rows.step()) {
    const bool is_well = rows.text(1) == "ok";
    search.tell(static_cast<std::size_t>(rows.integer(0)), Seconds(is_well ? rows.real(2) * 1e-6 : 0),
                is_well ? std::string() : std::string(rows.text(3)));
  }
}

}  // namespace

bool simulate_search(SweptSearch& search, const StoredSearch& stored) {
  make_folder_of_store(stored.store);
  while (const std::optional<InputNode> document = search.next()) {
    if (!simulate(*document, stored)) return false;
    tell_steps(search, stored.store);
  }
  return simulate(search.document_of_all(), stored);
}

}  // namespace orrery::core
