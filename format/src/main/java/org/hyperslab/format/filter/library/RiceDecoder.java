package org.hyperslab.format.filter.library;

import java.util.Arrays;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BitReader;

/**
 * Decodes the extended Rice code of CCSDS 121.0-B, one line of pixels after another. A line is a
 * reference sample interval; each of its blocks begins with the number of a code option:
 *
 * <ul>
 *   <li>0 and a 0 bit: a run of blocks of zeros; 0 and a 1 bit: the second extension, pairs of
 *       samples;
 *   <li>1 … 2^n-2: sample splitting, with k = number - 1 low bits stored separately;
 *   <li>2^n-1: uncompressed samples.
 * </ul>
 *
 * <p>Thread rule: one thread.
 */
final class RiceDecoder {

  /** The code of a run "to the end of the segment", in the unary code of runs. */
  private static final int REST_OF_SEGMENT = 4;

  static final int SEGMENT_BLOCKS = 64;

  /** The largest code of a pair in the second extension: sums up to 12. */
  private static final int MAXIMUM_PAIR = 90;

  private final SzipParameters parameters;
  private final BitReader bits;

  /** A line of samples, padded to whole blocks. */
  private final int[] line;

  RiceDecoder(SzipParameters parameters, Span coded) {
    this.parameters = parameters;
    this.bits = new BitReader(coded);
    this.line = new int[parameters.blocksPerLine() * parameters.pixelsPerBlock()];
  }

  /** Fills {@code target} with pixels. */
  void decode(Span target) throws MalformedDataException {
    int size = parameters.sampleBytes();
    if (target.length() % size != 0) {
      throw new MalformedDataException(
          "length: actual=" + target.length() + " bytes, expected=a multiple of " + size);
    }
    int pixels = target.length() / size;
    for (long next = 0; next < pixels; next += parameters.pixelsPerLine()) {
      int done = (int) next;
      int count = Math.min(parameters.pixelsPerLine(), pixels - done);
      boolean last = pixels - done <= parameters.pixelsPerLine();
      decodeLine(last ? count : line.length);
      if (parameters.differences()) {
        undoDifferences(count);
      }
      store(target, done, count);
    }
  }

  /** Decodes blocks until at least {@code needed} samples of the line are available. */
  private void decodeLine(int needed) throws MalformedDataException {
    int blockSize = parameters.pixelsPerBlock();
    int options = 1 << parameters.optionBits();
    for (int at = 0; at < needed; at += blockSize) {
      int option = (int) bits.read(parameters.optionBits());
      boolean reference = at == 0 && parameters.differences();
      int first = at + (reference ? 1 : 0);
      if (option == options - 1) {
        for (int i = at; i < at + blockSize; i++) {
          line[i] = (int) bits.read(parameters.bitsPerSample());
        }
        continue;
      }
      boolean extension = option == 0 && bits.read(1) == 1;
      if (reference) {
        line[0] = (int) bits.read(parameters.bitsPerSample());
      }
      if (option > 0) {
        split(first, at + blockSize, option - 1);
      } else if (extension) {
        pairs(first, at + blockSize);
      } else {
        int run = runOfZeros(at / blockSize);
        Arrays.fill(line, first, at + run * blockSize, 0);
        at += (run - 1) * blockSize;
      }
    }
  }

  private void split(int from, int to, int k) throws MalformedDataException {
    for (int i = from; i < to; i++) {
      line[i] = bits.readUnary() << k;
    }
    if (k > 0) {
      for (int i = from; i < to; i++) {
        line[i] += (int) bits.read(k);
      }
    }
  }

  private void pairs(int from, int to) throws MalformedDataException {
    for (int i = from; i < to; i++) {
      int code = bits.readUnary();
      if (code > MAXIMUM_PAIR) {
        throw new MalformedDataException(
            "pair code: actual=" + code + ", expected=at most " + MAXIMUM_PAIR);
      }
      int sum = 0;
      int base = 0;
      while (base + sum + 1 <= code) {
        sum++;
        base += sum;
      }
      int second = code - base;
      if (i % 2 == 0) {
        line[i++] = sum - second;
      }
      line[i] = second;
    }
  }

  /** Returns the number of zero blocks from {@code block} on. */
  private int runOfZeros(int block) throws MalformedDataException {
    int code = bits.readUnary();
    int left = parameters.blocksPerLine() - block;
    int run;
    if (code == REST_OF_SEGMENT) {
      run = Math.min(left, SEGMENT_BLOCKS - block % SEGMENT_BLOCKS);
    } else {
      run = code < REST_OF_SEGMENT ? code + 1 : code;
    }
    if (run > left) {
      throw new MalformedDataException(
          "run of zero blocks: actual=" + run + ", expected=at most " + left);
    }
    return run;
  }

  /** Converts mapped differences back into samples, in place. */
  private void undoDifferences(int count) {
    int maximum = parameters.maximumSample();
    int middle = maximum / 2 + 1;
    int sample = line[0];
    for (int i = 1; i < count; i++) {
      int mapped = line[i];
      int mirror = (sample & middle) == 0 ? 0 : maximum;
      int half = (mapped >>> 1) + (mapped & 1);
      if (half <= (mirror ^ sample)) {
        sample += (mapped & 1) == 0 ? half : -half;
      } else {
        sample = mirror ^ mapped;
      }
      line[i] = sample;
    }
  }

  private void store(Span target, int firstPixel, int count) {
    byte[] array = target.array();
    int size = parameters.sampleBytes();
    int at = target.offset() + firstPixel * size;
    if (size == 1) {
      for (int i = 0; i < count; i++) {
        array[at + i] = (byte) line[i];
      }
      return;
    }
    for (int i = 0; i < count; i++, at += size) {
      for (int j = 0; j < size; j++) {
        int shift = 8 * (parameters.bigEndian() ? size - 1 - j : j);
        array[at + j] = (byte) (line[i] >>> shift);
      }
    }
  }
}
