package org.hyperslab.spark.table;

import java.util.List;
import java.util.stream.LongStream;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectKind;

/**
 * A group with a sparse matrix, as anndata stores it: the datasets {@code data}, {@code indices}
 * and {@code indptr}, and the attributes {@code encoding-type} and {@code shape}.
 *
 * <p>Source: anndata, "On-disk format", sparse arrays.
 *
 * <p>Thread rule: immutable.
 */
final class SparseMatrix {

  private static final String ENCODING = "encoding-type";

  private final H5File file;
  private final String path;
  private final int major;
  private final long[] shape;

  private SparseMatrix(H5File file, String path, int major, long[] shape) {
    this.file = file;
    this.path = path;
    this.major = major;
    this.shape = shape;
  }

  /** Returns whether a query names one group, which has a sparse matrix. */
  static boolean isAskedFor(H5File file, SourceOptions options) {
    if (options.variables().size() != 1) {
      return false;
    }
    String path = options.variables().getFirst().path();
    return file.exists(path)
        && file.get(path).kind() == ObjectKind.GROUP
        && !encoding(file, path).isEmpty();
  }

  private static String encoding(H5File file, String path) {
    Group group = file.group(path);
    String text =
        group.hasAttribute(ENCODING) && group.attribute(ENCODING).read() instanceof String word
            ? word
            : "";
    return text.equals("csr_matrix") || text.equals("csc_matrix") ? text : "";
  }

  static SparseMatrix of(H5File file, SourceOptions.Variable variable, String name) {
    String path = variable.path();
    int major = encoding(file, path).equals("csr_matrix") ? 0 : 1;
    Group group = file.group(path);
    long[] shape =
        group.hasAttribute("shape") ? group.attribute("shape").read(long[].class) : new long[0];
    boolean isWhole =
        shape.length == 2
            && List.of("data", "indices", "indptr").stream().allMatch(part -> group.exists(part));
    if (!isWhole) {
      throw new InvalidUseException(
          "sparse matrix: actual="
              + group.names()
              + ", expected=data, indices, indptr, and a shape of two lengths, variable="
              + path
              + ", file="
              + name);
    }
    return new SparseMatrix(file, path, major, shape);
  }

  Filler values(boolean decode, String name) {
    try (Dataset data = file.dataset(path + "/data")) {
      return TableVariable.filler(data, decode, name);
    }
  }

  TablePart part(OpenSource opened) {
    try (Dataset indices = file.dataset(path + "/indices");
        Dataset data = file.dataset(path + "/data");
        Dataset pointers = file.dataset(path + "/indptr")) {
      long stored = indices.elementCount();
      boolean fits =
          indices.rank() == 1
              && data.elementCount() == stored
              && pointers.elementCount() == Math.addExact(shape[major], 1L);
      if (!fits) {
        throw new InvalidUseException(
            "sparse matrix: actual="
                + data.elementCount()
                + " values, "
                + stored
                + " indices, "
                + pointers.elementCount()
                + " pointers, expected=as many values as indices, and "
                + (shape[major] + 1)
                + " pointers, variable="
                + path
                + ", file="
                + opened.name());
      }
      long chunk =
          indices.options().layout() instanceof Layout.Chunked it ? it.dimsArray()[0] : stored;
      return new TablePart(
          opened.name(),
          opened.stamp(),
          List.of(new Axis("row", shape[0], null), new Axis("column", shape[1], null)),
          LongStream.of(Math.max(1, chunk)).boxed().toList(),
          indices.options().layout() instanceof Layout.Chunked,
          List.of(false),
          new TablePart.Sparse(path, major, stored));
    }
  }
}
