package org.hyperslab.mpiio.vendor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.mpi.Distribution;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpi.MpiDatatype;
import org.hyperslab.mpi.MpiType;
import org.hyperslab.mpiio.datatype.ArrayOrder;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.DimensionDistribution;
import org.hyperslab.mpiio.datatype.ElementaryType;
import org.hyperslab.mpiio.datatype.LongList;
import org.hyperslab.mpiio.datatype.TypeConstructor;

/**
 * Creates the library's datatypes from this library's and caches them until it is closed. One
 * thread at a time.
 */
final class VendorTypes implements AutoCloseable {

  private static final int MAX_KEPT = 256;

  private final Mpi mpi;
  private final Map<DerivedType, MpiDatatype> kept = new HashMap<>();

  VendorTypes(Mpi mpi) {
    this.mpi = mpi;
  }

  /** Returns the library's type, which this object owns until {@link #tidy}. */
  MpiDatatype of(DerivedType type) {
    MpiDatatype made = kept.get(type);
    if (made == null) {
      made = make(type);
      kept.put(type, made);
    }
    return made;
  }

  /**
   * Frees types if there are many; to be called between calls. The library keeps those that it
   * still needs.
   */
  void tidy() {
    if (kept.size() > MAX_KEPT) {
      close();
    }
  }

  @Override
  public void close() {
    kept.values().forEach(MpiDatatype::close);
    kept.clear();
  }

  private MpiDatatype make(DerivedType type) {
    return switch (type.constructor()) {
      case TypeConstructor.Basic b -> basic(b.elementary());
      case TypeConstructor.Contiguous c -> of(c.of()).contiguous(number(c.count()));
      case TypeConstructor.Vector v ->
          of(v.of()).vector(number(v.count()), number(v.blockLength()), number(v.stride()));
      case TypeConstructor.HVector v ->
          of(v.of()).vectorInBytes(number(v.count()), number(v.blockLength()), v.strideBytes());
      case TypeConstructor.Indexed i ->
          of(i.of()).indexed(numbers(i.blockLengths()), numbers(i.displacements()));
      case TypeConstructor.HIndexed i ->
          of(i.of()).indexedInBytes(numbers(i.blockLengths()), i.displacementsBytes().toArray());
      case TypeConstructor.IndexedBlock i ->
          of(i.of()).indexedBlock(number(i.blockLength()), numbers(i.displacements()));
      case TypeConstructor.HIndexedBlock i -> {
        int[] lengths = new int[i.displacementsBytes().size()];
        Arrays.fill(lengths, number(i.blockLength()));
        yield of(i.of()).indexedInBytes(lengths, i.displacementsBytes().toArray());
      }
      case TypeConstructor.Struct s -> struct(s);
      case TypeConstructor.Subarray s ->
          of(s.of())
              .subarray(
                  numbers(s.sizes()),
                  numbers(s.subsizes()),
                  numbers(s.starts()),
                  s.order() == ArrayOrder.C);
      case TypeConstructor.Darray d ->
          of(d.of())
              .distributedArray(
                  numbers(d.place().grid()),
                  d.place().rank(),
                  numbers(d.sizes()),
                  d.distributions().stream().map(VendorTypes::distribution).toList(),
                  d.place().order() == ArrayOrder.C);
      case TypeConstructor.Resized r -> of(r.of()).resized(r.lowerBoundBytes(), r.extentBytes());
    };
  }

  private MpiDatatype struct(TypeConstructor.Struct s) {
    List<MpiDatatype> members = new ArrayList<>();
    s.of().forEach(member -> members.add(of(member)));
    return members.isEmpty()
        ? mpi.type(MpiType.BYTE).contiguous(0)
        : MpiDatatype.struct(numbers(s.blockLengths()), s.displacementsBytes().toArray(), members);
  }

  private static Distribution distribution(DimensionDistribution how) {
    boolean plain = how.argument() == DimensionDistribution.DEFAULT;
    return switch (how.kind()) {
      case NONE -> Distribution.NONE;
      case BLOCK -> plain ? Distribution.BLOCK : Distribution.block(number(how.argument()));
      case CYCLIC -> plain ? Distribution.CYCLIC : Distribution.cyclic(number(how.argument()));
      case BALANCED, RANDOM -> throw new IllegalStateException(how.toString());
    };
  }

  private MpiDatatype basic(ElementaryType type) {
    return switch (type) {
      case BYTE -> mpi.type(MpiType.BYTE);
      case CHAR -> mpi.type(MpiType.CHAR);
      case C_BOOL -> mpi.type(MpiType.BOOL);
      case INT8 -> mpi.type(MpiType.INT8);
      case UINT8 -> mpi.type(MpiType.UINT8);
      case INT16 -> mpi.type(MpiType.INT16);
      case UINT16 -> mpi.type(MpiType.UINT16);
      case INT32 -> mpi.type(MpiType.INT32);
      case UINT32 -> mpi.type(MpiType.UINT32);
      case INT64 -> mpi.type(MpiType.INT64);
      case UINT64 -> mpi.type(MpiType.UINT64);
      case LONG -> mpi.type(MpiType.C_LONG);
      case FLOAT -> mpi.type(MpiType.FLOAT);
      case DOUBLE -> mpi.type(MpiType.DOUBLE);
      case FLOAT_COMPLEX -> mpi.type(MpiType.FLOAT).contiguous(2);
      case DOUBLE_COMPLEX -> mpi.type(MpiType.DOUBLE).contiguous(2);
      case AINT -> mpi.type(MpiType.AINT);
      case OFFSET -> mpi.type(MpiType.OFFSET);
      case COUNT -> mpi.type(MpiType.COUNT);
      case UNSIGNED_LONG, WCHAR ->
          throw new UnsupportedFeatureException(
              "vendor's MPI-IO: actual=" + type + ", expected=a type of fixed size");
    };
  }

  private static int number(long value) {
    if ((int) value != value) {
      throw new InvalidUseException(
          "vendor's datatype: actual=" + value + ", expected=less than 2^31; use the hint io=own");
    }
    return (int) value;
  }

  private static int[] numbers(LongList values) {
    return Arrays.stream(values.toArray()).mapToInt(VendorTypes::number).toArray();
  }
}
