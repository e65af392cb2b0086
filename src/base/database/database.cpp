#include "base/database/database.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

namespace {

// How long another process is waited for that writes, or that has a file alone.
constexpr int patience_ms = 60'000, patience_alone_ms = 2'000;

int length_of(std::string_view text) {
  return static_cast<int>(text.size());
}

// Returns what a user can do about an error of SQLite; empty where its own words say all.
std::string_view remedy_of(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "; make room on the disk and try again, what was written before is kept";
    case SQLITE_IOERR:
      return "; is the disk full or gone? What was written before is kept";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ": another process uses it; wait for it, or name another file";
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return "; remove the file, or name another one";
    case SQLITE_CANTOPEN:
      return "; is there such a folder, and may you write there?";
    case SQLITE_READONLY:
      return "; may you write there?";
    default:
      return "";
  }
}

[[noreturn]] void throw_last_error(sqlite3* database, const SourceLocation& where) {
  const int code = sqlite3_errcode(database);
  const std::string message = std::string(sqlite3_errmsg(database)) + std::string(remedy_of(code));
  if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED) throw FileInUse(where, message);
  throw InputError(where, message);
}

int permit_reading(void*, int action, const char*, const char*, const char*, const char*) {
  const bool reads = action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION ||
                     action == SQLITE_RECURSIVE;
  return reads ? SQLITE_OK : SQLITE_DENY;
}

}  // namespace

Database::Database(std::string path, DatabaseUse use) : path_(std::move(path)) {
  if (use == DatabaseUse::read)
    open_to_read();
  else
    open(path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (use != DatabaseUse::alone) return;
  sqlite3_busy_timeout(handle_, patience_alone_ms);
  execute("PRAGMA locking_mode = EXCLUSIVE");
}

Database::Database(std::string name) : path_(std::move(name)) {
  open(path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY);
}

Database Database::in_memory() {
  return Database(std::string(":memory:"));
}

// A reader may have to tidy up a log that a process which was killed has left, and whoever closes a file
// last removes its log, so the file is opened for writing where that is possible. In a folder that cannot be
// written there is nobody who writes.
void Database::open_to_read() {
  if (!std::filesystem::exists(path_))
    throw InputError({path_}, "there is no such file; name one that is there");
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  const bool may_write = ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
  if (may_write) {
    open(path_, SQLITE_OPEN_READWRITE);
    execute("PRAGMA query_only = ON");
  } else {
    std::string uri = "file:";
    for (const char letter : std::filesystem::absolute(path_).string())
      uri += letter == '?' ? "%3f" : letter == '#' ? "%23" : letter == '%' ? "%25" : std::string(1, letter);
    open(uri + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  }
}

void Database::open(const std::string& name, int flags) {
  // One object is used by one thread at a time.
  if (sqlite3_open_v2(name.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK) {
    const std::string problem = handle_ ? sqlite3_errmsg(handle_) : "no memory is left";
    const int code = handle_ ? sqlite3_errcode(handle_) : SQLITE_NOMEM;
    sqlite3_close(std::exchange(handle_, nullptr));
    throw InputError({path_}, problem + std::string(remedy_of(code)));
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, patience_ms);
}

Database::Database(Database&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, nullptr)) {}

Database& Database::operator=(Database&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(handle_, other.handle_);
  return *this;
}

Database::~Database() {
  sqlite3_close_v2(handle_);
}

void Database::execute(std::string_view statements) {
  const std::string text(statements);
  if (sqlite3_exec(handle_, text.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Statement Database::prepare(std::string_view statement, std::optional<SourceLocation> where) {
  sqlite3_stmt* handle = nullptr;
  const char* rest = nullptr;
  if (sqlite3_prepare_v3(handle_, statement.data(), length_of(statement), SQLITE_PREPARE_PERSISTENT, &handle,
                         &rest) != SQLITE_OK)
    fail(where);
  Statement prepared(handle, where.value_or(SourceLocation{path_}));
  const std::string_view behind = statement.substr(static_cast<std::size_t>(rest - statement.data()));
  if (!handle || behind.find_first_not_of(" \t\r\n;") != std::string_view::npos)
    throw InputError(where.value_or(SourceLocation{path_}),
                     backquoted(statement) + " is not one statement of SQL; write one");
  return prepared;
}

void Database::permit_reading_only() {
  sqlite3_set_authorizer(handle_, permit_reading, nullptr);
}

void Database::fail(const std::optional<SourceLocation>& where) const {
  throw_last_error(handle_, where.value_or(SourceLocation{path_}));
}

Statement::Statement(sqlite3_stmt* handle, SourceLocation where)
    : handle_(handle), where_(std::move(where)) {}

Statement::Statement(Statement&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), where_(std::move(other.where_)) {}

void Statement::check(int code) const {
  if (code != SQLITE_OK) throw_last_error(sqlite3_db_handle(handle_), where_);
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

void Statement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(handle_, parameter, value));
}

void Statement::bind(int parameter, double value) {
  check(sqlite3_bind_double(handle_, parameter, value));
}

// A text without a place would be bound as a value that is missing.
static const char* place_of(std::string_view text) {
  return text.data() ? text.data() : "";
}

void Statement::bind(int parameter, std::string_view text) {
  check(sqlite3_bind_text(handle_, parameter, place_of(text), length_of(text), SQLITE_STATIC));
}

void Statement::bind_copy(int parameter, std::string_view text) {
  check(sqlite3_bind_text(handle_, parameter, place_of(text), length_of(text), SQLITE_TRANSIENT));
}

void Statement::bind_nothing(int parameter) {
  check(sqlite3_bind_null(handle_, parameter));
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    // The reset keeps the error.
    check(sqlite3_reset(handle_));
  }
  return false;
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

void Statement::reset() {
  sqlite3_reset(handle_);
}

int Statement::columns() const {
  return sqlite3_column_count(handle_);
}

std::string Statement::column_name(int column) const {
  return sqlite3_column_name(handle_, column);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

bool Statement::is_integer(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_INTEGER;
}

bool Statement::is_real(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_FLOAT;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(handle_, column);
}

std::string_view Statement::text(int column) const {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  return text ? std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)))
              : std::string_view();
}

bool Statement::has_parameter(int parameter) const {
  return sqlite3_bind_parameter_name(handle_, parameter) != nullptr;
}

Transaction::~Transaction() {
  // After an error the database may have rolled back itself.
  if (open_ && sqlite3_get_autocommit(database_.handle()) == 0)
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char letter : name) quoted.append(letter == '"' ? "\"\"" : std::string_view(&letter, 1));
  return quoted + '"';
}

}  // namespace orrery::core
