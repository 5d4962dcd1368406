package org.hyperslab.mpiio.file;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.LongList;
import org.hyperslab.mpiio.datatype.TypeConstructor;

/** Writes a datatype in the prefix form that {@code type_map.c} reads. */
public final class Sentences {

  private Sentences() {}

  public static String of(DerivedType type) {
    return switch (type.constructor()) {
      case TypeConstructor.Basic b -> "basic " + b.elementary();
      case TypeConstructor.Contiguous c -> "contiguous " + c.count() + " " + of(c.of());
      case TypeConstructor.Vector v ->
          "vector %d %d %d %s".formatted(v.count(), v.blockLength(), v.stride(), of(v.of()));
      case TypeConstructor.HVector v ->
          "hvector %d %d %d %s".formatted(v.count(), v.blockLength(), v.strideBytes(), of(v.of()));
      case TypeConstructor.Indexed i ->
          "indexed " + counted(i.blockLengths()) + words(i.displacements()) + of(i.of());
      case TypeConstructor.HIndexed i ->
          "hindexed " + counted(i.blockLengths()) + words(i.displacementsBytes()) + of(i.of());
      case TypeConstructor.IndexedBlock i ->
          "indexed_block %d %d %s%s"
              .formatted(
                  i.displacements().size(), i.blockLength(), words(i.displacements()), of(i.of()));
      case TypeConstructor.HIndexedBlock i ->
          "hindexed_block %d %d %s%s"
              .formatted(
                  i.displacementsBytes().size(),
                  i.blockLength(),
                  words(i.displacementsBytes()),
                  of(i.of()));
      case TypeConstructor.Struct s ->
          "struct "
              + counted(s.blockLengths())
              + words(s.displacementsBytes())
              + s.of().stream().map(Sentences::of).collect(Collectors.joining(" "));
      case TypeConstructor.Subarray s ->
          "subarray "
              + counted(s.sizes())
              + words(s.subsizes())
              + words(s.starts())
              + s.order().ordinal()
              + " "
              + of(s.of());
      case TypeConstructor.Darray d -> darray(d);
      case TypeConstructor.Resized r ->
          "resized %d %d %s".formatted(r.lowerBoundBytes(), r.extentBytes(), of(r.of()));
    };
  }

  private static String darray(TypeConstructor.Darray d) {
    long processes = Arrays.stream(d.place().grid().toArray()).reduce(1, (a, b) -> a * b);
    return "darray %d %d %s%s%s%s%d %s"
        .formatted(
            processes,
            d.place().rank(),
            counted(d.sizes()),
            d.distributions().stream()
                .map(x -> x.kind().ordinal() + " ")
                .collect(Collectors.joining()),
            d.distributions().stream().map(x -> x.argument() + " ").collect(Collectors.joining()),
            words(d.place().grid()),
            d.place().order().ordinal(),
            of(d.of()));
  }

  private static String counted(LongList longs) {
    return longs.size() + " " + words(longs);
  }

  private static String words(LongList longs) {
    return Arrays.stream(longs.toArray()).mapToObj(v -> v + " ").collect(Collectors.joining());
  }
}
