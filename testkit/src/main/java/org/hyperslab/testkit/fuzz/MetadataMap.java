package org.hyperslab.testkit.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.hyperslab.format.io.Lookup3;

/**
 * A map of the probable metadata in the bytes of a file, found by signatures and without this
 * project's decoders, with the checksummed ranges.
 *
 * <p>A checksummed structure's length is found by trial: it is the one for which the hash of the
 * bytes equals the four bytes that follow. Direct blocks of fractal heaps contain their checksum,
 * which is hashed as zero.
 *
 * <p>Thread rule: immutable.
 */
final class MetadataMap {

  private static final int LONGEST_CHECKED_BYTES = 1200;
  private static final int MAX_SEARCHED = 60;
  private static final int MAX_PLACES = 4000;
  private static final int USUAL_BYTES = 128;
  private static final List<String> CHECKED =
      List.of(
          "OHDR",
          "OCHK",
          "FRHP",
          "FHIB",
          "BTHD",
          "BTIN",
          "BTLF",
          "FAHD",
          "FADB",
          "EAHD",
          "EAIB",
          "EASB",
          "EADB",
          "FSHD",
          "FSSE",
          "SMTB",
          "SMLI",
          "\u0089HDF");
  private static final List<String> UNCHECKED = List.of("TREE", "SNOD", "HEAP", "GCOL", "FHDB");

  /**
   * A range that ends in, or contains, its checksum.
   *
   * @param start the offset of the first byte
   * @param endExclusive the offset after the last hashed byte
   * @param checksumAt the offset of the hash; within the range it is hashed as zero
   */
  private record Checked(int start, int endExclusive, int checksumAt) {}

  private final int[] starts;
  private final int[] lengths;
  private final List<Checked> checked;

  /** The offsets of the addresses of places. */
  private final int[] references;

  private MetadataMap(byte[] bytes, SortedMap<Integer, Integer> places, List<Checked> checked) {
    this.references = references(bytes, places);
    this.starts = places.keySet().stream().mapToInt(Integer::intValue).toArray();
    this.lengths = places.values().stream().mapToInt(Integer::intValue).toArray();
    this.checked = checked;
  }

  /** Creates the map of the bytes of a file. */
  static MetadataMap of(byte[] bytes) {
    TreeMap<Integer, Integer> places = new TreeMap<>();
    List<Checked> checked = new ArrayList<>();
    places.put(0, Math.min(bytes.length, USUAL_BYTES));
    for (int at = 0; at <= bytes.length - 8 && places.size() < MAX_PLACES; at++) {
      String four = new String(bytes, at, 4, StandardCharsets.ISO_8859_1);
      if (CHECKED.contains(four) && checked.size() < MAX_SEARCHED) {
        int end = end(bytes, at);
        if (end > 0) {
          checked.add(new Checked(at, end, end));
        }
        places.put(at, end > 0 ? end - at : USUAL_BYTES);
      } else if (UNCHECKED.contains(four)) {
        places.put(at, Math.min(bytes.length - at, 4 * USUAL_BYTES));
        if (four.equals("FHDB")) {
          directBlock(bytes, at, checked);
        }
      } else if (at % 8 == 0 && oldHeader(bytes, at)) {
        places.put(at, 16 + int32(bytes, at + 8));
      }
    }
    return new MetadataMap(bytes, places, checked);
  }

  private static int int32(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
  }

  /** Returns the offset of the hash of a structure, or -1. */
  private static int end(byte[] bytes, int start) {
    if (bytes[start + 1] == 'H' && bytes[start] == 'O') {
      return headerEnd(bytes, start);
    }
    int last = Math.min(bytes.length - 4, start + LONGEST_CHECKED_BYTES);
    for (int end = start + 8; end <= last; end++) {
      if (int32(bytes, end) == Lookup3.hash(bytes, start, end - start, 0)) {
        return end;
      }
    }
    return -1;
  }

