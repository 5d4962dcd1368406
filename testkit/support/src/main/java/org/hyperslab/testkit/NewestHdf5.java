package org.hyperslab.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Locates the newest HDF5 of a package archive, which is unpacked beside the machine's own.
 *
 * <p>Thread rule: any thread; processes exclude each other while they fetch it.
 */
final class NewestHdf5 {

  private NewestHdf5() {}

  /** Returns the folder whose {@code bin} holds the tools; empty if it is not available. */
  static synchronized Optional<Path> folder() {
    String given = System.getProperty("hyperslab.hdf5.newest");
    if (given != null) {
      return Optional.of(Path.of(given)).filter(NewestHdf5::isComplete);
    }
    Path fetcher = Corpus.folder().resolveSibling("bin").resolve("newest-hdf5");
    String user = System.getProperty("user.name");
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), "hyperslab-hdf5-" + user);
    if (isComplete(folder)) {
      return Optional.of(folder);
    }
    return Files.isExecutable(fetcher) && fetch(fetcher, folder)
        ? Optional.of(folder)
        : Optional.empty();
  }

  private static boolean isComplete(Path folder) {
    return Files.isExecutable(folder.resolve("bin/h5run"));
  }

  private static boolean fetch(Path fetcher, Path folder) {
    Path lockFile = folder.resolveSibling(folder.getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock alone = channel.lock()) {
      if (alone.isValid() && !isComplete(folder)) {
        new ProcessBuilder(List.of(fetcher.toString(), folder.toString()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
      }
      return isComplete(folder);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
