#!/usr/bin/env bash
# Makes everything that a release would publish, in a temporary folder, publishes nothing, and checks it:
# two builds in different folders give the same bytes; each artifact has its POM, sources, javadoc, bill
# of materials, checksums and signature; POMs say what Maven Central asks; no SNAPSHOT is left; the
# modules run from the module path and from an image made by jlink.
#   release/dry-run.sh [--brief] [FOLDER]   keeps the bundle and the image in FOLDER
#     --brief   makes the javadoc once and does not compare it; ./check --full runs it so
# Maven needs its plugins, from the network or from earlier runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
brief=
if [ "${1:-}" = --brief ]; then
  brief=true
  shift
fi
. tools/src/build/find-jdk.sh
find_jdk || exit 1
command -v gpg >/dev/null 2>&1 || { echo "release: a signature is tried with a key made for it, which needs gpg" >&2; exit 1; }

work=$(mktemp -d)
export GNUPGHOME=$work/keys
trap 'gpgconf --kill all >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
fail() { echo "release: $*" >&2; exit 1; }

mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-gen-key 'Hyperslab dry run <nobody@hyperslab.org>' default default never 2>/dev/null

# build FOLDER GOAL...: builds a copy of the tree that lies in FOLDER.
build() {
  local folder=$1
  shift
  mkdir -p "$folder"
  git -C "$root" ls-files -z -co --exclude-standard | tar -c -C "$root" --null --files-from=- | tar -x -C "$folder" ||
    fail "the tree could not be copied"
  (cd "$folder" && mvn -B -ntp -q -T 2 -Prelease -DskipTests -Dmaven.test.skip=true \
    -Dgpg.keyname=nobody@hyperslab.org "$@") >"$work/build.log" 2>&1 ||
    { tail -n 60 "$work/build.log" >&2; fail "the build failed"; }
}
echo "release: building what would be published"
build "$work/one" deploy "-DaltDeploymentRepository=bundle::file://$work/bundle"
version=$(sed -n 's,^  <version>\(.*\)</version>$,\1,p' pom.xml | head -1)
case $version in *SNAPSHOT*) fail "the version is $version" ;; esac
grep -rl --include='*.pom' SNAPSHOT "$work/bundle" && fail "these POMs name a SNAPSHOT"

published=$(cd "$work/bundle/org/hyperslab" && ls)
expected=$(sed -n 's,.*<artifactId>\(hyperslab[a-z0-9-]*\)</artifactId><version>.*,\1,p' release/bom/pom.xml)
[ "$(printf '%s\n' $published | sort)" = "$(printf '%s\n' $expected hyperslab-bom hyperslab-parent | sort)" ] ||
  fail "published: $published; expected, from the BOM: $expected hyperslab-bom hyperslab-parent"
for artifact in $published; do
  base=$work/bundle/org/hyperslab/$artifact/$version/$artifact-$version
  files="$base.pom"
  case $artifact in
    hyperslab-bom | hyperslab-parent) ;;
    *) files="$files $base.jar $base-sources.jar $base-javadoc.jar $base-cyclonedx.json" ;;
  esac
  for file in $files; do
    [ -s "$file" ] || fail "missing: ${file#"$work"/bundle/}"
    for sum in md5 sha1; do
      [ "$(cat "$file.$sum")" = "$("${sum}sum" <"$file" | cut -d' ' -f1)" ] || fail "wrong: ${file##*/}.$sum"
    done
    gpg --batch --quiet --verify "$file.asc" "$file" 2>/dev/null || fail "wrong signature: ${file##*/}"
  done
  # What a POM must say may stand in its parent's.
  for element in name description; do
    grep -q "<$element>" "$base.pom" || fail "$artifact's POM has no $element"
  done
done
for artifact in hyperslab-bom hyperslab-parent; do
  for element in name description url license developer scm; do
    grep -q "<$element>" "$work/bundle/org/hyperslab/$artifact/$version/$artifact-$version.pom" ||
      fail "$artifact's POM has no $element"
  done
done

echo "release: building again elsewhere, to compare"
build "$work/elsewhere" package -Dgpg.skip=true ${brief:+-Dmaven.javadoc.skip=true -Dcyclonedx.skip=true}
compared=0
while read -r jar; do
  other=$(find "$work/elsewhere" -path '*/target/*' -name "${jar##*/}" ! -path '*/dist/*' | head -1)
  cmp -s "$jar" "$other" || fail "not the same in two builds: ${jar##*/}"
  compared=$((compared + 1))
done < <(find "$work/bundle" -name '*.jar' ${brief:+! -name '*-javadoc.jar'})

echo "release: running from the module path, and from an image"
modules=$work/modules
mkdir "$modules"
for artifact in hyperslab hyperslab-format hyperslab-model hyperslab-spi hyperslab-api hyperslab-native hyperslab-remote; do
  cp "$work/bundle/org/hyperslab/$artifact/$version/$artifact-$version.jar" "$modules/"
done
mkdir -p "$work/app/src" "$work/app/classes"
cp release/try/*.java "$work/app/src/"
"$JAVA_HOME/bin/javac" -d "$work/app/classes" --module-path "$modules" "$work"/app/src/*.java
"$JAVA_HOME/bin/java" --enable-native-access=org.hyperslab.format --module-path "$modules:$work/app/classes" \
  -m org.hyperslab.release.first/org.hyperslab.release.first.First "$work/one.h5"
"$JAVA_HOME/bin/jlink" --module-path "$modules:$work/app/classes" --add-modules org.hyperslab.release.first \
  --strip-debug --no-header-files --no-man-pages --output "$work/image"
"$work/image/bin/java" --enable-native-access=org.hyperslab.format \
  -m org.hyperslab.release.first/org.hyperslab.release.first.First "$work/two.h5"
cmp "$work/one.h5" "$work/two.h5"

if [ -n "${1:-}" ]; then
  mkdir -p "$1"
  cp -r "$work/bundle" "$1/"
  cp -r "$work/image" "$1/"
fi
echo "release: $(printf '%s\n' $published | wc -l) artifacts of version $version would be published; $compared jars are the same in two builds; image of $(du -sm "$work/image" | cut -f1) MiB"
