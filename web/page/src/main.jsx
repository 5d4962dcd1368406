import '@h5web/app/styles.css';
import './page.css';

import { App, enableBigIntSerialization, H5GroveProvider } from '@h5web/app';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { Bar } from './Bar.jsx';
import { useFileName, useFiles, usePath, useVersion } from './state.js';

enableBigIntSerialization();

/** The whole page: a bar that chooses the file, and h5web below it. */
function Page() {
  const { files, problem } = useFiles();
  const [file, setFile] = useFileName(files);
  const { path, epoch, setPath } = usePath(file);
  const { version, refresh, following, setFollowing } = useVersion(file);

  if (problem) {
    return <p className="page-message" role="alert">{problem}</p>;
  }
  if (!files) {
    return <p className="page-message">Loading…</p>;
  }
  return (
    <div className="page">
      <Bar
        files={files}
        file={file}
        onFile={setFile}
        onRefresh={refresh}
        following={following}
        onFollowing={setFollowing}
      />
      <div className="page-viewer">
        {file ? (
          <H5GroveProvider key={file} url={globalThis.location.origin} filepath={file} resetKeys={[version]}>
            <App key={epoch} disableDarkMode initialPath={path} onPath={setPath} />
          </H5GroveProvider>
        ) : (
          <p className="page-message">
            {files.length === 0 ? 'No HDF5 file here.' : 'Choose a file.'}
          </p>
        )}
      </div>
    </div>
  );
}

createRoot(document.querySelector('#root')).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
