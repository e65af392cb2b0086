# The stages that ./dev is made of; each prints one line. Sourced by ./dev.

note() { printf 'dev: %s\n' "$*" >&2; }
die() {
  note "$*"
  exit 2
}

# stage NAME COMMAND...: what the command prints goes to a log, whose end is shown when the command fails.
stage() {
  local name=$1 start=$SECONDS status=0 verdict=ok log
  log=$(log_of "$name")
  shift
  mkdir -p "$logs"
  if [[ -t 1 ]]; then printf '%-40s ...\r' "$name"; fi
  "$@" >"$log" 2>&1 </dev/null || status=$? verdict=FAILED
  printf '%-40s %-6s %5d s\n' "$name" "$verdict" $((SECONDS - start))
  if ((status)); then
    grep -vE '^ *(Start +[0-9]+:|[0-9]+/[0-9]+ Test .* Passed|[0-9]+ warnings? generated)' "$log" | tail -n 60 >&2 || true
    note "all of it is in $log"
  fi
  return "$status"
}

log_of() { printf '%s/%.60s.log' "$logs" "${1//[^A-Za-z0-9]/-}"; }

# A stage that counts as a test.
check() {
  if stage "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# counted COMMAND...: its failure counts as a failed test.
counted() {
  "$@" || {
    failed=$((failed + 1))
    return 1
  }
}

finish() {
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
