package org.hyperslab.convert.classic;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.model.BoxBytes;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.TargetFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;

/**
 * Writes a classic netCDF file, in a given version or in the oldest version that can hold the
 * input.
 */
public final class NetcdfTarget implements TargetFile {

  /** Selects the oldest version that can hold the input. */
  public static final int OLDEST = 0;

  private static final long MAX_CDF1_BYTES = Integer.MAX_VALUE;
  private static final long MAX_CDF2_VARIABLE_BYTES = (1L << 32) - 4;
  private static final long MAX_LENGTH = Integer.MAX_VALUE;
  private static final long SPAN_BYTES = 1 << 20;

  private final int wanted;

  /**
   * Creates the target.
   *
   * @param version 1, 2 or 5, or {@link #OLDEST} for the oldest version that can hold the input
   */
  public NetcdfTarget(int version) {
    this.wanted = version;
  }

  @Override
  public void write(GroupNode root, Path path, ConversionRun work) {
    ClassicPlan plan = new ClassicPlan(root, work);
    ClassicHeader header = versioned(plan.header());
    try (FileBytes out = FileBytes.create(path)) {
      out.write(0, MemorySegment.ofArray(ClassicWriter.encode(header)));
      out.growTo(end(header));
      List<Integer> withRecords = new ArrayList<>();
      for (int i = 0; i < header.variables().size(); i++) {
        if (header.isRecord(header.variables().get(i))) {
          withRecords.add(i);
        } else {
          writeFixed(header, header.variables().get(i), plan.variables().get(i), out, work);
        }
      }
      writeRecords(header, withRecords, plan.variables(), out, work);
    }
  }

  private static long end(ClassicHeader header) {
    long end = ClassicHeader.padded(ClassicWriter.encode(header).length);
    for (ClassicHeader.Array array : header.variables()) {
      if (!header.isRecord(array)) {
        end = Math.max(end, array.begin() + ClassicHeader.padded(header.innerBytes(array)));
      }
    }
    return Math.addExact(end, Math.multiplyExact(header.records(), header.recordBytes()));
  }

  // --- the version ---

  private ClassicHeader versioned(ClassicHeader header) {
    Optional<String> beyond2 = beyond(2, header);
    int oldest = beyond2.isPresent() ? 5 : beyond(1, header).isPresent() ? 2 : 1;
    int version = wanted == OLDEST ? oldest : wanted;
    if (version < oldest) {
      throw new UnsupportedFeatureException(
          "classic netCDF: actual="
              + beyond2.or(() -> beyond(1, header)).orElseThrow()
              + ", which needs CDF-"
              + oldest
              + ", expected=what CDF-"
              + version
              + " holds; use --to netcdf, which chooses the version, or name the output .nc4 (or"
              + " use --to netcdf4)");
    }
    return ClassicWriter.placed(withVersion(header, version));
  }

  private static ClassicHeader withVersion(ClassicHeader header, int version) {
    return new ClassicHeader(
        version, header.records(), header.dimensions(), header.attributes(), header.variables());
  }

  /** Returns the first thing that a version does not hold, by name; empty if it holds all. */
  private static Optional<String> beyond(int version, ClassicHeader header) {
    Optional<String> attribute = beyond(header.attributes(), "the attribute /");
    if (attribute.isPresent()) {
      return attribute;
    }
    for (ClassicHeader.Axis axis : header.dimensions()) {
      if (axis.length() > MAX_LENGTH) {
        return Optional.of("the dimension " + axis.name() + " of length " + axis.length());
      }
    }
    if (header.records() > MAX_LENGTH) {
      return Optional.of(header.records() + " records");
    }
    for (ClassicHeader.Array array : header.variables()) {
      Optional<String> beyond = beyond(array, header);
      if (beyond.isPresent()) {
        return beyond;
      }
    }
    long end = version == 2 ? 0 : end(ClassicWriter.placed(withVersion(header, 1)));
    return end > MAX_CDF1_BYTES ? Optional.of("a file of " + end + " bytes") : Optional.empty();
  }

  private static Optional<String> beyond(ClassicHeader.Array array, ClassicHeader header) {
    String name = "the variable " + array.name();
    if (array.type().needsCdf5()) {
      return Optional.of(name + " of type " + array.type().cdlName());
    }
    long bytes = header.innerBytes(array);
    return bytes > MAX_CDF2_VARIABLE_BYTES
        ? Optional.of(name + " of " + bytes + " bytes")
        : beyond(array.attributes(), "the attribute " + array.name() + ":");
  }

  private static Optional<String> beyond(List<ClassicHeader.Text> attributes, String before) {
    return attributes.stream()
        .filter(attribute -> attribute.type().needsCdf5())
        .findFirst()
        .map(first -> before + first.name() + " of type " + first.type().cdlName());
  }

  // --- elements ---

  private static void writeFixed(
      ClassicHeader header,
      ClassicHeader.Array array,
      Variable variable,
      FileBytes out,
      ConversionRun work) {
    BoxBytes where = new BoxBytes(header.innerShape(array), array.begin(), array.type().size());
    work.copy(
        variable,
        (box, elements) -> {
          toFile(variable, array, elements, box.elements());
          where.write(out, box.start(), box.count(), elements.elements());
        });
    long bytes = header.innerBytes(array);
    out.write(array.begin() + bytes, MemorySegment.ofArray(padding(array, bytes)));
  }

