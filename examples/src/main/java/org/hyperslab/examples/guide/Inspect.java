package org.hyperslab.examples.guide;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;

/** Reads a file of unknown content. */
final class Inspect {

  private static final int SHOWN = 3;

  /**
   * A row of the inspected file.
   *
   * @param name a name
   * @param weight in kg
   */
  public record Sample(String name, double weight) {}

  private Inspect() {}

  static void run(Path folder, PrintStream out) {
    Path path = folder.resolve("strange.h5");
    writeStrangeFile(path);
    try (H5File file = Hdf5.open(path)) {
      file.root()
          .visit((name, object) -> {
            print(name, object, out);
            return true; // continue
          });
    }
  }

  private static void print(String name, H5Object object, PrintStream out) {
    switch (object) {
      case Group group -> out.println(name + ": group of " + group.size());
      case CommittedType type -> out.println(name + ": type " + describe(type.datatype()));
      case Dataset dataset -> {
        out.println(
            name + ": " + describe(dataset.type()) + " " + Arrays.toString(dataset.shape()));
        out.println("  begins with " + text(beginning(dataset)));
      }
    }
    object.attributes().forEach(a -> out.println("  @" + a.name() + " = " + text(a.read())));
  }

  /**
   * Describes a datatype. Datatypes are a sealed hierarchy of records with all their properties.
   */
  private static String describe(Datatype type) {
    return switch (type) {
      case IntegerType t -> (t.signed() ? "int" : "uint") + t.precision();
      case FloatType t -> "float" + t.precision();
      case StringType t -> "string of " + t.size();
      case VlenStringType _ -> "string";
      case CompoundType t ->
          t.members().stream()
              .map(member -> member.name() + ": " + describe(member.type()))
              .collect(Collectors.joining(", ", "{", "}"));
      default -> type.getClass().getSimpleName() + " of " + type.size() + " bytes";
    };
  }

  /**
   * Reads the beginning of a dataset. The type in the file determines what read() returns: arrays,
   * strings, maps of members.
   */
  private static Object beginning(Dataset dataset) {
    if (dataset.rank() == 0) {
      return dataset.read();
    }
    return dataset.rows(0, Math.min(SHOWN, dataset.shape()[0])).read();
  }

  private static String text(Object value) {
    if (value instanceof Map<?, ?> members) {
      return members.toString();
    }
    if (!value.getClass().isArray()) {
      return String.valueOf(value);
    }
    String all = Arrays.deepToString(new Object[] {value});
    return all.substring(1, all.length() - 1);
  }

  private static void writeStrangeFile(Path path) {
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("run/image", new int[][] {{1, 2}, {3, 4}, {5, 6}, {7, 8}});
      file.dataset("run/image").setAttribute("scale", 0.5);
      Sample[] samples = {new Sample("iron", 2.5), new Sample("salt", 0.1)};
      file.createDataset("run/samples", samples);
      file.createDataset("answer", 42);
      file.root().commit("celsius", Datatypes.F32BE);
      file.root().setAttribute("authors", new String[] {"Ada", "Grace"});
    }
  }
}
