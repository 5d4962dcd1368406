package org.hyperslab.format.type.convert;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Creates the kernel for a pair of types, for elements at given strides; null if they cannot be
 * converted.
 */
final class PlanCompiler {

  /**
   * The greatest number of parts of arrays inside other elements that are converted part by part.
   */
  private static final int SHORT_ARRAY = 16;

  private final int sourceStride;
  private final int targetStride;

  PlanCompiler(int sourceStride, int targetStride) {
    this.sourceStride = sourceStride;
    this.targetStride = targetStride;
  }

  /** Returns the kernel for contiguous elements. */
  static Kernel packed(Datatype source, Datatype target) {
    return new PlanCompiler(source.size(), target.size()).compile(source, target);
  }

  /**
   * Returns whether source and destination elements have the same bytes. The padding of bits that
   * an element does not have, the byte order of single bytes, and the order of the constants of an
   * enumeration, make no difference.
   */
  static boolean identical(Datatype source, Datatype target) {
    if (source.hasOutOfLineParts() || source.size() != target.size()) {
      return false;
    }
    if (source.equals(target)) {
      return true;
    }
    return switch (source) {
      case IntegerType s when target instanceof IntegerType t ->
          s.fillsElement()
              && t.fillsElement()
              && s.signed() == t.signed()
              && (s.size() == 1 || s.order() == t.order());
      case BitfieldType s when target instanceof BitfieldType t ->
          s.fillsElement() && t.fillsElement() && (s.size() == 1 || s.order() == t.order());
      case EnumType s when target instanceof EnumType t ->
          identical(s.base(), t.base()) && haveSameConstants(s, t);
      case ArrayType s when target instanceof ArrayType t ->
          s.dimensions().equals(t.dimensions()) && identical(s.base(), t.base());
      default -> false;
    };
  }

  /** Returns whether enumerations differ in the order of their constants only. */
  private static boolean haveSameConstants(EnumType source, EnumType target) {
    return source.constants().size() == target.constants().size()
        && new HashSet<>(source.constants()).equals(new HashSet<>(target.constants()));
  }

  Kernel compile(Datatype source, Datatype target) {
    if (identical(source, target)) {
      return new Kernels.Copy(source.size(), sourceStride, targetStride);
    }
    return switch (source) {
      case IntegerType s -> fromNumber(s, target);
      case FloatType s -> fromNumber(s, target);
      case EnumType s -> fromEnum(s, target);
      case BitfieldType s -> fromBitfield(s, target);
      case TimeType s -> target instanceof TimeType t ? time(s, t) : null;
      case OpaqueType _ -> null; // equal types are identical
      case StringType s -> fromString(s, target);
      case VlenStringType _ -> fromVlenString(target);
      case VlenType s -> target instanceof VlenType t ? sequence(s, t) : null;
      case ReferenceType s -> target instanceof ReferenceType t ? reference(s, t) : null;
      case ArrayType s -> fromArray(s, target);
      case CompoundType s -> fromCompound(s, target);
      case ComplexType s -> fromComplex(s, target);
    };
  }

  private Kernel fromNumber(Datatype source, Datatype target) {
    return switch (target) {
      case IntegerType t -> number(source, t);
      case FloatType t -> number(source, t);
      case EnumType t -> source instanceof IntegerType ? number(source, t.base()) : null;
      case ComplexType t -> realToComplex(source, t);
      case BitfieldType t when source instanceof IntegerType s && s.size() == t.size() ->
          number(s, numberOf(t, s.signed()));
      default -> null;
    };
  }

  private Kernel fromBitfield(BitfieldType source, Datatype target) {
    return switch (target) {
      case BitfieldType t -> bits(source, t);
      case IntegerType t when source.size() == t.size() -> number(numberOf(source, t.signed()), t);
      case EnumType t when source.size() == t.size() ->
          number(numberOf(source, t.base().signed()), t.base());
      default -> null;
    };
  }

  /** Returns the integers that the bits of a bitfield stand for. */
  private static IntegerType numberOf(BitfieldType bits, boolean signed) {
    return new IntegerType(
        bits.size(),
        bits.order(),
        signed,
        bits.precision(),
        bits.offset(),
        bits.lowPadding(),
        bits.highPadding());
  }

  private Kernel number(Datatype source, Datatype target) {
    if (identical(source, target)) {
      return new Kernels.Copy(source.size(), sourceStride, targetStride);
    }
    Optional<PrimitiveLayout> from = PrimitiveLayout.of(source);
    Optional<PrimitiveLayout> to = PrimitiveLayout.of(target);
    if (from.isPresent() && to.isPresent()) {
      Optional<PrimitiveKernel> kernel =
          PrimitiveKernel.of(from.get(), to.get(), sourceStride, targetStride);
      if (kernel.isPresent()) {
        return kernel.get();
      }
    }
    return new Kernels.AnyNumber(
        NumberFormat.of(source), NumberFormat.of(target), sourceStride, targetStride);
  }

