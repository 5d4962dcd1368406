package org.hyperslab.plugins.nativevol.file;

/**
 * A component that holds edits of a file in memory, such as a chunk cache, and writes them before
 * the file is flushed.
 */
public interface FlushParticipant {

  /**
   * Writes all pending raw data and applies all pending edits of metadata. Called under the file's
   * write lock.
   */
  void beforeFlush();
}
