package org.hyperslab.convert.numpy;

import java.nio.file.Path;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.bytes.InputBytes;
import org.hyperslab.convert.bytes.ZipInput;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.SourceFile;
import org.hyperslab.error.CorruptFileException;

/**
 * A source that reads a NumPy array, which becomes the variable {@code data}, or an archive of
 * arrays.
 */
public final class NumpySource implements SourceFile {

  private static final String SUFFIX = ".npy";

  private final AutoCloseable file;
  private final GroupNode root = GroupNode.empty("/");

  private NumpySource(AutoCloseable file) {
    this.file = file;
  }

  /**
   * Opens an array.
   *
   * @param path a {@code .npy} file
   * @return the source, to be closed
   * @throws CorruptFileException if it is none
   */
  public static NumpySource openArray(Path path) {
    FileBytes file = FileBytes.open(path);
    NumpySource source = new NumpySource(file);
    return source.filled(() -> source.root.variables().add(NpyArray.variable("/data", file)));
  }

  /**
   * Opens a file without a header, whose elements become the variable {@code data}.
   *
   * @param path the file
   * @param description the content, such as {@code type=<f8,shape=100x200,order=C,offset=0}
   * @return the source, to be closed
   * @throws CorruptFileException if the file is too short
   * @throws org.hyperslab.error.InvalidUseException if the description is malformed
   */
  public static NumpySource openRaw(Path path, String description) {
    RawDescription raw = RawDescription.parse(description);
    FileBytes file = FileBytes.open(path);
    NumpySource source = new NumpySource(file);
    NpyHeader header =
        new NpyHeader(
            NpyHeader.literal(raw.type()), raw.type(), raw.fortran(), raw.shape(), raw.offset());
    return source.filled(
        () -> source.root.variables().add(NpyArray.variable("/data", file, header)));
  }

  /**
   * Opens an archive of arrays.
   *
   * @param path a {@code .npz} file
   * @param expandedBytes the maximum total size of its inflated entries, in bytes
   * @param work receives a report of entries that are not arrays
   * @return the source, to be closed
   * @throws CorruptFileException if it is none
   */
  public static NumpySource openArchive(Path path, long expandedBytes, ConversionRun work) {
    ZipInput zip = new ZipInput(path, expandedBytes);
    NumpySource source = new NumpySource(zip);
    return source.filled(() -> {
      for (String name : zip.names()) {
        if (!name.endsWith(SUFFIX) || name.length() == SUFFIX.length()) {
          work.reportLoss("an entry that is no array of NumPy", name);
          continue;
        }
        InputBytes bytes = zip.open(name).orElseThrow();
        source.add(name.substring(0, name.length() - SUFFIX.length()), bytes);
      }
    });
  }

  private NumpySource filled(Runnable fill) {
    try {
      fill.run();
      return this;
    } catch (RuntimeException | Error failure) {
      close();
      throw failure;
    }
  }

  private void add(String name, InputBytes bytes) {
    GroupNode group = root;
    String[] parts = name.split("/", -1);
    for (int i = 0; i < parts.length - 1; i++) {
      group = child(group, parts[i], bytes);
    }
    String path = group.child(parts[parts.length - 1]);
    requireFree(group.groups().stream().noneMatch(g -> g.path().equals(path)), path, bytes);
    requireFree(!parts[parts.length - 1].isEmpty(), path, bytes);
    group.variables().add(NpyArray.variable(path, bytes));
  }

  private static GroupNode child(GroupNode parent, String name, InputBytes bytes) {
    String path = parent.child(name);
    requireFree(parent.variables().stream().noneMatch(v -> v.path().equals(path)), path, bytes);
    return parent.groups().stream()
        .filter(group -> group.path().equals(path))
        .findFirst()
        .orElseGet(() -> {
          GroupNode child = GroupNode.empty(path);
          parent.groups().add(child);
          return child;
        });
  }

  private static void requireFree(boolean free, String path, InputBytes bytes) {
    if (!free) {
      throw new CorruptFileException(
          bytes.name(),
          "array name",
          CorruptFileException.NO_OFFSET,
          "actual=" + path + " names a group and an array, expected=one of them");
    }
  }

  @Override
  public GroupNode root() {
    return root;
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (RuntimeException known) {
      throw known;
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }
}
