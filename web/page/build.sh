#!/usr/bin/env bash
# Builds the viewer's page from npm's packages into this module's resources. Needs Node.js 20 and the
# npm registry; run it when package.json or the sources here change, and commit what it made.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r package.json package-lock.json vite.config.js h5web-changes.js licences.mjs index.html src "$work/"
out=$(cd .. && pwd)/src/main/resources/org/hyperslab/web/page
cd "$work"
# Not ci: it refuses a lock that lacks the packages of other platforms. The lock's checksums hold here too.
npm install --no-audit --no-fund
npx vite build --outDir "$out"
node licences.mjs "$out/LICENCES.txt"
