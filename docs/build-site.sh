#!/usr/bin/env bash
# Builds target/site: the guides of docs/ and the javadoc of every published module, with one search.
#   docs/build-site.sh
# The guides become doc-files of the module org.hyperslab, which the javadoc tool renders and indexes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
. tools/src/build/find-jdk.sh
find_jdk || exit 1

site=$root/target/site
pages=$root/target/site-pages
rm -rf "$site" "$pages"
mkdir -p "$pages/doc-files"
[ -n "${HYPERSLAB_NO_BUILD:-}" ] || echo "site: building the modules"
[ -n "${HYPERSLAB_NO_BUILD:-}" ] || mvn -B -ntp -q -Dhyperslab.plain -DskipTests -Dmaven.test.skip=true -pl tools,release/hyperslab -am package
# What sources say of null is part of no artifact.
jspecify=$(sed -n 's,.*<jspecify.version>\(.*\)</jspecify.version>.*,\1,p' pom.xml)
mvn -B -ntp -q -N dependency:copy "-Dartifact=org.jspecify:jspecify:$jspecify" "-DoutputDirectory=$root/target/site-lib"

# page FROM TO PREFIX: a page of Markdown, with its headings in the search index and links as in the
# site, where PREFIX leads from the page to the other guides.
page() {
  awk -v prefix="$3" -v folder="$(dirname "$1")" '
    # resolve(LINK): the path from the root of the tree of a link in this page.
    function resolve(link,   words, kept, count, depth, i, path) {
      count = split(folder "/" link, words, "/")
      depth = 0
      for (i = 1; i <= count; i++) {
        if (words[i] == "..") depth--
        else if (words[i] != ".") kept[++depth] = words[i]
      }
      path = kept[1]
      for (i = 2; i <= depth; i++) path = path "/" kept[i]
      return path
    }
    /^```mermaid/ { drawing = 1 }
    drawing { if (/^```$/) drawing = 0; next }
    /^```/ { code = !code }
    !code && /^#+ / {
      text = $0
      sub(/^#+ /, "", text)
      mark = $1
      gsub(/`/, "", text)
      # A name may stand for several pages: the first heading of each says which.
      if (mark == "#") title = text
      label = mark == "#" ? "guide" : title
      gsub(/"/, "", text)
      slug = tolower(text)
      gsub(/[^a-z0-9 _-]/, "", slug)
      gsub(/ /, "-", slug)
      print "<a id=\"" slug "\"></a>\n"
      $0 = mark " {@index \"" text "\" " label "}"
    }
    !code {
      out = ""
      rest = $0
      while (match(rest, /\]\([A-Za-z0-9.\/_-]+\.(md|png)(#[a-z0-9-]+)?\)/)) {
        link = substr(rest, RSTART + 2, RLENGTH - 3)
        out = out substr(rest, 1, RSTART + 1)
        rest = substr(rest, RSTART + RLENGTH)
        anchor = ""
        if (at = index(link, "#")) { anchor = substr(link, at); link = substr(link, 1, at - 1) }
        link = resolve(link)
        sub(/^docs\//, "", link)
        gsub(/\//, "-", link)
        sub(/\.md$/, ".html", link)
        out = out prefix link anchor ")"
      }
      $0 = out rest
    }
    { print }' "$1" > "$2"
}
for guide in docs/*.md CHANGELOG.md CONFORMANCE.md CONTRIBUTING.md CORRECTNESS.md DESIGN.md; do
  page "$guide" "$pages/doc-files/$(basename "$guide")" ""
done
cp docs/*.png "$pages/doc-files/"
for picture in examples/plots/*.png; do
  cp "$picture" "$pages/doc-files/${picture//\//-}"
done
for other in benchmarks/{RESULTS,NOTEBOOK}.md benchmarks/space/histories.md examples/README.md testkit/REGRESSIONS.md plugins/libhdf5/{API_TESTS,CLIENTS}.md \
  $(find ./* -name DESIGN.md -path './*/*' -not -path '*/target/*' | sed 's|^\./||' | sort); do
  page "$other" "$pages/doc-files/${other//\//-}" ""
done
page README.md "$pages/overview.md" org.hyperslab/doc-files/
cp release/hyperslab/src/main/java/module-info.java "$pages/"

sources=(--module-source-path "org.hyperslab=$pages")
modules=org.hyperslab
while read -r info; do
  folder=${info%/module-info.java}
  module=$(sed -n 's/^module \([a-z0-9.]*\) {.*/\1/p' "$info")
  generated=${folder%/src/main/java}/target/generated-sources/protobuf
  [ -d "$generated" ] && folder=$folder:$root/$generated
  sources+=(--module-source-path "$module=$root/$folder")
  modules=$modules,$module
done < <(find ./* \( -name target -o -path ./testkit -o -path ./examples -o -path ./benchmarks -o -path ./tools -o -path ./release \) -prune \
  -o -path '*/src/main/java/module-info.java' -print | sed 's|^\./||' | sort)

echo "site: javadoc and guides"
"$JAVA_HOME/bin/javadoc" -quiet -d "$site" "${sources[@]}" --module "$modules" \
  --module-path "$root/tools/target/dist/lib:$root/target/site-lib" --show-packages exported --show-module-contents api \
  -Xdoclint:none -notimestamp -encoding UTF-8 -docencoding UTF-8 \
  -windowtitle Hyperslab -overview "$pages/overview.md" >"$root/target/site.log" 2>&1 ||
  { cat "$root/target/site.log" >&2; exit 1; }
grep -E 'error:' "$root/target/site.log" >&2 && exit 1
# The javadoc tool reads pages twice, and indexes each heading a second time, under a mark that no page has.
index=$site/tag-search-index.js
kept=
while IFS= read -r entry; do
  url=$(sed -n 's/.*"u":"\([^"]*\)".*/\1/p' <<<"$entry")
  case $url in
    */doc-files/*) grep -qF "id=\"${url#*#}\"" "$site/${url%%#*}" || continue ;;
  esac
  kept=$kept${kept:+,}$entry
done < <(sed -e 's/^tagSearchIndex = \[//' -e 's/\];updateSearchResults();$//' -e 's/},{/}\n{/g' "$index" | grep .)
printf 'tagSearchIndex = [%s];updateSearchResults();' "$kept" >"$index"

# Links between pages lead somewhere.
broken=0
for file in "$site"/index.html "$site"/org.hyperslab/doc-files/*.html; do
  while IFS= read -r link; do
    target=${link%%#*}
    target=$(dirname "$file")/${target:-$(basename "$file")}
    case $link in *#*) mark=${link#*#} ;; *) mark= ;; esac
    if [ ! -e "$target" ] || { [ -n "$mark" ] && ! grep -qF "id=\"$mark\"" "$target"; }; then
      echo "site: ${file#"$site"/} links to $link, which is not there" >&2
      broken=1
    fi
  done < <(sed -n '/<main/,/<\/main>/p' "$file" | grep -oE '(href|src)="[^"]*"' | sed -E -e 's/^(href|src)="//' -e 's/"$//' | grep -v '^https*:' | sort -u)
done
[ "$broken" = 0 ] || exit 1
echo "site: $site/index.html"
