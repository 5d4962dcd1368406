package org.hyperslab.tools.query;

import java.io.PrintStream;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.interchange.json.ElementJson;
import org.hyperslab.interchange.json.JsonOutput;

/** Prints selected elements with their indices, some thousand at a time. */
final class FoundElements {

  private static final int AT_ONCE = 4096;
  private static final long MOST_IN_DOCUMENT = 1 << 20;

  private final H5File file;
  private final Dataset dataset;
  private final long[] shape;
  private final Selection found;
  private final long count;

  FoundElements(H5File file, Dataset dataset, Selection found, long limit) {
    this.file = file;
    this.dataset = dataset;
    this.shape = dataset.shape();
    this.found = found;
    this.count = Math.min(limit, found.elementCount(shape));
  }

  /** Takes the indices of some elements, one behind the other. */
  private interface Some {
    void take(long[] indices, int count);
  }

  private void each(Some use) {
    int rank = shape.length;
    for (long first = 0; first < count; first += AT_ONCE) {
      int some = (int) Math.min(AT_ONCE, count - first);
      long[] indices = new long[some * rank];
      int at = 0;
      RunCursor runs = found.runs(shape, first, some);
      while (rank > 0 && runs.next()) {
        for (long i = 0; i < runs.length(); i++) {
          long offset = runs.offset() + i;
          for (int d = rank - 1; d >= 0; d--) {
            indices[at + d] = offset % shape[d];
            offset /= shape[d];
          }
          at += rank;
        }
      }
      use.take(indices, some);
    }
  }

  private Selection points(long[] indices) {
    return shape.length == 0 ? Selection.all() : Selection.points(shape.length, indices);
  }

  /** Writes the members {@code indices} and, if wanted, {@code values} of a document. */
  void json(JsonOutput out, boolean values) {
    out.name("indices").open('[');
    each((indices, some) -> {
      for (int i = 0; i < some; i++) {
        out.value(Arrays.copyOfRange(indices, i * shape.length, (i + 1) * shape.length));
      }
    });
    out.close(']');
    if (values) {
      out.name("values");
      long[] all = indices();
      int some = Math.toIntExact(count);
      Memory memory = ElementJson.memory(dataset.type(), some);
      if (some > 0) {
        dataset.readInto(points(all), memory);
      }
      new ElementJson(file, out).write(memory, some);
    }
  }

  /** Returns the indices of all elements, which a document has at once. */
  private long[] indices() {
    if (count > MOST_IN_DOCUMENT) {
      throw new LimitExceededException(
          "values in a document: actual="
              + count
              + ", expected=at most "
              + MOST_IN_DOCUMENT
              + "; use --limit, or --format CSV");
    }
    long[] all = new long[Math.toIntExact(count) * shape.length];
    int[] at = {0};
    each((indices, _) -> {
      System.arraycopy(indices, 0, all, at[0], indices.length);
      at[0] += indices.length;
    });
    return all;
  }

  /** Prints a line for each element. */
  void lines(PrintStream out, boolean values, boolean csv) {
    if (csv) {
      String head =
          IntStream.range(0, shape.length).mapToObj(d -> "i" + d).collect(Collectors.joining(","));
      out.println(values ? head + (shape.length == 0 ? "" : ",") + names() : head);
    }
    each((indices, some) -> {
      Object read = values ? dataset.read(points(indices), Object.class) : null;
      for (int i = 0; i < some; i++) {
        String line =
            LongStream.of(indices)
                .skip((long) i * shape.length)
                .limit(shape.length)
                .mapToObj(Long::toString)
                .collect(Collectors.joining(","));
        if (values) {
          Object value =
              read != null && read.getClass().isArray() && shape.length > 0
                  ? Array.get(read, i)
                  : read;
          line += (shape.length == 0 ? "" : csv ? "," : "\t") + text(value, csv);
        }
        out.println(line);
      }
    });
  }

  private String names() {
    return dataset.type() instanceof CompoundType compound
        ? compound.members().stream()
            .map(member -> cell(member.name()))
            .collect(Collectors.joining(","))
        : "value";
  }

  private static String text(Object value, boolean csv) {
    if (value instanceof Map<?, ?> members) {
      return members.values().stream()
          .map(member -> csv ? cell(plain(member)) : plain(member))
          .collect(Collectors.joining(csv ? "," : "\t"));
    }
    return csv ? cell(plain(value)) : plain(value);
  }

  private static String plain(Object value) {
    return switch (value) {
      case null -> "";
      case Map<?, ?> members -> members.toString();
      case Object array when array.getClass().isArray() ->
          IntStream.range(0, Array.getLength(array))
              .mapToObj(i -> plain(Array.get(array, i)))
              .collect(Collectors.joining(", ", "[", "]"));
      default -> value.toString();
    };
  }

  private static String cell(String text) {
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }
}
