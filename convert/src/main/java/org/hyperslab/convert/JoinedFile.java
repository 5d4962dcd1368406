package org.hyperslab.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Hdf5;

/**
 * A subfiling set that is put together in a temporary file, which is deleted with this.
 *
 * @param source the file
 * @param folder holds it and nothing else
 * @param file the temporary file
 */
record JoinedFile(Hdf5Source source, Path folder, Path file) implements SourceFile {

  /**
   * Puts a set together.
   *
   * @param in the stub or the {@code .config}
   * @param path the group or dataset to take; "/" for all
   * @param mostBytes how long the file may be
   * @param work hears what the model cannot hold
   * @return the source, to be closed
   */
  static JoinedFile open(Path in, String path, long mostBytes, Work work) {
    try {
      Path folder = Files.createTempDirectory("hyperslab-");
      Path file = folder.resolve("joined.h5");
      try {
        SubfileSet.of(in).join(file, mostBytes);
        return new JoinedFile(new Hdf5Source(Hdf5.open(file), path, work), folder, file);
      } catch (RuntimeException | Error failure) {
        delete(folder, file);
        throw failure;
      }
    } catch (IOException failure) {
      throw FileBytes.failed("create a temporary folder for", in, failure);
    }
  }

  private static void delete(Path folder, Path file) {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    } catch (IOException failure) {
      throw FileBytes.failed("delete", file, failure);
    }
  }

  @Override
  public GroupNode root() {
    return source.root();
  }

  @Override
  public void close() {
    source.close();
    delete(folder, file);
  }
}
