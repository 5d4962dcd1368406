import { useCallback, useEffect, useState } from 'react';

/** How often a file that is followed is asked for changes, in milliseconds. */
const INTERVAL = 2000;

async function json(url) {
  const reply = await fetch(url);
  const content = await reply.json();
  if (!reply.ok) {
    throw new Error(content.message ?? reply.statusText);
  }
  return content;
}

/** The names of the files that the server shows; null until they are known. */
export function useFiles() {
  const [state, setState] = useState({ files: null, problem: null });
  useEffect(() => {
    json('/files').then(
      ({ files }) => setState({ files, problem: null }),
      (error) => setState({ files: null, problem: error.message }),
    );
  }, []);
  return state;
}

function parameter(name) {
  return new URLSearchParams(globalThis.location.search).get(name);
}

/** Makes the address name the file and the path, so that it can be kept and sent. */
function keepAddress(file, path) {
  const address = new URL(globalThis.location.href);
  address.search = new URLSearchParams({ file, ...(path !== '/' && { path }) }).toString();
  if (address.href !== globalThis.location.href) {
    globalThis.history.pushState(null, '', address);
  }
}

/** The file that is shown: the address names it, or it is the only one. */
export function useFileName(files) {
  const [chosen, setChosen] = useState(() => parameter('file'));
  const file = chosen ?? (files?.length === 1 ? files[0] : null);
  useEffect(() => {
    document.title = file ? `${file} – Hyperslab` : 'Hyperslab';
  }, [file]);
  useEffect(() => {
    const follow = () => setChosen(parameter('file'));
    globalThis.addEventListener('popstate', follow);
    return () => globalThis.removeEventListener('popstate', follow);
  }, []);
  const choose = useCallback((name) => {
    setChosen(name);
    keepAddress(name, '/');
  }, []);
  return [file, choose];
}

/** The path that the address names, which the browser's back and forward buttons change. */
export function usePath(file) {
  const [epoch, setEpoch] = useState(0);
  useEffect(() => {
    const follow = () => setEpoch((count) => count + 1);
    globalThis.addEventListener('popstate', follow);
    return () => globalThis.removeEventListener('popstate', follow);
  }, []);
  const setPath = useCallback((path) => keepAddress(file, path), [file]);
  return { path: parameter('path') ?? '/', epoch, setPath };
}

/** A key that changes when the file is to be read again: on demand, or when it has changed. */
export function useVersion(file) {
  const [demands, setDemands] = useState(0);
  const [seen, setSeen] = useState('');
  const [following, setFollowing] = useState(false);
  useEffect(() => {
    if (!file || !following) {
      return undefined;
    }
    const ask = () =>
      json(`/version?${new URLSearchParams({ file })}`).then(
        ({ version }) => setSeen(version),
        () => {}, // the viewer itself reports what fails
      );
    ask();
    const timer = setInterval(ask, INTERVAL);
    return () => clearInterval(timer);
  }, [file, following]);
  return {
    version: `${demands} ${seen}`,
    refresh: () => setDemands((count) => count + 1),
    following,
    setFollowing,
  };
}
