package org.hyperslab.spark.write;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.netcdf.NetcdfDimension;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfGroup;
import org.hyperslab.netcdf.NetcdfTypes;
import org.hyperslab.netcdf.NetcdfVariable;
import org.hyperslab.netcdf.VariableOptions;

/**
 * The output without the elements of variables: a new file, or a copy of one to which is appended
 * along its first dimension.
 *
 * <p>Thread rule: one thread.
 */
final class ArrayOutput {

  private static final long CHUNK_ELEMENTS = 1 << 18;

  private final Path whole;
  private final boolean appends;
  private final ArrayOptions options;
  private long kept;

  ArrayOutput(Path whole, Path existing, boolean appends, ArrayOptions options) {
    this.whole = whole;
    this.appends = appends;
    this.options = options;
    if (appends) {
      try {
        Files.copy(existing, whole);
      } catch (IOException failure) {
        throw new StorageException("copy: actual=not made, expected=made, at=" + existing, failure);
      }
    }
  }

  /** Returns the length of the first dimension before the write, whose elements are kept. */
  long kept() {
    if (appends && kept == 0) {
      try (NetcdfFile file = NetcdfFile.open(whole)) {
        kept = dimension(file, name(0)).length();
      }
    }
    return kept;
  }

  /** Returns the length of a dimension of a file to which is appended, or another one. */
  long existing(int axis, long otherwise) {
    if (!appends) {
      return otherwise;
    }
    try (NetcdfFile file = NetcdfFile.open(whole)) {
      long length = dimension(file, name(axis)).length();
      return axis == 0 ? Math.max(length, otherwise) : length;
    }
  }

  private String name(int axis) {
    return options.dimensions().isEmpty() ? ArrayWrite.ROW : options.dimensions().get(axis).name();
  }

  private static NetcdfDimension dimension(NetcdfFile file, String name) {
    return file.root().dimension(name);
  }

  /** Returns the coordinates after the write: those that are there, and the new ones after them. */
  List<Object> merged(int axis, String name, List<Object> values, DataType type) {
    if (!appends) {
      return values;
    }
    try (NetcdfFile file = NetcdfFile.open(whole)) {
      NetcdfVariable variable =
          dimension(file, name)
              .coordinate()
              .orElseThrow(() ->
                  new InvalidUseException(
                      "append: actual=a dimension without coordinates, expected=coordinates, or"
                          + " coordinates=indexes, dimension="
                          + name));
      List<Object> there = coordinates(variable, type);
      List<Object> fresh = new ArrayList<>(values);
      fresh.removeAll(there);
      boolean fits = axis == 0 ? fresh.size() == values.size() : fresh.isEmpty();
      if (!fits) {
        throw new InvalidUseException(
            "append: actual="
                + (axis == 0
                    ? "coordinates that the file has already"
                    : "coordinates that the file does not have")
                + ", expected=new ones of the first dimension and the same of others, dimension="
                + name);
      }
      if (axis == 0) {
        kept = there.size();
      }
      List<Object> all = new ArrayList<>(there);
      all.addAll(fresh);
      return all;
    }
  }

  /** Reads coordinates as Spark has them. */
  private static List<Object> coordinates(NetcdfVariable variable, DataType type) {
    List<Object> all = new ArrayList<>();
    if (type == DataTypes.StringType) {
      all.addAll(Arrays.asList(variable.read(String[].class)));
    } else if (type == DataTypes.FloatType) {
      for (float each : variable.read(float[].class)) {
        all.add(each);
      }
    } else if (type == DataTypes.DoubleType) {
      for (double each : variable.read(double[].class)) {
        all.add(each);
      }
    } else {
      for (long each : variable.read(long[].class)) {
        all.add(ofLong(each, type));
      }
    }
    return all;
  }

