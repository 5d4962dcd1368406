# Sourced. Functions that find and install the programs that tests compare with (judges.tsv of testkit).
judges_table=testkit/support/src/main/resources/org/hyperslab/testkit/judges.tsv

# judge_is_there KIND WHAT: whether a probe of the table succeeds.
judge_is_there() {
  case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    file) [ -e "$2" ] ;;
    python)
      local python=python3
      [ -x /usr/bin/python3 ] && python=/usr/bin/python3
      "$python" -c "import $2" >/dev/null 2>&1 ;;
    *) return 1 ;;
  esac
}

# missing_judges COLUMN: the names (1) or packages (3) of missing judges, each once, on one line.
missing_judges() {
  local name probe packages
  {
    command -v mvn >/dev/null 2>&1 || echo maven
    while IFS=$'\t' read -r name probe packages; do
      case $name in '#'* | '') continue ;; esac
      # shellcheck disable=SC2086 # a probe is two words
      judge_is_there $probe || { [ "$1" = 1 ] && echo "${name// /_}" || printf '%s\n' $packages; }
    done <"$judges_table"
  } | sort -u | tr '\n' ' '
}

# install_judges STRICT: installs missing judges if possible; fails if STRICT is not empty and one is
# still missing.
install_judges() {
  local packages names
  packages=$(missing_judges 3)
  if [ -n "${packages// /}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "check: installing $packages"
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null
  fi
  names=$(missing_judges 1)
  [ -n "${names// /}" ] || return 0
  echo "check: not installed: $names(tests that need them are skipped, and say so)"
  [ -z "$1" ] || { echo "check: with --strict no test may be skipped" >&2; return 1; }
}