  private static void toFile(
      Variable variable, ClassicHeader.Array array, DataBuffer elements, long count) {
    ClassicPlan.toFile(variable.type(), array.type(), elements.elements(), count);
  }

  /** Between variables stand fill values. */
  private static byte[] padding(ClassicHeader.Array array, long bytes) {
    byte[] padding = new byte[(int) (ClassicHeader.padded(bytes) - bytes)];
    byte[] fill =
        array.attributes().stream()
            .filter(a -> a.name().equals("_FillValue") && a.type() == array.type())
            .map(ClassicHeader.Text::values)
            .findFirst()
            .orElseGet(() -> array.type().fill(ByteOrder.BIG_ENDIAN));
    for (int i = 0; i < padding.length && fill.length > 0; i++) {
      padding[i] = fill[i % fill.length];
    }
    return padding;
  }

  private static void writeRecords(
      ClassicHeader header,
      List<Integer> withRecords,
      List<Variable> variables,
      FileBytes out,
      ConversionRun work) {
    if (withRecords.isEmpty() || header.records() == 0) {
      return;
    }
    long recordBytes = header.recordBytes();
    if (recordBytes > SPAN_BYTES || recordBytes > work.memoryBytes() / 8) {
      for (int i : withRecords) {
        writeLargeRecords(header, header.variables().get(i), variables.get(i), out, work);
      }
      return;
    }
    // whole records are assembled to avoid many small writes
    long most = Math.max(1, Math.min(SPAN_BYTES, work.memoryBytes() / 8) / recordBytes);
    long spans = (header.records() + most - 1) / most;
    work.parallel(
        () -> LongStream.range(0, spans).iterator(),
        Integer.MAX_VALUE,
        span -> {
          long first = span * most;
          long count = Math.min(most, header.records() - first);
          writeSpan(header, withRecords, variables, new long[] {first, count}, out, work);
        });
  }

  private static void writeSpan(
      ClassicHeader header,
      List<Integer> withRecords,
      List<Variable> variables,
      long[] span,
      FileBytes out,
      ConversionRun work) {
    long recordBytes = header.recordBytes();
    long begin = begin(header);
    try (Lease lease = work.take(span[1] * recordBytes)) {
      MemorySegment records = lease.segment();
      long within = 0;
      for (int i : withRecords) {
        ClassicHeader.Array array = header.variables().get(i);
        readInto(header, array, variables.get(i), span, records.asSlice(within), work);
        within += ClassicHeader.padded(header.innerBytes(array));
      }
      out.write(begin + span[0] * recordBytes, records);
    }
  }

  private static long begin(ClassicHeader header) {
    return header.variables().stream()
        .filter(header::isRecord)
        .mapToLong(ClassicHeader.Array::begin)
        .min()
        .orElseThrow();
  }

  private static void readInto(
      ClassicHeader header,
      ClassicHeader.Array array,
      Variable variable,
      long[] span,
      MemorySegment records,
      ConversionRun work) {
    long inner = header.innerBytes(array);
    long recordBytes = header.recordBytes();
    long[] dims = variable.space().dims();
    long[] start = new long[dims.length];
    long[] count = dims.clone();
    start[0] = span[0];
    count[0] = span[1];
    byte[] padding = recordBytes == inner ? new byte[0] : padding(array, inner);
    try (Lease lease = work.take(inner * span[1])) {
      MemorySegment part = lease.segment();
      variable.elements().read(start, count, DataBuffer.of(part));
      toFile(variable, array, DataBuffer.of(part), Dataspace.product(count));
      for (long r = 0; r < span[1]; r++) {
        MemorySegment.copy(part, r * inner, records, r * recordBytes, inner);
        MemorySegment.copy(
            MemorySegment.ofArray(padding), 0, records, r * recordBytes + inner, padding.length);
      }
    }
    work.advance(inner * span[1]);
  }

  private static void writeLargeRecords(
      ClassicHeader header,
      ClassicHeader.Array array,
      Variable variable,
      FileBytes out,
      ConversionRun work) {
    long recordBytes = header.recordBytes();
    long inner = header.innerBytes(array);
    long[] shape = header.innerShape(array);
    byte[] padding = recordBytes == inner ? new byte[0] : padding(array, inner);
    work.copy(
        variable,
        (box, elements) -> {
          toFile(variable, array, elements, box.elements());
          long part = box.elements() / box.count()[0] * array.type().size();
          long[] start = Arrays.copyOfRange(box.start(), 1, box.start().length);
          long[] count = Arrays.copyOfRange(box.count(), 1, box.count().length);
          for (long r = 0; r < box.count()[0]; r++) {
            long at = array.begin() + (box.start()[0] + r) * recordBytes;
            new BoxBytes(shape, at, array.type().size())
                .write(out, start, count, elements.elements().asSlice(r * part, part));
            out.write(at + inner, MemorySegment.ofArray(padding));
          }
        });
  }
}
