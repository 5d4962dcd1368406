package org.hyperslab.mpiio.datatype;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Blocks at given places: what indexed types and structures are made of. */
final class BlockTypes {

  private BlockTypes() {}

  static DerivedType.Parts indexed(LongList lengths, LongList displacements, DerivedType old) {
    check(lengths, displacements, displacements.size());
    Bounds bounds = Bounds.NOTHING;
    long elements = 0;
    for (int i = 0; i < lengths.size(); i++) {
      DerivedType.notNegative("block length", lengths.get(i));
      bounds =
          bounds.and(old.bounds().repeated(displacements.get(i), lengths.get(i), old.extent()));
      elements = Math.addExact(elements, lengths.get(i));
    }
    TypeMap map =
        old.isContiguous() ? runs(lengths, displacements, old) : maps(lengths, displacements, old);
    return new DerivedType.Parts(bounds, map, old.signature().times(elements));
  }

  private static TypeMap runs(LongList lengths, LongList displacements, DerivedType old) {
    long[] starts = displacements.toArray();
    long[] bytes = lengths.toArray();
    for (int i = 0; i < starts.length; i++) {
      starts[i] = Math.addExact(starts[i], old.map().low());
      bytes[i] = Math.multiplyExact(bytes[i], old.size());
    }
    return TypeMap.listed(starts, bytes);
  }

  /** Blocks of equal length share one map. */
  private static TypeMap maps(LongList lengths, LongList displacements, DerivedType old) {
    Map<Long, TypeMap> blocks = new HashMap<>();
    List<TypeMap> all = new ArrayList<>(lengths.size());
    for (int i = 0; i < lengths.size(); i++) {
      TypeMap block =
          blocks.computeIfAbsent(
              lengths.get(i), length -> old.map().repeated(0, length, old.extent()));
      all.add(block.shifted(displacements.get(i)));
    }
    return TypeMap.joined(all);
  }

  static DerivedType.Parts struct(LongList lengths, LongList displacements, List<DerivedType> old) {
    check(lengths, displacements, old.size());
    Bounds bounds = Bounds.NOTHING;
    List<TypeMap> maps = new ArrayList<>(old.size());
    List<Signature> signatures = new ArrayList<>(old.size());
    for (int i = 0; i < old.size(); i++) {
      DerivedType.notNegative("block length", lengths.get(i));
      DerivedType type = old.get(i);
      bounds =
          bounds.and(type.bounds().repeated(displacements.get(i), lengths.get(i), type.extent()));
      maps.add(type.map().repeated(displacements.get(i), lengths.get(i), type.extent()));
      signatures.add(type.signature().times(lengths.get(i)));
    }
    return new DerivedType.Parts(bounds, TypeMap.joined(maps), Signature.joined(signatures));
  }

  private static void check(LongList lengths, LongList displacements, int types) {
    DerivedType.require(
        lengths.size() == displacements.size() && displacements.size() == types,
        "lengths of the arrays",
        lengths.size() + ", " + displacements.size() + ", " + types,
        "equal");
  }
}
