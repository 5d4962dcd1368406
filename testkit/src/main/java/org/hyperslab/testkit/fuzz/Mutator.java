package org.hyperslab.testkit.fuzz;

import java.util.Arrays;
import java.util.Random;

/**
 * Changes the bytes of a file: bits, fields set to extremes, addresses of other structures put in
 * place of addresses, structures copied over each other, ranges removed or inserted, ends cut off.
 * In most cases the checksums are recomputed, so that the change reaches the decoding code.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Mutator {

  private static final int LONGEST_COPY_BYTES = 256;
  private static final long[] EXTREMES = {
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    16,
    31,
    32,
    33,
    64,
    127,
    128,
    255,
    256,
    511,
    512,
    1023,
    1024,
    4096,
    32767,
    32768,
    65535,
    65536,
    1 << 20,
    Integer.MAX_VALUE,
    1L << 31,
    (1L << 32) - 1,
    1L << 32,
    1L << 40,
    1L << 62,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 1,
    Long.MIN_VALUE,
    -1,
    -2,
    -8
  };

  private final Random random;

  /** Creates a source of mutations. */
  Mutator(Random random) {
    this.random = random;
  }

  /**
   * Returns a changed copy.
   *
   * @param bytes the file; not changed
   * @param map the map of its metadata
   * @param other another file, from which bytes are taken
   */
  byte[] mutate(byte[] bytes, MetadataMap map, byte[] other) {
    byte[] mutant = bytes.clone();
    int changes = 1 + Math.min(6, (int) (-Math.log(1 - random.nextDouble()) * 1.5));
    for (int i = 0; i < changes; i++) {
      mutant = once(mutant, map, other);
    }
    if (random.nextInt(12) != 0) {
      map.updateChecksums(mutant);
    }
    return mutant;
  }

  private byte[] once(byte[] bytes, MetadataMap map, byte[] other) {
    if (bytes.length < 16) {
      return bytes;
    }
    int at = position(bytes, map);
    switch (random.nextInt(20)) {
      case 0, 1, 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 3, 4 -> bytes[at] = (byte) random.nextInt(256);
      case 5, 6, 7, 8, 9 ->
          put(bytes, at, 1 << random.nextInt(4), EXTREMES[random.nextInt(EXTREMES.length)]);
      case 10, 11 -> step(bytes, at, 1 << random.nextInt(4));
      case 12, 13 -> put(bytes, reference(map, at), 8, map.start(random.nextInt(map.count())));
      case 14 -> put(bytes, at, 1 << random.nextInt(4), bytes.length - 4 + random.nextInt(9));
      case 15 -> copy(bytes, position(bytes, map), bytes, at, random.nextInt(LONGEST_COPY_BYTES));
      case 16 ->
          copy(other, random.nextInt(other.length), bytes, at, random.nextInt(LONGEST_COPY_BYTES));
      case 17 -> swap(bytes, at, position(bytes, map), 8);
      case 18 -> {
        if (random.nextInt(4) == 0) {
          return Arrays.copyOf(bytes, at + 1);
        }
        Arrays.fill(
            bytes,
            at,
            Math.min(bytes.length, at + random.nextInt(64)),
            (byte) (random.nextBoolean() ? 0 : -1));
      }
      default -> {
        if (random.nextInt(4) == 0) {
          return shifted(bytes, at);
        }
        copyStructure(bytes, map);
      }
    }
    return bytes;
  }

  private int position(byte[] bytes, MetadataMap map) {
    if (random.nextInt(8) == 0) {
      return random.nextInt(bytes.length);
    }
    int place = random.nextInt(map.count());
    return Math.min(
        bytes.length - 1, map.start(place) + random.nextInt(Math.max(1, map.length(place))));
  }

  /** Returns the offset of an address, so that structures get to point into each other. */
  private int reference(MetadataMap map, int otherwise) {
    int[] references = map.references();
    return references.length == 0 ? otherwise : references[random.nextInt(references.length)];
  }

  private static void put(byte[] bytes, int at, int width, long value) {
    for (int i = 0; i < width && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) (i < 8 ? value >>> (8 * i) : 0);
    }
  }

  private void step(byte[] bytes, int at, int width) {
    long value = 0;
    for (int i = Math.min(width, bytes.length - at) - 1; i >= 0; i--) {
      value = value << 8 | bytes[at + i] & 0xFF;
    }
    long changed =
        switch (random.nextInt(6)) {
          case 0 -> value + 1;
          case 1 -> value - 1;
          case 2 -> value * 2;
          case 3 -> value / 2;
          case 4 -> -value;
          default -> value + random.nextInt(64) - 32;
        };
    put(bytes, at, width, changed);
  }

  private void copyStructure(byte[] bytes, MetadataMap map) {
    int from = random.nextInt(map.count());
    int to = random.nextInt(map.count());
    copy(bytes, map.start(from), bytes, map.start(to), map.length(from));
  }

  private static void copy(byte[] source, int from, byte[] target, int to, int length) {
    int possible = Math.min(length, Math.min(source.length - from, target.length - to));
    if (possible > 0) {
      System.arraycopy(source, from, target, to, possible);
    }
  }

  private static void swap(byte[] bytes, int a, int b, int length) {
    if (Math.max(a, b) <= bytes.length - length) {
      byte[] kept = Arrays.copyOfRange(bytes, a, a + length);
      System.arraycopy(bytes, b, bytes, a, length);
      System.arraycopy(kept, 0, bytes, b, length);
    }
  }

  /** Returns the bytes with some inserted or removed, so that all later bytes move. */
  private byte[] shifted(byte[] bytes, int at) {
    int length = 1 + random.nextInt(16);
    if (random.nextBoolean()) {
      byte[] longer = new byte[bytes.length + length];
      System.arraycopy(bytes, 0, longer, 0, at);
      System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
      return longer;
    }
    int behind = Math.min(bytes.length, at + length);
    byte[] shorter = Arrays.copyOf(bytes, bytes.length - (behind - at));
    System.arraycopy(bytes, behind, shorter, at, bytes.length - behind);
    return shorter;
  }
}
