/** Chooses the file, and when it is read again. */
export function Bar({ files, file, onFile, onRefresh, following, onFollowing }) {
  return (
    <header className="page-bar">
      <strong>Hyperslab</strong>
      {files.length === 1 ? (
        <span className="page-file" title={file}>{file}</span>
      ) : (
        <select
          className="page-file"
          aria-label="File"
          value={file ?? ''}
          onChange={(event) => onFile(event.target.value)}
        >
          <option value="" disabled>
            {`${files.length} files`}
          </option>
          {files.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <span className="page-space" />
      <button type="button" onClick={onRefresh} disabled={!file}>
        Refresh
      </button>
      <label title="Reads the file again when it has changed">
        <input
          type="checkbox"
          checked={following}
          onChange={(event) => onFollowing(event.target.checked)}
        />
        Follow
      </label>
    </header>
  );
}
