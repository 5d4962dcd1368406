package org.hyperslab.format.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Exchanges the names of two files or folders in one step, by Linux's {@code renameat2}, which Java
 * does not offer.
 *
 * <p>Thread rule: stateless.
 */
final class FileExchange {

  private static final long AT_FDCWD = -100;
  private static final long RENAME_EXCHANGE = 2;

  private FileExchange() {}

  /**
   * Exchanges two names of the same file system.
   *
   * @param one a file or folder
   * @param other another one
   * @return whether it was done; if not, both are unchanged, because the system or the file system
   *     cannot do it
   */
  static boolean exchange(Path one, Path other) {
    if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux")) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      Optional<NativeFunction> rename = NativeFunction.ofCLibrary("renameat2", 5);
      return rename.isPresent()
          && (int)
                  rename
                      .get()
                      .call(
                          NativeFunction.value(AT_FDCWD),
                          name(one, arena),
                          NativeFunction.value(AT_FDCWD),
                          name(other, arena),
                          NativeFunction.value(RENAME_EXCHANGE))
              == 0;
    } catch (UnsupportedFeatureException noNativeAccess) {
      return false;
    }
  }

  private static MemorySegment name(Path path, Arena arena) {
    return arena.allocateFrom(path.toAbsolutePath().toString());
  }
}