  private Kernel fromEnum(EnumType source, Datatype target) {
    return switch (target) {
      case EnumType t -> names(source, t);
      case IntegerType t -> number(source.base(), t);
      case FloatType t -> number(source.base(), t);
      default -> null;
    };
  }

  /**
   * Returns the kernel that converts by name; a value without a name, or with a name that the
   * target does not have, becomes all one bits.
   */
  private Kernel names(EnumType source, EnumType target) {
    List<EnumType.Constant> sorted = new ArrayList<>(source.constants());
    sorted.sort(Comparator.comparingLong(EnumType.Constant::value));
    long[] values = new long[sorted.size()];
    byte[][] elements = new byte[sorted.size() + 1][target.size()];
    NumberFormat format = NumberFormat.of(target.base());
    WideNumber real = new WideNumber();
    for (int i = 0; i < values.length; i++) {
      EnumType.Constant constant = sorted.get(i);
      values[i] = constant.value();
      Optional<EnumType.Constant> match = target.constant(constant.name());
      if (match.isEmpty()) {
        Arrays.fill(elements[i], (byte) 0xFF);
        continue;
      }
      long value = match.get().value();
      boolean negative = target.base().signed() && value < 0;
      real.set(WideNumber.Kind.FINITE, negative, 0);
      real.high = 0;
      real.low = negative ? -value : value;
      format.write(real, elements[i], 0);
    }
    Arrays.fill(elements[values.length], (byte) 0xFF);
    return new Kernels.Names(
        NumberFormat.of(source.base()), values, elements, sourceStride, targetStride);
  }

  private Kernel bits(BitfieldType source, BitfieldType target) {
    int common = Math.min(source.precision(), target.precision());
    return new Kernels.Bits(
        NumberFormat.of(source), NumberFormat.of(target), common, sourceStride, targetStride);
  }

  /** Returns the kernel for times, which may differ only in byte order. */
  private Kernel time(TimeType source, TimeType target) {
    if (source.size() != target.size() || source.precision() != target.precision()) {
      return null;
    }
    return number(
        IntegerType.of(source.size(), source.order(), false),
        IntegerType.of(target.size(), target.order(), false));
  }

  private Kernel fromString(StringType source, Datatype target) {
    return switch (target) {
      case StringType t -> new Kernels.Text(source, t, sourceStride, targetStride);
      case VlenStringType _ -> new HeapKernels.FixedToVlenText(source, sourceStride, targetStride);
      default -> null;
    };
  }

  private Kernel fromVlenString(Datatype target) {
    return switch (target) {
      case StringType t -> new HeapKernels.VlenToFixedText(t, sourceStride, targetStride);
      case VlenStringType _ -> new HeapKernels.VlenText(sourceStride, targetStride);
      default -> null;
    };
  }

  private Kernel sequence(VlenType source, VlenType target) {
    HeapKernels.Rooms rooms = new HeapKernels.Rooms(source.base().size(), target.base().size());
    return Converter.find(source.packedBase(), target.packedBase())
        .map(elements -> new HeapKernels.Sequence(elements, rooms, sourceStride, targetStride))
        .orElse(null);
  }

  private Kernel reference(ReferenceType source, ReferenceType target) {
    if (source.kind() != target.kind()) {
      // Between the two old kinds there is no conversion: an object is not a region, nor the
      // reverse.
      return source.kind().revised() || target.kind().revised()
          ? new ReferenceForms(source, target, sourceStride, targetStride)
          : null;
    }
    if (source.kind() == ReferenceKind.OBJECT) {
      return number(
          IntegerType.of(source.size(), Endian.LITTLE, false),
          IntegerType.of(target.size(), Endian.LITTLE, false));
    }
    return new HeapKernels.Reference(source.kind(), sourceStride, targetStride);
  }

  private Kernel fromArray(ArrayType source, Datatype target) {
    return switch (target) {
      case ArrayType t -> source.dimensions().equals(t.dimensions()) ? array(source, t) : null;
      case ComplexType t ->
          source.elementCount() == 2
              ? pair(source.base(), 0, source.base().size(), t.base(), 0, t.base().size())
              : null;
      default -> null;
    };
  }

  private Kernel array(ArrayType source, ArrayType target) {
    int length = source.elementCount();
    boolean flat = sourceStride == source.size() && targetStride == target.size();
    if (!flat && length <= SHORT_ARRAY) {
      Kernel part = compile(source.base(), target.base());
      return part == null
          ? null
          : new Kernels.ShortArray(part, length, source.base().size(), target.base().size());
    }
    Kernel packed = packed(source.base(), target.base());
    if (packed == null) {
      return null;
    }
    return flat
        ? new Kernels.FlatArray(packed, length)
        : new Kernels.LongArray(packed, length, sourceStride, targetStride);
  }

