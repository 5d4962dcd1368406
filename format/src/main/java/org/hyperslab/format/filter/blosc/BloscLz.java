package org.hyperslab.format.filter.blosc;

import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * Decodes BloscLZ, a variant of FastLZ: instructions that begin with a control byte. A value n
 * below 32 is followed by n + 1 literal bytes. Any other value is a copy: three bits of length (7
 * means that further length bytes follow, up to the first that is not 255), thirteen bits of
 * distance; a distance of all ones is followed by sixteen more bits.
 *
 * <p>Source: blosclz.c. Thread rule: functions without state.
 */
final class BloscLz {

  private static final int FAR = 8191;

  private BloscLz() {}

  /** Decodes {@code source} into {@code target} and returns the number of bytes produced. */
  static int decode(Span source, Span target) throws MalformedDataException {
    byte[] in = source.array();
    int at = source.offset();
    int end = source.end();
    byte[] array = target.array();
    int to = target.offset();
    if (at == end) {
      return 0;
    }
    int control = in[at++] & 0x1F;
    while (true) {
      if (control < 32) {
        int length = control + 1;
        if (length > end - at || length > target.end() - to) {
          throw beyond(to - target.offset());
        }
        System.arraycopy(in, at, array, to, length);
        at += length;
        to += length;
      } else {
        int length = (control >>> 5) - 1;
        int high = (control & 0x1F) << 8;
        if (length == 6) {
          int more;
          do {
            more = at < end ? in[at++] & 0xFF : -1;
            length += more;
            if (more < 0 || length > target.length()) {
              throw beyond(to - target.offset());
            }
          } while (more == 255);
        }
        length += 3;
        if (at >= end) {
          throw beyond(to - target.offset());
        }
        int distance = high + (in[at++] & 0xFF);
        if (distance == FAR) {
          if (end - at < 2) {
            throw beyond(to - target.offset());
          }
          distance = FAR + ((in[at] & 0xFF) << 8) + (in[at + 1] & 0xFF);
          at += 2;
        }
        distance++;
        if (distance > to - target.offset() || length > target.end() - to) {
          throw beyond(to - target.offset());
        }
        copy(array, to, distance, length);
        to += length;
      }
      if (at >= end) {
        return to - target.offset();
      }
      control = in[at++] & 0xFF;
    }
  }

  private static void copy(byte[] array, int to, int distance, int length) {
    if (distance >= length) {
      System.arraycopy(array, to - distance, array, to, length);
      return;
    }
    for (int i = to; i < to + length; i++) {
      array[i] = array[i - distance];
    }
  }

  private static MalformedDataException beyond(int made) {
    return new MalformedDataException("BloscLZ instruction beyond the data, at byte " + made);
  }
}