  private static Object ofLong(long value, DataType type) {
    if (type == DataTypes.TimestampNTZType) {
      return LocalDateTime.ofEpochSecond(
          Math.floorDiv(value, 1_000_000L), Math.floorMod(value, 1_000_000) * 1000, ZoneOffset.UTC);
    }
    if (type == DataTypes.TimestampType) {
      return Timestamp.from(Instant.EPOCH.plus(value, ChronoUnit.MICROS));
    }
    if (type == DataTypes.DateType) {
      return Date.valueOf(LocalDate.ofEpochDay(value));
    }
    if (type == DataTypes.IntegerType) {
      return (int) value;
    }
    if (type == DataTypes.ShortType) {
      return (short) value;
    }
    return type == DataTypes.ByteType ? (Object) (byte) value : (Object) value;
  }

  // --- making it ---

  /** Makes the output without elements, or extends it, and returns the plan of its chunks. */
  ArrayPlan create(
      Path folder,
      long[] lengths,
      List<List<Object>> coordinates,
      List<String> names,
      List<StoredColumn> variables) {
    if (appends) {
      return extended(folder, lengths, coordinates, names, variables);
    }
    long[] chunk = chunk(lengths);
    try (NetcdfFile file = NetcdfFile.create(whole)) {
      NetcdfGroup root = file.root();
      for (int d = 0; d < lengths.length; d++) {
        if (d == 0) {
          root.createUnlimitedDimension(names.get(d));
        } else {
          root.createDimension(names.get(d), lengths[d]);
        }
      }
      for (int d = 0; d < lengths.length; d++) {
        if (!coordinates.get(d).isEmpty()) {
          createCoordinate(root, names.get(d), coordinates.get(d));
        }
      }
      for (StoredColumn each : variables) {
        VariableOptions.Builder stored = VariableOptions.DEFAULT.withFill(each.fill()).toBuilder();
        stored.chunks(Arrays.stream(chunk).boxed().toList()).filters(options.filters());
        NetcdfVariable variable =
            root.createVariable(
                each.name(), each.type(), stored.build(), names.toArray(String[]::new));
        if (each.units() != null) {
          variable.setAttribute("units", each.units());
        }
      }
      root.dimension(names.getFirst()).extend(lengths[0]);
    }
    return new ArrayPlan(
        folder.toString(), lengths, chunk, variables, ArrayPlan.plain(options.filters()), 0);
  }

  private static void createCoordinate(NetcdfGroup root, String name, List<Object> values) {
    Object first = values.getFirst();
    switch (first) {
      case String _ ->
          root.createVariable(name, NetcdfTypes.STRING, name).write(values.toArray(String[]::new));
      case Float _ -> {
        float[] all = new float[values.size()];
        for (int i = 0; i < all.length; i++) {
          all[i] = (Float) values.get(i);
        }
        root.createVariable(name, NetcdfTypes.FLOAT, name).write(all);
      }
      case Double _ ->
          root.createVariable(name, NetcdfTypes.DOUBLE, name)
              .write(values.stream().mapToDouble(each -> (Double) each).toArray());
      case Byte _, Short _, Integer _, Long _ ->
          root.createVariable(
                  name,
                  first instanceof Long
                      ? NetcdfTypes.INT64
                      : first instanceof Integer
                          ? NetcdfTypes.INT
                          : first instanceof Short ? NetcdfTypes.SHORT : NetcdfTypes.BYTE,
                  name)
              .write(values.stream().mapToLong(each -> ((Number) each).longValue()).toArray());
      case LocalDateTime _, Timestamp _, Instant _ -> {
        NetcdfVariable variable = root.createVariable(name, NetcdfTypes.INT64, name);
        variable.setAttribute("units", "microseconds since 1970-01-01");
        variable.write(values.stream().mapToLong(ArrayOutput::toLong).toArray());
      }
      case Date _, LocalDate _ -> {
        NetcdfVariable variable = root.createVariable(name, NetcdfTypes.INT, name);
        variable.setAttribute("units", "days since 1970-01-01");
        variable.write(values.stream().mapToLong(ArrayOutput::toLong).toArray());
      }
      default ->
          throw new InvalidUseException(
              "coordinates: actual="
                  + first.getClass().getSimpleName()
                  + ", expected=numbers, strings, dates or times, dimension="
                  + name);
    }
  }

