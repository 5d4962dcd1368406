package org.hyperslab.vol;

/** The optional abilities of a connector, so that a caller can ask before it tries. */
public enum Capability {
  /** Opens and reads files. */
  READ,
  /** Creates and edits files. */
  WRITE,
  /** Reads parts of datasets without reading the whole. */
  PARTIAL_READ,
  /** Writes parts of datasets. */
  PARTIAL_WRITE,
  /** Tracks creation order of links and attributes. */
  CREATION_ORDER,
  /** Makes external links and follows them. */
  EXTERNAL_LINKS,
  /** Makes user-defined links. */
  USER_DEFINED_LINKS,
  /** Creates and reads virtual datasets. */
  VIRTUAL_DATASETS,
  /** External raw files. */
  EXTERNAL_FILES,
  /** Reads and writes chunks as stored. */
  RAW_CHUNKS,
  /** Object and region references. */
  REFERENCES,
  /** Copies objects between files. */
  COPY,
  /** Comments on objects. */
  COMMENTS,
  /** Returns from submit before the operation has completed. */
  ASYNCHRONOUS,
  /** Carries out collective transfers. */
  COLLECTIVE,
  /** Single writer, multiple readers. */
  SWMR
}
