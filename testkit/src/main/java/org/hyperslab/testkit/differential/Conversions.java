package org.hyperslab.testkit.differential;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;

/**
 * Converts random elements between random types, through a file by this project and by H5Tconvert
 * of each installed release of the C library, and compares the bits.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class Conversions {

  private static final int ELEMENTS = 16;

  private final Session session;

  /**
   * Creates conversions through files of a session.
   *
   * @param session the session, which is not closed
   */
  public Conversions(Session session) {
    this.session = session;
  }

  /** A pair of types and the bytes of elements of the first. */
  private record Case(TypeSpec source, TypeSpec target, String bytes) {
    List<Object> tree() {
      return List.of(source.tree(), target.tree(), bytes, ELEMENTS);
    }
  }

  /**
   * Runs a number of random cases.
   *
   * @param seed the seed of the random numbers
   * @param count the number of cases
   * @throws AssertionError with the types and the bytes, if results differ
   */
  public void run(long seed, int count) {
    List<Case> cases = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cases.add(random(Seeds.random(seed, i)));
    }
    List<String> actual = convert(cases);
    try (LibrarySide library = LibrarySide.machine()) {
      compare(seed, cases, actual, library, one -> false);
    }
    Optional<LibrarySide> newest = LibrarySide.newest();
    if (newest.isPresent()) {
      try (LibrarySide library = newest.get()) {
        compare(seed, cases, actual, library, Conversions::isKnownOfNewest);
      }
    }
  }

  /**
   * Returns whether a difference is a known one of HDF5 2.2. It converts negative numbers above -1
   * to the least integer, where 1.10 and its documentation give 0, and keeps the sign of numbers
   * too small for half precision, where 1.10 does not.
   */
  private static boolean isKnownOfNewest(Case one) {
    return holds(one.source, part -> part instanceof TypeSpec.Real)
        && holds(
            one.target,
            part ->
                part instanceof TypeSpec.Int || part instanceof TypeSpec.Real && part.size() == 2);
  }

  private static boolean holds(TypeSpec type, Predicate<TypeSpec> test) {
    return switch (type) {
      case TypeSpec.Compound compound ->
          compound.members().stream().anyMatch(member -> holds(member.type(), test));
      case TypeSpec.Array array -> holds(array.base(), test);
      default -> test.test(type);
    };
  }

  private static void compare(
      long seed,
      List<Case> cases,
      List<String> actual,
      LibrarySide library,
      Predicate<Case> isKnown) {
    List<String> expected = library.convert(cases.stream().map(Case::tree).toList());
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      if (!isKnown.test(cases.get(i)) && !actual.get(i).equals(expected.get(i))) {
        differences.add(
            Json.text(cases.get(i).tree())
                + "\n  actual="
                + actual.get(i)
                + "\nexpected="
                + expected.get(i));
      }
    }
    if (!differences.isEmpty()) {
      throw new AssertionError(
          differences.size()
              + " of "
              + cases.size()
              + " conversions of seed "
              + seed
              + " differ from the library \""
              + library.name()
              + "\" (-D"
              + Seeds.PROPERTY
              + "="
              + seed
              + "):\n"
              + String.join("\n", differences.subList(0, Math.min(8, differences.size()))));
    }
  }

  private static Case random(Random random) {
    ConversionGenerator.Pair pair = new ConversionGenerator(random).pair(ELEMENTS);
    return new Case(pair.source(), pair.target(), pair.bytes());
  }

  private List<String> convert(List<Case> cases) {
    List<String> result = new ArrayList<>();
    try (TemporaryFolder folder = TemporaryFolder.create("conversions")) {
      Path path = folder.file("conversions.h5");
      try (H5File file = session.create(path)) {
        for (int i = 0; i < cases.size(); i++) {
          result.add(convert(file, "d" + i, cases.get(i)));
        }
      }
    }
    return result;
  }

  private static String convert(H5File file, String name, Case one) {
    Datatype from = HyperslabTypes.of(one.source);
    Datatype to = HyperslabTypes.of(one.target);
    try (Dataset dataset = file.createDataset(name, from, Dataspace.simple((long) ELEMENTS))) {
      MemorySegment bytes = MemorySegment.ofArray(HexFormat.of().parseHex(one.bytes));
      dataset.write(Memory.of(bytes, from, ELEMENTS));
      Memory target = Memory.allocate(to, ELEMENTS);
      dataset.readInto(target);
      byte[] found = target.data().elements().toArray(ValueLayout.JAVA_BYTE);
      return HexFormat.of().formatHex(found);
    } catch (HyperslabException refused) {
      return "refused";
    }
  }
}
