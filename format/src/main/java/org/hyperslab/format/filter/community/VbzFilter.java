package org.hyperslab.format.filter.community;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BlockCodecs;

/**
 * Filter 32020, VBZ, in which nanopore sequencers store their signals: differences of integers, in
 * zigzag order, as {@link StreamVByte}, in a Zstandard frame. The length of the chunk (u32) comes
 * first.
 *
 * <p>Client data: version (0, or 1, which stores integers of one byte in half bytes), size of an
 * integer in bytes (1, 2, 4; 0 omits the integer coding), whether differences are stored, level of
 * Zstandard (0 omits it; 1 if absent). Values that are absent when a dataset is created are chosen
 * for its type.
 *
 * <p>Source: the registered plugin vbz_compression, vbz.cpp.
 */
public final class VbzFilter extends ArrayFilter {

  /** The registered filter number. */
  public static final int ID = 32020;

  private static final int HEADER_BYTES = 4;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /** Creates the filter, which has no state. */
  public VbzFilter() {}

  /** Working memory of a thread. */
  private static final class Work {
    int[] values = new int[0];
    byte[] bytes = new byte[0];

    int[] values(int count) {
      if (values.length < count) {
        values = new int[count];
      }
      return values;
    }

    byte[] bytes(int count) {
      if (bytes.length < count) {
        bytes = new byte[count];
      }
      return bytes;
    }
  }

  /** The client data, checked. */
  private record Settings(int version, int size, boolean differences, int level) {

    static Settings of(int[] clientData) throws MalformedDataException {
      if (!usable(clientData)) {
        throw new MalformedDataException("client data: " + expectation(clientData));
      }
      return new Settings(
          clientData[0], clientData[1], clientData[2] != 0, value(clientData, 3, 1));
    }

    static boolean usable(int[] clientData) {
      return clientData.length >= 3
          && (clientData[0] == 0 || clientData[0] == 1)
          && (clientData[1] == 0 || clientData[1] == 1 || clientData[1] == 2 || clientData[1] == 4);
    }

    boolean halves() {
      return version == 1 && size == 1;
    }
  }