  private static long toLong(Object value) {
    return switch (value) {
      case Number number -> number.longValue();
      case LocalDateTime time ->
          ChronoUnit.MICROS.between(Instant.EPOCH, time.toInstant(ZoneOffset.UTC));
      case Timestamp time -> ChronoUnit.MICROS.between(Instant.EPOCH, time.toInstant());
      case Instant time -> ChronoUnit.MICROS.between(Instant.EPOCH, time);
      case LocalDate date -> date.toEpochDay();
      case Date date -> date.toLocalDate().toEpochDay();
      default -> throw new IllegalStateException(value.getClass().getName());
    };
  }

  private ArrayPlan extended(
      Path folder,
      long[] lengths,
      List<List<Object>> coordinates,
      List<String> names,
      List<StoredColumn> variables) {
    try (NetcdfFile file = NetcdfFile.openForEdit(whole)) {
      NetcdfGroup root = file.root();
      long before = root.dimension(names.getFirst()).length();
      root.dimension(names.getFirst()).extend(lengths[0]);
      if (!coordinates.getFirst().isEmpty()) {
        appendCoordinates(root.variable(names.getFirst()), coordinates.getFirst(), before);
      }
      long[] chunk = null;
      List<FilterSpec> filters = List.of();
      for (StoredColumn each : variables) {
        NetcdfVariable variable = root.variable(each.name());
        Layout layout = variable.dataset().options().layout();
        boolean fits =
            variable.type().equals(each.type())
                && variable.dimensions().stream().map(NetcdfDimension::name).toList().equals(names)
                && layout instanceof Layout.Chunked;
        if (!fits) {
          throw new InvalidUseException(
              "append: actual="
                  + variable.type().describe()
                  + " over "
                  + variable.dimensions().stream().map(NetcdfDimension::name).toList()
                  + ", expected="
                  + each.type().describe()
                  + " in chunks over "
                  + names
                  + ", variable="
                  + each.name());
        }
        long[] own = ((Layout.Chunked) layout).dimsArray();
        List<FilterSpec> stored = variable.dataset().options().filters();
        if (chunk != null && !(Arrays.equals(chunk, own) && stored.equals(filters))) {
          throw new InvalidUseException(
              "append: actual="
                  + Arrays.toString(own)
                  + " and "
                  + stored
                  + ", expected=the chunks and filters of the other variables, variable="
                  + each.name());
        }
        chunk = own;
        filters = stored;
      }
      return new ArrayPlan(
          folder.toString(), lengths, chunk, variables, ArrayPlan.plain(filters), before);
    }
  }

  private static void appendCoordinates(NetcdfVariable variable, List<Object> all, long before) {
    List<Object> fresh = all.subList(Math.toIntExact(before), all.size());
    if (fresh.isEmpty()) {
      return;
    }
    Object values =
        fresh.getFirst() instanceof String
            ? fresh.toArray(String[]::new)
            : fresh.getFirst() instanceof Double || fresh.getFirst() instanceof Float
                ? fresh.stream().mapToDouble(each -> ((Number) each).doubleValue()).toArray()
                : fresh.stream().mapToLong(ArrayOutput::toLong).toArray();
    variable.section(new long[] {before}, new long[] {fresh.size()}).write(values);
  }

  /** Returns the given chunks, or such that are about as long in each dimension. */
  private long[] chunk(long[] lengths) {
    long[] chunk = new long[lengths.length];
    if (!options.chunk().isEmpty()) {
      for (int d = 0; d < chunk.length; d++) {
        chunk[d] = d == 0 ? options.chunk().get(d) : Math.min(options.chunk().get(d), lengths[d]);
      }
      return chunk;
    }
    long rest = CHUNK_ELEMENTS;
    for (int d = chunk.length - 1; d >= 0; d--) {
      long share = Math.max(1, (long) Math.pow(rest, 1.0 / (d + 1)));
      chunk[d] = Math.max(1, Math.min(lengths[d], share));
      rest = Math.max(1, rest / chunk[d]);
    }
    return chunk;
  }
}
