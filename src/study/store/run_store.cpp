#include "study/store/run_store.hpp"

#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/build_info.hpp"
#include "base/encoding/sha256.hpp"
#include "base/text/utc_time.hpp"

namespace orrery::core {

namespace {

constexpr const char* tables = R"(
CREATE TABLE IF NOT EXISTS study (fact TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS columns (name TEXT PRIMARY KEY, type TEXT, unit TEXT, meaning TEXT, role TEXT);
CREATE TABLE IF NOT EXISTS inputs (number INTEGER PRIMARY KEY, files TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS claims (first INTEGER PRIMARY KEY, behind INTEGER NOT NULL, process INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS runs (key TEXT NOT NULL UNIQUE, number INTEGER, run TEXT, status TEXT, reason TEXT,
  place TEXT, warnings TEXT, seconds REAL, host TEXT, ended TEXT, version TEXT, inputs INTEGER, content TEXT,
  page TEXT);
)";

// What a store says of a run beside what it resulted in.
constexpr std::array<std::string_view, 11> own_columns{
    "key", "number", "place", "warnings", "seconds", "host", "ended", "version", "inputs", "content", "page"};

std::string_view type_in_sql(ValueType type) {
  return type == ValueType::real ? "REAL" : type == ValueType::text ? "TEXT" : "INTEGER";
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string folder_that_holds(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

DatabaseUse use_of(const std::string& path, RunStore::Sharing sharing) {
  const bool alone = sharing == RunStore::Sharing::alone || is_on_network_file_system(path);
  return alone ? DatabaseUse::alone : DatabaseUse::write;
}

std::int64_t pragma(Database& database, std::string_view name) {
  Statement statement = database.prepare(fmt::format("PRAGMA {}", name));
  return statement.step() ? statement.integer(0) : 0;
}

// SQLite does not wait for a process that changes the same file to this log at the same moment.
void use_write_ahead_log(Database& database) {
  constexpr std::chrono::milliseconds patience(3000), pause(20);
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    try {
      return database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    } catch (const FileInUse&) {
      if (std::chrono::steady_clock::now() >= end) throw;
    }
    std::this_thread::sleep_for(pause);
  }
}

std::string insertion(const std::vector<StoreColumn>& results, const std::vector<StoreColumn>& keys) {
  std::string names, values;
  const auto add = [&](std::string_view name) {
    names.append(names.empty() ? "" : ", ").append(quoted_name(name));
    values.append(values.empty() ? "?" : ", ?");
  };
  for (const StoreColumn& column : results) add(column.name);
  for (const StoreColumn& column : keys) add(column.name);
  for (const std::string_view name : own_columns) add(name);
  return fmt::format("INSERT OR REPLACE INTO runs ({}) VALUES ({})", names, values);
}

std::string renumbering(const std::vector<StoreColumn>& keys) {
  std::string values;
  for (const StoreColumn& column : keys) values += quoted_name(column.name) + " = ?, ";
  return fmt::format("UPDATE runs SET {}number = ?, run = ? WHERE key = ?", values);
}

}  // namespace

void make_folder_of_store(const std::string& store) {
  const std::filesystem::path folder = std::filesystem::path(store).parent_path();
  std::error_code failure;
  if (!folder.empty()) std::filesystem::create_directories(folder, failure);
  if (failure) throw InputError({folder.string()}, failure.message() + "; put the store into another folder");
}

std::string version_of_runs() {
  const BuildInfo& build = build_info();
  return fmt::format("{} ({})", build.version, build.commit);
}

bool is_on_network_file_system(const std::string& path) {
  // The numbers are those of <linux/magic.h> and of the file systems' own sources: NFS, SMB (three), AFS,
  // Ceph, Lustre, GPFS, BeeGFS, PanFS, 9P and FUSE, which may be anything.
  constexpr std::array<std::uint32_t, 12> far{0x6969,     0x517b,     0xff534d42, 0xfe534d42,
                                              0x5346414f, 0x00c36400, 0x0bd00bd0, 0x47504653,
                                              0x19830326, 0xaad7aaea, 0x01021997, 0x65735546};
  struct statfs facts {};
  if (::statfs(folder_that_holds(path).c_str(), &facts) != 0) return false;
  return std::ranges::find(far, static_cast<std::uint32_t>(facts.f_type)) != far.end();
}

RunStore::RunStore(const std::string& path, const StudyFacts& facts, const SweepSpace& space,
                   const std::string& folder, Sharing sharing)
    : path_(path),
      results_(result_columns()),
      keys_(key_columns(space)),
      database_(path, use_of(path, sharing)),
      slots_(path + "-lock"),
      inputs_(folder) {
  use_write_ahead_log(database_);
  make_tables();
  begin_study(facts);
  insert_.emplace(database_.prepare(insertion(results_, keys_)));
  find_.emplace(database_.prepare("SELECT version, inputs, status, number, run FROM runs WHERE key = ?"));
  renumber_.emplace(database_.prepare(renumbering(keys_)));
}

RunStore::~RunStore() {
  try {
    release();
  } catch (const InputError&) {  // the claims are those of a dead process soon
  }
}

void RunStore::make_tables() {
  Transaction transaction(database_);
  const std::int64_t version = pragma(database_, "user_version");
  if (version > schema_version)
    throw InputError({path_},
                     fmt::format("is a store of schema {}, and this program knows {}; use a newer Orrery, "
                                 "or name another file",
                                 version, schema_version));
  Statement others = database_.prepare("SELECT count(*) FROM sqlite_schema");
  if (version == 0 && others.step() && others.integer(0) > 0)
    throw InputError({path_}, "is a database, but no store of runs; name another file");
  others.reset();
  database_.execute(tables);
  database_.execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, schema_version));
  add_columns(results_);
  add_columns(keys_);
  transaction.commit();
}

void RunStore::add_columns(const std::vector<StoreColumn>& columns) {
  std::vector<std::string> known;
  Statement info = database_.prepare("SELECT name FROM pragma_table_info('runs')");
  while (info.step()) known.emplace_back(info.text(0));
  Statement note = database_.prepare("INSERT OR REPLACE INTO columns VALUES (?, ?, ?, ?, ?)");
  for (const StoreColumn& column : columns) {
    if (std::ranges::find(known, column.name) == known.end())
      database_.execute(fmt::format("ALTER TABLE runs ADD COLUMN {} {}", quoted_name(column.name),
                                    type_in_sql(column.type)));
    int parameter = 0;
    for (const std::string_view text :
         {std::string_view(column.name), type_in_sql(column.type), std::string_view(column.unit),
          std::string_view(column.meaning), std::string_view(column.is_key ? "key" : "result")})
      note.bind(++parameter, text);
    note.run();
  }
}

// The runs of an earlier sweep keep their rows, but have no number until the new one needs them.
void RunStore::begin_study(const StudyFacts& facts) {
  Transaction transaction(database_);
  drop_claims_of_the_dead();
  Statement same = database_.prepare("SELECT 1 FROM study WHERE fact = 'sweep' AND value = ?");
  same.bind(1, std::string_view(facts.sweep));
  if (!same.step()) {
    Statement claims = database_.prepare("SELECT 1 FROM claims");
    if (claims.step())
      throw InputError({path_},
                       "another process sweeps something else into this store; wait for it, or name another "
                       "file with --store");
    claims.reset();
    database_.execute("UPDATE runs SET number = NULL");
    std::string own;
    for (const StoreColumn& column : keys_) own += (own.empty() ? "'" : ", '") + column.name + "'";
    database_.execute("UPDATE columns SET role = 'old key' WHERE role = 'key' AND name NOT IN (" + own + ")");
  }
  same.reset();
  Statement put = database_.prepare("INSERT OR REPLACE INTO study VALUES (?, ?)");
  for (const auto& [fact, value] :
       {std::pair("name", &facts.name), std::pair("origin", &facts.origin),
        std::pair("objectives", &facts.objectives), std::pair("sweep", &facts.sweep)}) {
    put.bind(1, std::string_view(fact));
    put.bind(2, std::string_view(*value));
    put.run();
  }
  transaction.commit();
}

void EndedPoint::sign() {
  host = host_name();
  ended = now_in_utc();
  version = version_of_runs();
}

void RunStore::add(const std::vector<EndedPoint>& runs) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(database_);
  for (const EndedPoint& run : runs) {
    const std::string content = sha256(run.placed.key + run.version + run.inputs);
    Statement& insert = *insert_;
    int next = bind_keys(insert, bind_values(insert, 1, run.results), run.placed.point);
    const auto text = [&](std::string_view value) {
      if (value.empty())
        insert.bind_nothing(next++);
      else
        insert.bind(next++, value);
    };
    text(run.placed.key);
    insert.bind(next++, static_cast<std::int64_t>(run.placed.number));
    text(run.place);
    text(run.warnings);
    insert.bind(next++, run.seconds);
    text(run.host);
    text(run.ended);
    text(run.version);
    insert.bind(next++, number_of_inputs(run.inputs));
    text(content);
    text(run.page);
    insert.run();
  }
  transaction.commit();
}

// Must be called within a transaction.
std::int64_t RunStore::number_of_inputs(const std::string& listed) {
  if (const auto known = input_numbers_.find(listed); known != input_numbers_.end()) return known->second;
  Statement put = database_.prepare("INSERT OR IGNORE INTO inputs (files) VALUES (?)");
  put.bind(1, std::string_view(listed));
  put.run();
  Statement get = database_.prepare("SELECT number FROM inputs WHERE files = ?");
  get.bind(1, std::string_view(listed));
  get.step();
  return input_numbers_.emplace(listed, get.integer(0)).first->second;
}

void RunStore::drop_claims_of_the_dead() {
  Statement owners = database_.prepare("SELECT DISTINCT process FROM claims");
  std::vector<std::int64_t> dead;
  while (owners.step())
    if (!slots_.is_alive(owners.integer(0))) dead.push_back(owners.integer(0));
  for (const std::int64_t process : dead)
    database_.execute(fmt::format("DELETE FROM claims WHERE process = {}", process));
}

std::optional<RunRange> RunStore::claim(std::size_t runs, std::size_t most) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(database_);
  drop_claims_of_the_dead();
  std::size_t begin = 0, end = runs;
  std::optional<std::size_t> adjacent;  // own claim that ends where the new one begins
  {
    Statement claims = database_.prepare("SELECT first, behind, process, done FROM claims ORDER BY first");
    while (claims.step()) {
      const auto first = static_cast<std::size_t>(claims.integer(0));
      if (first > begin) {
        end = std::min(end, first);
        break;
      }
      begin = std::max(begin, static_cast<std::size_t>(claims.integer(1)));
      adjacent =
          claims.integer(2) == slots_.own() && claims.integer(3) == 0 ? std::optional(first) : std::nullopt;
    }
  }
  if (begin >= end) return std::nullopt;
  const RunRange range{begin, std::min(end, begin + most)};
  database_.execute(
      adjacent
          ? fmt::format("UPDATE claims SET behind = {} WHERE first = {}", range.end, *adjacent)
          : fmt::format("INSERT INTO claims VALUES ({}, {}, {}, 0)", range.begin, range.end, slots_.own()));
  transaction.commit();
  return range;
}

