package org.hyperslab.model;

/** What happens when a writer of steps is faster than one of its readers. */
public enum FollowPolicy {
  /** Nothing: steps stay in the file, and the reader takes every one of them, however late. */
  EVERY,
  /**
   * The writer waits, so that it is never more than a number of steps ahead of the reader. For
   * readers in the writer's program, or through the same staging server.
   */
  BLOCK,
  /**
   * The reader drops steps: it takes the newest ones only, up to a number, and skips those before.
   */
  KEEP_LAST
}
