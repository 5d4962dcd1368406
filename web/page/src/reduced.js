/** Parts of large datasets, sampled or reduced by the server. */

const SIMULTANEOUS = 4;
const MOST_KEPT = 128;

/** The parts of each opening of a file: a file that is read again has other ones. */
const partsOf = new WeakMap();

const waiting = [];
let running = 0;

function next() {
  while (running < SIMULTANEOUS && waiting.length > 0) {
    running += 1;
    waiting.pop()().finally(() => {
      running -= 1;
      next();
    });
  }
}

/** Runs when few others do; the latest first, because it is what is looked at. */
function queued(action) {
  return new Promise((resolve, reject) => {
    waiting.push(() => action().then(resolve, reject));
    next();
  });
}

async function fetchNumbers(parameters) {
  const reply = await fetch(`/data?${new URLSearchParams(parameters)}`);
  if (!reply.ok) {
    throw new Error((await reply.json()).message ?? reply.statusText);
  }
  const width = Number(reply.headers.get('x-number-bytes'));
  const bytes = await reply.arrayBuffer();
  return width === 4 ? new Float32Array(bytes) : new Float64Array(bytes);
}

/** Starts to fetch numbers, once; returns the entry that has them in the end. */
export function startNumbers(context, parameters) {
  let parts = partsOf.get(context.valuesStore);
  if (!parts) {
    parts = new Map();
    partsOf.set(context.valuesStore, parts);
  }
  const all = { file: context.filepath, format: 'bin', ...parameters };
  const key = JSON.stringify(all);
  let entry = parts.get(key);
  if (entry) {
    parts.delete(key); // and at the end again, as the last used
  } else {
    entry = {};
    entry.done = queued(() => fetchNumbers(all)).then(
      (numbers) => Object.assign(entry, { numbers }),
      (problem) => Object.assign(entry, { problem }),
    );
  }
  parts.set(key, entry);
  if (parts.size > MOST_KEPT) {
    parts.delete(parts.keys().next().value);
  }
  return entry;
}

/** The numbers of an entry; React waits for them. */
export function numbersOf(entry) {
  if (entry.problem) {
    throw entry.problem;
  }
  if (!entry.numbers) {
    throw entry.done;
  }
  return entry.numbers;
}
