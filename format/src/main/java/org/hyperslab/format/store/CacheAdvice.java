package org.hyperslab.format.store;

/**
 * Advises the system's page cache on the access pattern: which bytes of a file will be read next,
 * and which are not needed again. It is not an error if the system does not accept the advice.
 *
 * <p>Thread rule: safe.
 */
final class CacheAdvice {

  private static final long PAGE_BYTES = 4096;

  private final PosixFile file;
  private final boolean readOnce;
  private final boolean writeOnce;
  private final int direction;

  /** The end offset of the last read; the bytes before it in its page were read, too. */
  private long readEnd;

  private long writtenFrom = Long.MAX_VALUE;
  private long writtenTo;

  CacheAdvice(PosixFile file, boolean readOnce, boolean writeOnce, int direction) {
    this.file = file;
    this.readOnce = readOnce;
    this.writeOnce = writeOnce;
    this.direction = direction;
  }

  /** Records that a range was read. */
  synchronized void read(long offset, long length) {
    if (direction > 0) {
      file.advise(offset + length, length, true);
    } else if (direction < 0 && offset > 0) {
      long before = Math.min(length, offset);
      file.advise(offset - before, before, true);
    }
    if (readOnce) {
      long from = offset == readEnd ? offset - offset % PAGE_BYTES : offset;
      file.advise(from, offset + length - from, false);
    }
    readEnd = offset + length;
  }

  /** Records that a range was written; it must stay in memory until it is on the disk. */
  synchronized void written(long offset, long length) {
    writtenFrom = Math.min(writtenFrom, offset);
    writtenTo = Math.max(writtenTo, offset + length);
  }

  /** Records that everything written so far is on the disk. */
  synchronized void forced() {
    if (writeOnce && writtenFrom < writtenTo) {
      file.advise(writtenFrom, writtenTo - writtenFrom, false);
      writtenFrom = Long.MAX_VALUE;
      writtenTo = 0;
    }
  }
}
