package org.hyperslab.convert.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.hdf5.Hdf5Source;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.SourceFile;

/**
 * A source that joins a subfiling set in a temporary file, and deletes the file when it is closed.
 *
 * @param source the file
 * @param folder the folder that contains only the temporary file
 * @param file the temporary file
 */
public record JoinedFile(Hdf5Source source, Path folder, Path file) implements SourceFile {

  /**
   * Joins a set and opens the joined file.
   *
   * @param in the stub or the {@code .config} file
   * @param path the group or dataset to read; "/" for all
   * @param mostBytes the maximum length of the joined file in bytes
   * @param work receives a report of content that the model cannot hold
   * @return the source, to be closed
   */
  public static JoinedFile open(Path in, String path, long mostBytes, ConversionRun work) {
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
  public Map<Long, String> objectPaths() {
    return source.objectPaths();
  }

  @Override
  public void close() {
    source.close();
    delete(folder, file);
  }
}
