package org.hyperslab.spark.write;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;

/**
 * The arrays that tasks write parts of. Rows come to tasks as the number of a chunk, the number of
 * an element in it, and the values of the variables.
 *
 * <p>Thread rule: immutable.
 *
 * @param folder the folder beside the output that has all until it is complete
 * @param shape the lengths of the dimensions after writing, slowest first
 * @param chunk the lengths of a chunk
 * @param variables the variables
 * @param filters the filters of chunks: the number of each, and its parameters
 * @param kept the length of the first dimension that the output has already
 */
record ArrayPlan(
    String folder,
    long[] shape,
    long[] chunk,
    List<StoredColumn> variables,
    List<List<Integer>> filters,
    long kept)
    implements Serializable {

  /** The names of the columns that say where a row belongs. */
  static final String CHUNK = "__hyperslab_chunk";

  static final String ELEMENT = "__hyperslab_element";

  static List<List<Integer>> plain(List<FilterSpec> filters) {
    List<List<Integer>> all = new ArrayList<>();
    for (FilterSpec each : filters) {
      List<Integer> numbers = new ArrayList<>(List.of(each.id()));
      each.parameters().forEach(numbers::add);
      all.add(numbers);
    }
    return all;
  }

  List<FilterSpec> filterSpecs() {
    return filters.stream()
        .map(each ->
            FilterSpec.of(each.getFirst(), each.subList(1, each.size()).toArray(Integer[]::new)))
        .toList();
  }

  /** Returns how the datasets of parts are stored, whose chunks become those of the output. */
  DatasetOptions options(StoredColumn variable) {
    DatasetOptions.Builder builder = DatasetOptions.chunked(chunk).fill(variable.fill());
    filterSpecs().forEach(builder::filter);
    return builder.build();
  }

  /** Returns the first element of a chunk. */
  long[] origin(long number) {
    long[] origin = new long[shape.length];
    long rest = number;
    for (int d = shape.length - 1; d >= 0; d--) {
      long blocks = Math.ceilDiv(shape[d], chunk[d]);
      origin[d] = rest % blocks * chunk[d];
      rest /= blocks;
    }
    return origin;
  }

  int chunkElements() {
    long count = 1;
    for (long length : chunk) {
      count = Math.multiplyExact(count, length);
    }
    return Math.toIntExact(count);
  }

  /** Returns this as a text, by which Spark passes it to the driver's side of the write. */
  String encoded() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(this);
    } catch (IOException failure) {
      throw new StorageException("plan of arrays: actual=not encoded, expected=encoded", failure);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  static ArrayPlan decoded(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (ArrayPlan) in.readObject();
    } catch (IOException | ClassNotFoundException failure) {
      throw new StorageException("plan of arrays: actual=not decoded, expected=decoded", failure);
    }
  }
}
