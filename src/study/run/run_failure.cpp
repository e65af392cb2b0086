#include "study/run/run_failure.hpp"

#include <filesystem>
#include <new>
#include <string_view>

#include "base/diagnostics/printable.hpp"
#include "base/diagnostics/words.hpp"

namespace orrery::core {

namespace {

RunFailure of_input(const InputError& error) {
  return {FailureKind::input, error.what(), error.where(), error.message()};
}

RunFailure without_place(FailureKind kind, std::string_view severity, std::string message) {
  RunFailure failure{kind, {}, {}, std::move(message)};
  failure.text = printable_lines(std::string(severity) + ": " + failure.message);
  return failure;
}

}  // namespace

RunFailure failure_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    return of_input(error);
  } catch (const StallError& error) {
    return without_place(FailureKind::stall, "error", error.what());
  } catch (const Stopped& stopped) {
    return without_place(FailureKind::stopped, "error", stopped.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return of_input(InputError({error.path1().string()}, error.code().message() + ", check the path"));
  } catch (const std::bad_alloc&) {
    return without_place(FailureKind::input, "error",
                         "out of memory, simulate fewer NPUs, chunks or training passes");
  } catch (const std::exception& error) {
    return without_place(FailureKind::internal, "internal error", error.what());
  }
}

RunFailure failure_of_run(const std::exception_ptr& exception, const std::string& run,
                          const SourceLocation& where) {
  constexpr std::string_view nowhere = "error: ";
  RunFailure failure = failure_of(exception);
  if (failure.text.starts_with(nowhere)) {
    const std::string which = run.empty() ? "" : "run " + backquoted(run) + ": ";
    failure.text = where.text() + ": error: " + which + failure.text.substr(nowhere.size());
    failure.where = where;
  } else if (!run.empty()) {
    failure.text += " (run " + backquoted(run) + ")";
  }
  return failure;
}

}  // namespace orrery::core