  private static String expectation(int[] clientData) {
    return "actual="
        + Arrays.toString(clientData)
        + ", expected=version 0 or 1, integers of 0, 1, 2 or 4 bytes, 0 or 1, level";
  }

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "vbz";
  }

  @Override
  public void checkParameters(int[] clientData, FilterContext context) {
    int[] values = configure(clientData, context);
    if (!Settings.usable(values)) {
      throw new InvalidUseException("vbz parameters: " + expectation(clientData));
    }
    if (value(values, 3, 1) != 0) {
      BlockCodecs.require(BlockCodecs.Coder.ZSTD);
    }
  }

  @Override
  public int[] configure(int[] clientData, FilterContext context) {
    int[] values = Arrays.copyOf(clientData, Math.max(clientData.length, 4));
    if (clientData.length < 2) {
      int size = context.element().sizeBytes();
      values[1] = size == 1 || size == 2 || size == 4 ? size : 0;
    }
    if (clientData.length < 3) {
      values[2] = 1;
    }
    if (clientData.length < 4) {
      values[3] = 1;
    }
    return values;
  }

  @Override
  public long maximumEncodedBytes(long bytes, int[] clientData) {
    return 5 * bytes + bytes / 4 + (1 << 16);
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    Settings settings = Settings.of(clientData);
    Work work = out.scratch().state(Work.class, Work::new);
    Span coded = settings.size == 0 ? source : encodeIntegers(source, settings, work);
    int made;
    if (settings.level == 0) {
      byte[] target = out.array(HEADER_BYTES + (long) coded.length());
      System.arraycopy(
          coded.array(), coded.offset(), target, out.arrayOffset() + HEADER_BYTES, coded.length());
      made = coded.length();
    } else {
      int room = BlockCodecs.maximumEncodedBytes(coded.length());
      byte[] target = out.array(HEADER_BYTES + (long) room);
      Span frame = new Span(target, out.arrayOffset() + HEADER_BYTES, room);
      BlockCodecs codecs = BlockCodecs.of(out.scratch());
      made = codecs.encode(BlockCodecs.Coder.ZSTD, settings.level, coded, frame);
    }
    INT.set(out.array(HEADER_BYTES), out.arrayOffset(), source.length());
    return HEADER_BYTES + made;
  }

  private static Span encodeIntegers(Span source, Settings settings, Work work)
      throws MalformedDataException {
    int count = source.length() / settings.size;
    long room = StreamVByte.maximumBytes(count);
    if (source.length() % settings.size != 0 || room > MAXIMUM_ARRAY_BYTES) {
      throw new MalformedDataException(
          "chunk: actual="
              + source.length()
              + " bytes, expected=a multiple of "
              + settings.size
              + " that is below 400 MiB");
    }
    int[] values = work.values(count);
    int before = 0;
    for (int i = 0; i < count; i++) {
      int value = get(source.array(), source.offset() + i * settings.size, settings.size);
      values[i] = settings.differences ? zigzag(value - before, settings.size) : value;
      before = value;
    }
    byte[] bytes = work.bytes((int) room);
    int made =
        settings.halves()
            ? StreamVByte.encodeHalves(values, count, bytes, 0)
            : StreamVByte.encode(values, count, bytes, 0);
    return new Span(bytes, 0, made);
  }

  /** Differences wrap at the integer's size: the plugin expects none that need more bytes. */
  private static int zigzag(int difference, int size) {
    int step =
        switch (size) {
          case 1 -> (byte) difference;
          case 2 -> (short) difference;
          default -> difference;
        };
    return step << 1 ^ step >> 31;
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    Settings settings = Settings.of(clientData);
    if (source.length() < HEADER_BYTES) {
      throw new MalformedDataException(
          "header: actual=" + source.length() + " bytes, expected=at least 4");
    }
    long length = (int) INT.get(source.array(), source.offset()) & 0xFFFFFFFFL;
    byte[] target = out.array(length);
    Span room = new Span(target, out.arrayOffset(), (int) length);
    Span stored = source.slice(HEADER_BYTES, source.length() - HEADER_BYTES);
    Work work = out.scratch().state(Work.class, Work::new);
    BlockCodecs codecs = BlockCodecs.of(out.scratch());
    if (settings.size == 0) {
      int made = settings.level == 0 ? copy(stored, room) : unpack(stored, room, codecs);
      requireLength(made, room.length());
      return made;
    }
    decodeIntegers(
        settings.level == 0 ? stored : frame(stored, room, codecs, work), settings, room, work);
    return room.length();
  }

  private static Span frame(Span stored, Span room, BlockCodecs codecs, Work work)
      throws MalformedDataException {
    long bytes = Math.min(StreamVByte.maximumBytes(room.length()), MAXIMUM_ARRAY_BYTES);
    Span coded = new Span(work.bytes((int) bytes), 0, (int) bytes);
    return coded.slice(0, unpack(stored, coded, codecs));
  }

  private static int unpack(Span stored, Span room, BlockCodecs codecs)
      throws MalformedDataException {
    return codecs.decode(BlockCodecs.Coder.ZSTD, stored, room);
  }

  private static int copy(Span stored, Span room) throws MalformedDataException {
    requireLength(stored.length(), room.length());
    System.arraycopy(stored.array(), stored.offset(), room.array(), room.offset(), room.length());
    return room.length();
  }

  private static void requireLength(int actual, int expected) throws MalformedDataException {
    if (actual != expected) {
      throw new MalformedDataException("length: actual=" + actual + ", expected=" + expected);
    }
  }

  private static void decodeIntegers(Span coded, Settings settings, Span room, Work work)
      throws MalformedDataException {
    if (room.length() % settings.size != 0) {
      throw new MalformedDataException(
          "length: actual=" + room.length() + ", expected=a multiple of " + settings.size);
    }
    int count = room.length() / settings.size;
    int[] values = work.values(count);
    if (settings.halves()) {
      StreamVByte.decodeHalves(coded, values, count);
    } else {
      StreamVByte.decode(coded, values, count);
    }
    int value = 0;
    for (int i = 0; i < count; i++) {
      int stored = values[i];
      value = settings.differences ? value + (stored >>> 1 ^ -(stored & 1)) : stored;
      put(room.array(), room.offset() + i * settings.size, settings.size, value);
    }
  }

  private static int get(byte[] array, int at, int size) {
    return switch (size) {
      case 1 -> array[at];
      case 2 -> (short) SHORT.get(array, at);
      default -> (int) INT.get(array, at);
    };
  }

  private static void put(byte[] array, int at, int size, int value) {
    switch (size) {
      case 1 -> array[at] = (byte) value;
      case 2 -> SHORT.set(array, at, (short) value);
      default -> INT.set(array, at, value);
    }
  }
}
