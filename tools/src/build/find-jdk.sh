# Sourced. find_jdk [PROGRAM] sets JAVA_HOME to a JDK 25 or newer: JAVA_HOME itself, PROGRAM on PATH, then the usual
# folders. PROGRAM is javac, for building; with java, what only runs programs (a JRE) will do.
# Returns 1 and prints one line if there is none.
jdk_version() {
  [ -x "$1/bin/$2" ] || return 1
  if [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
  else
    "$1/bin/$2" -version 2>&1 | sed -n '1s/^[^0-9]*\([0-9]*\).*/\1/p'
  fi
}

find_jdk() {
  local candidate version on_path="" program=${1:-javac} what=JDK
  [ "$program" = javac ] || what="JDK or JRE"
  if command -v "$program" >/dev/null 2>&1; then
    on_path=$(readlink -f "$(command -v "$program")")
    on_path=${on_path%/bin/"$program"}
  fi
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
      /opt/*jdk* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -n "$candidate" ] || continue
    version=$(jdk_version "$candidate" "$program") || continue
    if [ -n "$version" ] && [ "$version" -ge 25 ]; then
      JAVA_HOME=$candidate
      export JAVA_HOME
      return 0
    fi
  done
  echo "hyperslab: no $what 25 or newer found (looked at JAVA_HOME, PATH, /usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks); install JDK 25.0.3 or newer, e.g. Temurin 25 or Debian 13's openjdk-25-jdk-headless, or set JAVA_HOME to it" >&2
  return 1
}
