package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.convert.NumberCodec;

/**
 * Reads and writes the compound of two floating-point members r and i, in which h5py stores complex
 * numbers because HDF5 had no type for them before 2.0.
 *
 * @param type the compound type
 * @param members the node for values that are a Map or a record instead of a complex number
 */
record ComplexPair(CompoundType type, Node members) implements Node {

  /**
   * Returns whether a compound is such a pair: both members have the same type, as h5py requires.
   */
  static boolean is(CompoundType type) {
    List<CompoundType.Member> members = type.members();
    return members.size() == 2
        && members.get(0).name().equals("r")
        && members.get(1).name().equals("i")
        && members.get(0).type() instanceof FloatType
        && members.get(0).type().equals(members.get(1).type());
  }

  @Override
  public Object get(MemorySegment elements, long at, VlenHeap heap) {
    NumberCodec codec = NumberCodec.of(type.members().get(0).type());
    return new Complex(
        codec.getDouble(elements, at + type.members().get(0).offset()),
        codec.getDouble(elements, at + type.members().get(1).offset()));
  }

  @Override
  public void put(Object value, Target to, long at) {
    Object pair =
        switch (value) {
          case Complex complex -> complex.toMap();
          case Number real -> new Complex(real.doubleValue(), 0).toMap();
          case null, default -> value;
        };
    members.put(pair, to, at);
  }
}
