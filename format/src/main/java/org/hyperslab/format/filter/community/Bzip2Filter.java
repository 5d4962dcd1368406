package org.hyperslab.format.filter.community;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.Bzip2Streams;
import org.hyperslab.format.filter.coder.OptionalLibrary;

/**
 * Filter 307, bzip2: one bzip2 stream. Client data: the block size in units of 100,000 bytes, 1 to
 * 9.
 *
 * <p>Source: H5Zbzip2.c of PyTables.
 */
public final class Bzip2Filter extends ArrayFilter {

  /** The registered filter number. */
  public static final int ID = 307;

  private static final int DEFAULT_BLOCK = 9;
  private static final int FIRST_CAPACITY = 1 << 16;

  /** Creates the filter, which has no state. */
  public Bzip2Filter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "bzip2";
  }

  @Override
  public void checkParameters(int[] clientData, FilterContext context) {
    int block = value(clientData, 0, DEFAULT_BLOCK);
    if (block < 1 || block > DEFAULT_BLOCK) {
      throw new InvalidUseException(
          "bzip2 parameters: actual="
              + Arrays.toString(clientData)
              + ", expected=none, or one block size from 1 to 9");
    }
    try {
      Bzip2Streams.load();
    } catch (NoClassDefFoundError absent) {
      throw OptionalLibrary.COMMONS_COMPRESS.missing(name(), absent);
    }
  }

  private OutputStream encoder(OutputStream stored, int block) throws IOException {
    try {
      return Bzip2Streams.encoder(stored, block);
    } catch (NoClassDefFoundError absent) {
      throw OptionalLibrary.COMMONS_COMPRESS.missing(name(), absent);
    }
  }

  private InputStream decoder(InputStream stored) throws IOException {
    try {
      return Bzip2Streams.decoder(stored);
    } catch (NoClassDefFoundError absent) {
      throw OptionalLibrary.COMMONS_COMPRESS.missing(name(), absent);
    }
  }

  /** An output stream into a filter's output, up to its limit. */
  private static final class Sink extends OutputStream {
    private final FilterOutput out;
    private int made;
    private MalformedDataException full;

    Sink(FilterOutput out) {
      this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        byte[] target = out.array(made + (long) length);
        System.arraycopy(bytes, offset, target, out.arrayOffset() + made, length);
        made += length;
      } catch (MalformedDataException limit) {
        full = limit;
        throw new IOException(limit);
      }
    }
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    int block = Math.clamp(value(clientData, 0, DEFAULT_BLOCK), 1, 9);
    Sink sink = new Sink(out);
    try (OutputStream coder = encoder(new BufferedOutputStream(sink, 1 << 14), block)) {
      coder.write(source.array(), source.offset(), source.length());
    } catch (IOException failure) {
      if (sink.full != null) {
        return DECLINED;
      }
      throw new MalformedDataException("bzip2: " + failure.getMessage(), failure);
    }
    return sink.made;
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    InputStream stored = new ByteArrayInputStream(source.array(), source.offset(), source.length());
    int made = 0;
    try (InputStream decoder = decoder(stored)) {
      int capacity = (int) Math.min(out.limitBytes(), FIRST_CAPACITY);
      while (true) {
        byte[] target = out.array(capacity);
        int moved = decoder.read(target, out.arrayOffset() + made, capacity - made);
        if (moved < 0) {
          return made;
        }
        made += moved;
        if (made == capacity) {
          if (capacity == out.limitBytes()) {
            checkEnd(decoder, made);
            return made;
          }
          capacity = (int) Math.min(Math.min(out.limitBytes(), capacity * 4L), 1 << 30);
        }
      }
    } catch (IOException damaged) {
      throw new MalformedDataException("bzip2: " + damaged.getMessage(), damaged);
    }
  }

  private static void checkEnd(InputStream decoder, int made)
      throws IOException, MalformedDataException {
    if (decoder.read() >= 0) {
      throw new MalformedDataException(
          "result too long: actual=more than " + made + " bytes, expected=at most " + made);
    }
  }
}