  private Kernel fromCompound(CompoundType source, Datatype target) {
    return switch (target) {
      case CompoundType t -> members(source, t);
      case ComplexType t when isComplexPair(source) -> {
        CompoundType.Member real = source.members().get(0);
        CompoundType.Member imaginary = source.members().get(1);
        yield real.type().equals(imaginary.type())
            ? pair(real.type(), real.offset(), imaginary.offset(), t.base(), 0, t.base().size())
            : null;
      }
      default -> null;
    };
  }

  private Kernel fromComplex(ComplexType source, Datatype target) {
    FloatType base = source.base();
    return switch (target) {
      case ComplexType t -> pair(base, 0, base.size(), t.base(), 0, t.base().size());
      case ArrayType t when t.elementCount() == 2 ->
          pair(base, 0, base.size(), t.base(), 0, t.base().size());
      case CompoundType t when isComplexPair(t) -> {
        CompoundType.Member real = t.members().get(0);
        CompoundType.Member imaginary = t.members().get(1);
        yield real.type().equals(imaginary.type())
            ? pair(base, 0, base.size(), real.type(), real.offset(), imaginary.offset())
            : null;
      }
      case IntegerType t -> number(base, t);
      case FloatType t -> number(base, t);
      default -> null;
    };
  }

  /**
   * Returns whether a compound has two members whose names begin with r and i, as required by the C
   * library and written by h5py.
   */
  private static boolean isComplexPair(CompoundType type) {
    return type.members().size() == 2
        && type.members().get(0).name().toLowerCase(Locale.ROOT).startsWith("r")
        && type.members().get(1).name().toLowerCase(Locale.ROOT).startsWith("i")
        && type.members().get(0).type() instanceof FloatType;
  }

  private Kernel pair(
      Datatype source, int real, int imaginary, Datatype target, int realTo, int imaginaryTo) {
    if (!(source instanceof FloatType) || !(target instanceof FloatType)) {
      return null;
    }
    Kernel part = number(source, target);
    return new Kernels.Members(
        List.of(
            new Kernels.Members.Part(part, real, realTo),
            new Kernels.Members.Part(part, imaginary, imaginaryTo)));
  }

  private Kernel realToComplex(Datatype source, ComplexType target) {
    int size = target.base().size();
    return new Kernels.Members(
        List.of(
            new Kernels.Members.Part(number(source, target.base()), 0, 0),
            new Kernels.Members.Part(new Kernels.Zero(size, targetStride), 0, size)));
  }

  /**
   * Returns the kernel for the members that both types have; adjacent unchanged members are copied
   * together.
   */
  private Kernel members(CompoundType source, CompoundType target) {
    List<CompoundType.Member> ordered = new ArrayList<>(target.members());
    ordered.sort(Comparator.comparingInt(CompoundType.Member::offset));
    List<Kernels.Members.Part> parts = new ArrayList<>();
    for (CompoundType.Member to : ordered) {
      Optional<CompoundType.Member> match = source.member(to.name());
      if (match.isEmpty()) {
        continue;
      }
      CompoundType.Member from = match.get();
      Kernel kernel = compile(from.type(), to.type());
      if (kernel == null) {
        throw Converter.noConversion(from.type(), to.type(), " of member \"" + to.name() + "\"");
      }
      append(parts, new Kernels.Members.Part(kernel, from.offset(), to.offset()));
    }
    return new Kernels.Members(List.copyOf(parts));
  }

  private void append(List<Kernels.Members.Part> parts, Kernels.Members.Part part) {
    if (!parts.isEmpty() && part.kernel() instanceof Kernels.Copy copy) {
      Kernels.Members.Part last = parts.getLast();
      if (last.kernel() instanceof Kernels.Copy before
          && last.sourceOffset() + before.bytes() == part.sourceOffset()
          && last.targetOffset() + before.bytes() == part.targetOffset()) {
        Kernel merged = new Kernels.Copy(before.bytes() + copy.bytes(), sourceStride, targetStride);
        parts.set(
            parts.size() - 1,
            new Kernels.Members.Part(merged, last.sourceOffset(), last.targetOffset()));
        return;
      }
    }
    parts.add(part);
  }

  /** Returns whether conversion leaves bytes of a destination element unchanged. */
  static boolean leavesBackground(Datatype source, Datatype target) {
    return switch (target) {
      case CompoundType t when source instanceof CompoundType s && !identical(s, t) -> {
        long covered = 0;
        boolean nested = false;
        for (CompoundType.Member member : t.members()) {
          Optional<CompoundType.Member> from = s.member(member.name());
          if (from.isPresent()) {
            covered += member.type().size();
            nested |= leavesBackground(from.get().type(), member.type());
          }
        }
        yield nested || covered < t.size();
      }
      case CompoundType t when source instanceof ComplexType ->
          t.members().get(0).type().size() * 2L < t.size();
      case ArrayType t when source instanceof ArrayType s -> leavesBackground(s.base(), t.base());
      default -> false;
    };
  }
}
