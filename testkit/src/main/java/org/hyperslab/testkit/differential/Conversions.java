package org.hyperslab.testkit.differential;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
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
 * Converts random elements between random types of numbers, through a file by this project and by
 * H5Tconvert in the C library, and compares the bits.
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
   * @param seed of the random numbers
   * @param count how many
   * @throws AssertionError with the types and the bytes, where results differ
   */
  public void run(long seed, int count) {
    List<Case> cases = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cases.add(random(Seeds.random(seed, i)));
    }
    List<String> expected;
    try (LibrarySide library = LibrarySide.machine()) {
      expected = library.convert(cases.stream().map(Case::tree).toList());
    }
    List<String> differences = new ArrayList<>();
    List<String> actual = convert(cases);
    for (int i = 0; i < count; i++) {
      if (!actual.get(i).equals(expected.get(i))) {
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
              + count
              + " conversions of seed "
              + seed
              + " differ from the machine's library (-D"
              + Seeds.PROPERTY
              + "="
              + seed
              + "):\n"
              + String.join("\n", differences.subList(0, Math.min(8, differences.size()))));
    }
  }

  private static Case random(Random random) {
    TypeGenerator types = new TypeGenerator(random, false);
    TypeSpec source = number(types);
    TypeSpec target = number(types);
    while (isKnown(source, target)) {
      source = number(types);
      target = number(types);
    }
    StringBuilder bytes = new StringBuilder();
    for (int i = 0; i < ELEMENTS; i++) {
      bytes.append(value(types, source, target));
    }
    return new Case(source, target, bytes.toString());
  }

  /** Pairs that are known to differ, each with its reason. */
  private static boolean isKnown(TypeSpec source, TypeSpec target) {
    return isOnlySwapped(source, target) || isHalf(source, target) || isHalf(target, source);
  }

  /** The library swaps the bytes of such a pair and does not look at sign and precision. */
  private static boolean isOnlySwapped(TypeSpec source, TypeSpec target) {
    return source instanceof TypeSpec.Int a
        && target instanceof TypeSpec.Int b
        && a.size() == b.size()
        && a.big() != b.big();
  }

  /** HDF5 1.10 takes negative halves for large integers, and makes NaN of integers too large. */
  private static boolean isHalf(TypeSpec real, TypeSpec whole) {
    return real instanceof TypeSpec.Real && real.size() == 2 && whole instanceof TypeSpec.Int;
  }

  private static TypeSpec number(TypeGenerator types) {
    return types.chance(60) ? types.integer() : types.real();
  }

  /**
   * ElementValues that are known to differ stay out: NaN, and what HDF5 1.10 turns, among the
   * smallest numbers of the narrower type, to half its size.
   *
   * @param target the type to convert to
   */
  private static String value(TypeGenerator types, TypeSpec type, TypeSpec target) {
    String hex = (String) types.value(type, List::of);
    long smallest =
        target instanceof TypeSpec.Real narrow && narrow.size() < type.size()
            ? 1 - narrow.fields().bias()
            : Long.MIN_VALUE;
    while (type instanceof TypeSpec.Real real && isKnown(real, hex, smallest)) {
      hex = (String) types.value(type, List::of);
    }
    return hex;
  }

  private static boolean isKnown(TypeSpec.Real type, String hex, long smallest) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    long bits = 0;
    for (int i = 0; i < bytes.length; i++) {
      bits = bits << 8 | bytes[type.big() ? i : bytes.length - 1 - i] & 0xFF;
    }
    long ones = (1L << type.fields().exponentBits()) - 1;
    long exponent = bits >>> type.fields().exponent() & ones;
    return exponent == ones || bits != 0 && exponent - type.fields().bias() < smallest;
  }

  private List<String> convert(List<Case> cases) {
    List<String> told = new ArrayList<>();
    try (TemporaryFolder folder = TemporaryFolder.create("conversions")) {
      Path path = folder.file("conversions.h5");
      try (H5File file = session.create(path)) {
        for (int i = 0; i < cases.size(); i++) {
          told.add(convert(file, "d" + i, cases.get(i)));
        }
      }
    }
    return told;
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
