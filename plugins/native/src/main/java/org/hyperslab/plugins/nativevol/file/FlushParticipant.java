package org.hyperslab.plugins.nativevol.file;

/**
 * A component that holds edits of a file in memory, such as a chunk cache, and hands them over
 * before the file is flushed.
 */
public interface FlushParticipant {

  /**
   * Writes raw data and edits metadata, so that nothing is left behind. Called under the file's
   * write lock.
   */
  void beforeFlush();
}