  private static void directBlock(byte[] bytes, int start, List<Checked> checked) {
    for (int length = 256; length <= 1 << 16 && start + length <= bytes.length; length *= 2) {
      for (int at = start + 8; at < start + 24; at++) {
        Checked candidate = new Checked(start, start + length, at);
        if (hash(bytes, candidate) == int32(bytes, at)) {
          checked.add(candidate);
          return;
        }
      }
    }
  }

  private static int hash(byte[] bytes, Checked range) {
    if (range.checksumAt >= range.endExclusive) {
      return Lookup3.hash(bytes, range.start, range.endExclusive - range.start, 0);
    }
    byte[] copy = Arrays.copyOfRange(bytes, range.start, range.endExclusive);
    ByteBuffer.wrap(copy).putInt(range.checksumAt - range.start, 0);
    return Lookup3.hash(copy, 0, copy.length, 0);
  }

  /** Returns whether the bytes look like an object header of version 1, which has no signature. */
  private static boolean oldHeader(byte[] bytes, int at) {
    if (at > bytes.length - 24 || bytes[at] != 1 || bytes[at + 1] != 0) {
      return false;
    }
    int references = int32(bytes, at + 4);
    int length = int32(bytes, at + 8);
    return references > 0 && references < 100 && length >= 8 && length <= bytes.length - at - 16;
  }

  private static int[] references(byte[] bytes, SortedMap<Integer, Integer> places) {
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return IntStream.range(0, Math.max(0, bytes.length - 7))
        .filter(at -> {
          long value = all.getLong(at);
          return value > 0 && value < bytes.length && places.containsKey((int) value);
        })
        .toArray();
  }

  /** Returns the offsets of the addresses of places; may be empty. */
  int[] references() {
    return references.clone();
  }

  /** Returns the number of places; at least 1. */
  int count() {
    return starts.length;
  }

  /** Returns the offset of place {@code i}. */
  int start(int i) {
    return starts[i];
  }

  /** Returns the number of bytes of place {@code i}; at least 1. */
  int length(int i) {
    return lengths[i];
  }

  /** Recomputes the checksums that lie within the bytes. */
  void updateChecksums(byte[] bytes) {
    for (Checked range : checked) {
      if (range.endExclusive <= bytes.length && range.checksumAt <= bytes.length - 4) {
        ByteBuffer.wrap(bytes)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(range.checksumAt, hash(bytes, range));
      }
    }
    updateHeaderChecksums(bytes);
  }

  /** Recomputes the checksums of object headers, whose own length fields may have changed. */
  private void updateHeaderChecksums(byte[] bytes) {
    for (Map.Entry<Integer, Integer> each : headerEnds(bytes).entrySet()) {
      int hash = Lookup3.hash(bytes, each.getKey(), each.getValue() - each.getKey(), 0);
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(each.getValue(), hash);
    }
  }

  /**
   * Returns the end of the first chunk of an object header of version 2 by its length field; -1 if
   * beyond the file.
   */
  private static int headerEnd(byte[] bytes, int at) {
    if (at > bytes.length - 32) {
      return -1;
    }
    int flags = bytes[at + 5];
    int field = at + 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
    int width = 1 << (flags & 3);
    long length = 0;
    for (int i = Math.min(width, 4) - 1; i >= 0; i--) {
      length = length << 8 | bytes[field + i] & 0xFF;
    }
    long end = field + width + length;
    return end <= bytes.length - 4L ? (int) end : -1;
  }

  private Map<Integer, Integer> headerEnds(byte[] bytes) {
    Map<Integer, Integer> ends = new TreeMap<>();
    for (Checked range : checked) {
      int at = range.start;
      if (at > bytes.length - 32 || bytes[at] != 'O' || bytes[at + 1] != 'H') {
        continue;
      }
      int end = headerEnd(bytes, at);
      if (end > 0) {
        ends.put(at, end);
      }
    }
    return ends;
  }
}
