package org.hyperslab.plugins.nativevol.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The times that the operating system has of a local file, in nanoseconds since 1970.
 *
 * @param modified when its bytes were modified last; programs can set it
 * @param changed when its entry was changed last, which modifying and setting times does, too;
 *     programs cannot set it
 */
public record EntryTimes(long modified, long changed) {

  /**
   * {@return the times of a file; empty if the file system does not tell both}
   *
   * @param path the file
   */
  public static Optional<EntryTimes> of(Path path) {
    try {
      Map<String, Object> times = Files.readAttributes(path, "unix:lastModifiedTime,ctime");
      return times.get("lastModifiedTime") instanceof FileTime modified
              && times.get("ctime") instanceof FileTime changed
          ? Optional.of(new EntryTimes(nanos(modified.toInstant()), nanos(changed.toInstant())))
          : Optional.empty();
    } catch (IOException | RuntimeException notTold) {
      return Optional.empty(); // other systems have no such attributes
    }
  }

  /**
   * {@return a moment in nanoseconds since 1970}
   *
   * @param moment the moment
   */
  public static long nanos(Instant moment) {
    return TimeUnit.SECONDS.toNanos(moment.getEpochSecond()) + moment.getNano();
  }

  /**
   * Sets when a file was modified last; has no effect if that is not possible.
   *
   * @param path the file
   * @param moment the moment
   */
  public static void setModified(Path path, Instant moment) {
    try {
      Files.setLastModifiedTime(path, FileTime.from(moment));
    } catch (IOException | RuntimeException impossible) {
      // the time that the file has is another one then
    }
  }
}
