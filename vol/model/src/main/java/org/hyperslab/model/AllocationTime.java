package org.hyperslab.model;

/** When storage for a dataset's elements is allocated. */
public enum AllocationTime {
  /** Depends on the layout: compact early, contiguous late, chunked incrementally. */
  DEFAULT,
  /** When the dataset is created. */
  EARLY,
  /** All storage, when the first element is written. */
  LATE,
  /** Each chunk when it is first written. */
  INCREMENTAL
}
