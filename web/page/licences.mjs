// Writes the licences of every package that the page is built from: node licences.mjs OUT
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const folders = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .slice(1)
  .filter((folder) => !folder.includes('/@types/'));

const parts = [...new Set(folders)].sort().map((folder) => {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  const by = typeof author === 'string' ? author : author?.name;
  const text = file && existsSync(join(folder, file))
    ? readFileSync(join(folder, file), 'utf8').trim()
    : `(${basename(folder)} ships no licence text; package.json says ${license}${by ? `, by ${by}` : ''})`;
  return `${name} ${version}: ${license}\n\n${text}\n`;
});

writeFileSync(process.argv[2], parts.join(`\n${'-'.repeat(80)}\n\n`));