void RunStore::set_claims_done() {
  const std::lock_guard lock(mutex_);
  database_.execute(fmt::format("UPDATE claims SET done = 1 WHERE process = {}", slots_.own()));
}

void RunStore::release() {
  const std::lock_guard lock(mutex_);
  database_.execute(fmt::format("DELETE FROM claims WHERE process = {}", slots_.own()));
}

bool RunStore::others_are_at_work() {
  const std::lock_guard lock(mutex_);
  Transaction transaction(database_);
  drop_claims_of_the_dead();
  Statement others = database_.prepare("SELECT 1 FROM claims WHERE process <> ? AND done = 0");
  others.bind(1, slots_.own());
  const bool any = others.step();
  others.reset();
  transaction.commit();
  return any;
}

std::vector<PlacedPoint> RunStore::missing(std::vector<PlacedPoint> points, const ReuseRules& rules) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(database_);
  std::erase_if(points, [&](const PlacedPoint& point) { return has(point, rules); });
  transaction.commit();
  return points;
}

bool RunStore::has(const PlacedPoint& point, const ReuseRules& rules) {
  Statement& find = *find_;
  find.bind(1, std::string_view(point.key));
  const bool found = find.step() && (rules.any_version || find.text(0) == version_of_runs()) &&
                     (rules.failed || find.text(2) == "ok");
  const bool same_place = found && !find.is_null(3) &&
                          find.integer(3) == static_cast<std::int64_t>(point.number) &&
                          find.text(4) == point.name;
  const std::int64_t inputs = found ? find.integer(1) : 0;
  find.reset();
  if (!found || !inputs_.are_unchanged(files_of_inputs(inputs))) return false;
  if (same_place) return true;
  int next = bind_keys(*renumber_, 1, point.point);
  renumber_->bind(next++, static_cast<std::int64_t>(point.number));
  renumber_->bind(next++, std::string_view(point.name));
  renumber_->bind(next, std::string_view(point.key));
  renumber_->run();
  return true;
}

const std::string& RunStore::files_of_inputs(std::int64_t number) {
  const auto known = known_inputs_.find(number);
  if (known != known_inputs_.end()) return known->second;
  Statement files = database_.prepare("SELECT files FROM inputs WHERE number = ?");
  files.bind(1, number);
  return known_inputs_.emplace(number, files.step() ? files.text(0) : std::string_view()).first->second;
}

}  // namespace orrery::core
