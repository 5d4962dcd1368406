package org.hyperslab.plugins.nativevol.dataset;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.filter.ElementLayout;
import org.hyperslab.format.filter.FilterContext;
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
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/** Describes datatypes to filters. */
final class FilterLayouts {

  private FilterLayouts() {}

  /**
   * Returns the context for configuring filters.
   *
   * @param fill one element of the fill value, file form; empty bytes for the default, an empty
   *     optional if the value is undefined
   */
  static FilterContext context(Datatype type, List<Long> chunk, Optional<byte[]> fill) {
    return new FilterContext(
        of(type),
        chunk,
        fill.map(bytes ->
            new FilterContext.FillBytes(bytes.length == 0 ? new byte[type.size()] : bytes)));
  }

  private static ElementLayout of(Datatype type) {
    return switch (type) {
      case IntegerType t ->
          new ElementLayout.Number(
              ElementLayout.NumberClass.INTEGER,
              t.size(),
              order(t.order()),
              t.signed(),
              t.offset(),
              t.precision());
      case FloatType t ->
          t.order() == Endian.VAX
              ? new ElementLayout.Other(t.size())
              : new ElementLayout.Number(
                  ElementLayout.NumberClass.FLOAT,
                  t.size(),
                  order(t.order()),
                  true,
                  t.offset(),
                  t.precision());
      case ArrayType t -> new ElementLayout.Array(t.size(), of(t.base()));
      case CompoundType t ->
          new ElementLayout.Compound(
              t.size(),
              t.members().stream()
                  .map(member -> new ElementLayout.Member(member.offset(), of(member.type())))
                  .toList());
      case BitfieldType t -> new ElementLayout.Other(t.size(), order(t.order()));
      case EnumType t -> new ElementLayout.Other(t.size(), order(t.base().order()));
      case TimeType t -> new ElementLayout.Other(t.size());
      case StringType t -> new ElementLayout.Other(t.size());
      case OpaqueType t -> new ElementLayout.Other(t.size());
      case ReferenceType t -> new ElementLayout.Other(t.size());
      case VlenType t -> new ElementLayout.Other(t.size());
      case VlenStringType t -> new ElementLayout.Other(t.size());
      case ComplexType t -> new ElementLayout.Other(t.size());
    };
  }

  private static ByteOrder order(Endian endian) {
    return endian == Endian.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }
}
