package org.hyperslab.format.filter.library;

import java.util.Arrays;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BitWriter;

/**
 * Encodes by the extended Rice code of CCSDS 121.0-B; see {@link RiceDecoder} for the code. Lines
 * are padded to whole blocks, and the last one to a whole line, by repeating the last pixel, or by
 * zeros if differences are not used.
 *
 * <p>Thread rule: one thread.
 */
final class RiceEncoder {

  private static final int SHORT_RUN = 4;

  private final SzipParameters parameters;
  private final BitWriter bits;
  private final int[] samples;
  private final int[] mapped;
  private final int maximumSplit;

  RiceEncoder(SzipParameters parameters, Span room) {
    this.parameters = parameters;
    this.bits = new BitWriter(room.array(), room.offset(), room.end());
    int length = parameters.blocksPerLine() * parameters.pixelsPerBlock();
    this.samples = new int[length];
    this.mapped = parameters.differences() ? new int[length] : samples;
    this.maximumSplit = (1 << parameters.optionBits()) - 3;
  }

  /** Encodes all pixels and returns the number of bytes produced. */
  int encode(Span source) throws MalformedDataException {
    int size = parameters.sampleBytes();
    if (source.length() % size != 0) {
      throw new MalformedDataException(
          "length: actual=" + source.length() + " bytes, expected=a multiple of " + size);
    }
    int pixels = source.length() / size;
    for (long next = 0; next < pixels; next += parameters.pixelsPerLine()) {
      int done = (int) next;
      load(source, done, Math.min(parameters.pixelsPerLine(), pixels - done));
      if (parameters.differences()) {
        mapDifferences();
      }
      encodeLine();
    }
    return bits.finish();
  }

  private void load(Span source, int firstPixel, int count) throws MalformedDataException {
    byte[] array = source.array();
    int size = parameters.sampleBytes();
    int at = source.offset() + firstPixel * size;
    int seen = 0;
    for (int i = 0; i < count; i++, at += size) {
      int sample = 0;
      for (int j = 0; j < size; j++) {
        int shift = 8 * (parameters.bigEndian() ? size - 1 - j : j);
        sample |= (array[at + j] & 0xFF) << shift;
      }
      samples[i] = sample;
      seen |= sample;
    }
    if ((seen & ~parameters.maximumSample()) != 0) {
      throw new MalformedDataException(
          "pixel: actual=more than "
              + parameters.bitsPerSample()
              + " bits, expected=padding bits of zero");
    }
    int padding = parameters.differences() ? samples[count - 1] : 0;
    Arrays.fill(samples, count, samples.length, padding);
  }

  /**
   * Maps the difference of each sample from its predecessor to 0, 1, 2 … by magnitude; the first
   * sample is unchanged.
   */
  private void mapDifferences() {
    int maximum = parameters.maximumSample();
    mapped[0] = 0;
    for (int i = 1; i < samples.length; i++) {
      int before = samples[i - 1];
      int now = samples[i];
      int difference = now - before;
      if (difference >= 0) {
        mapped[i] = difference <= before ? 2 * difference : now;
      } else {
        mapped[i] = -difference <= maximum - before ? -2 * difference - 1 : maximum - now;
      }
    }
  }

  private void encodeLine() throws MalformedDataException {
    int blockSize = parameters.pixelsPerBlock();
    int blocks = parameters.blocksPerLine();
    int runStart = 0;
    for (int block = 0; block < blocks; block++) {
      boolean zero = isZero(block * blockSize);
      boolean segmentEnds = block == blocks - 1 || (block + 1) % RiceDecoder.SEGMENT_BLOCKS == 0;
      if (!zero && runStart < block) {
        writeRun(runStart, block - runStart, false);
      }
      if (zero && segmentEnds) {
        writeRun(runStart, block + 1 - runStart, true);
      }
      if (!zero) {
        encodeBlock(block * blockSize);
      }
      if (!zero || segmentEnds) {
        runStart = block + 1;
      }
    }
  }

  private boolean isZero(int at) {
    for (int i = at; i < at + parameters.pixelsPerBlock(); i++) {
      if (mapped[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private boolean reference(int at) {
    return at == 0 && parameters.differences();
  }

  private void writeReference(int at) throws MalformedDataException {
    if (reference(at)) {
      bits.write(samples[0], parameters.bitsPerSample());
    }
  }

  private void writeRun(int firstBlock, int run, boolean toSegmentEnd)
      throws MalformedDataException {
    bits.write(0, parameters.optionBits() + 1);
    writeReference(firstBlock * parameters.pixelsPerBlock());
    if (run <= SHORT_RUN) {
      bits.writeUnary(run - 1);
    } else {
      bits.writeUnary(toSegmentEnd ? SHORT_RUN : run);
    }
  }

  private void encodeBlock(int at) throws MalformedDataException {
    int end = at + parameters.pixelsPerBlock();
    int first = reference(at) ? at + 1 : at;
    long plainBits = (long) (end - first) * parameters.bitsPerSample();
    int k = bestSplit(first, end);
    long splitBits = splitBits(first, end, k);
    long pairBits = pairBits(at, end, Math.min(splitBits, plainBits));
    if (pairBits < Math.min(splitBits, plainBits)) {
      bits.write(1, parameters.optionBits() + 1);
      writeReference(at);
      for (int i = at; i < end; i += 2) {
        int sum = mapped[i] + mapped[i + 1];
        bits.writeUnary(sum * (sum + 1) / 2 + mapped[i + 1]);
      }
    } else if (splitBits < plainBits) {
      bits.write(k + 1, parameters.optionBits());
      writeReference(at);
      writeSplit(first, end, k);
    } else {
      bits.write(-1, parameters.optionBits());
      writeReference(at);
      for (int i = first; i < end; i++) {
        bits.write(mapped[i], parameters.bitsPerSample());
      }
    }
  }

  private void writeSplit(int from, int to, int k) throws MalformedDataException {
    for (int i = from; i < to; i++) {
      bits.writeUnary(mapped[i] >>> k);
    }
    if (k > 0) {
      for (int i = from; i < to; i++) {
        bits.write(mapped[i], k);
      }
    }
  }

  /** Returns the number of split bits that minimizes the block: near the logarithm of the mean. */
  private int bestSplit(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += mapped[i];
    }
    long mean = sum / (to - from);
    int k = Math.min(maximumSplit, 63 - Long.numberOfLeadingZeros(mean | 1));
    long length = splitBits(from, to, k);
    for (int step = -1; step <= 1; step += 2) {
      for (int next = k + step; next >= 0 && next <= maximumSplit; next += step) {
        long nextLength = splitBits(from, to, next);
        if (nextLength >= length) {
          break;
        }
        k = next;
        length = nextLength;
      }
    }
    return k;
  }

  private long splitBits(int from, int to, int k) {
    long length = (long) (to - from) * (k + 1);
    for (int i = from; i < to; i++) {
      length += mapped[i] >>> k;
    }
    return length;
  }

  /**
   * Returns the bits of the second extension without the option number, or {@code enough} if they
   * are not fewer.
   */
  private long pairBits(int from, int to, long enough) {
    long length = 1;
    for (int i = from; i < to && length < enough; i += 2) {
      long sum = (long) mapped[i] + mapped[i + 1];
      if (sum > 12) {
        return enough;
      }
      length += sum * (sum + 1) / 2 + mapped[i + 1] + 1;
    }
    return length;
  }
}
