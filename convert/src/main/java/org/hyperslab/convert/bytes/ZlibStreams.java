package org.hyperslab.convert.bytes;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.hyperslab.format.memory.JvmDefects;

/**
 * The JDK's streams of compressed bytes. On a JVM that moves arrays while native code uses them
 * ({@link JvmDefects}), zlib gets copies of their bytes outside the heap instead of arrays.
 *
 * <p>Thread rule: immutable; a stream is for one thread.
 *
 * @param copies whether zlib gets copies
 */
public record ZlibStreams(boolean copies) {

  private static final int BUFFER_BYTES = 1 << 16;

  /** {@return the streams for this JVM} */
  public static ZlibStreams here() {
    return new ZlibStreams(JvmDefects.movesPinnedArrays());
  }

  /** Returns the content of a gzip file. */
  public InputStream gunzip(InputStream encoded) throws IOException {
    return copies ? new CopyingGunzip(encoded) : new GZIPInputStream(encoded, BUFFER_BYTES);
  }

  /** Returns the content of a zlib stream. */
  public InputStream inflate(InputStream encoded) {
    return copies
        ? new OwnInflater(encoded, new CopyingInflater(false))
        : new InflaterInputStream(encoded);
  }

  /** Returns the content of a deflate stream without a header, as in a zip archive. */
  InputStream inflateRaw(InputStream encoded) {
    // zlib wants a byte after the end
    InputStream padded = new SequenceInputStream(encoded, new ByteArrayInputStream(new byte[1]));
    return new OwnInflater(padded, copies ? new CopyingInflater(true) : new Inflater(true));
  }

  /** Returns a stream that makes a gzip file, with zlib's usual level. */
  public OutputStream gzip(OutputStream encoded) throws IOException {
    return copies ? new CopyingGzip(encoded) : new GZIPOutputStream(encoded, BUFFER_BYTES);
  }

  /** Returns a stream that makes a zlib stream. */
  public OutputStream deflate(OutputStream encoded, int level) {
    return new OwnDeflater(
        encoded, copies ? new CopyingDeflater(level, false) : new Deflater(level));
  }

  /** Ends its decoder with the stream. */
  private static final class OwnInflater extends InflaterInputStream {
    OwnInflater(InputStream encoded, Inflater inflater) {
      super(encoded, inflater, BUFFER_BYTES);
    }

    @Override
    public void close() throws IOException {
      super.close();
      inf.end();
    }
  }

  /** Ends its encoder with the stream. */
  private static final class OwnDeflater extends DeflaterOutputStream {
    OwnDeflater(OutputStream encoded, Deflater deflater) {
      super(encoded, deflater, BUFFER_BYTES);
    }

    @Override
    public void close() throws IOException {
      super.close();
      def.end();
    }
  }

  private static final class CopyingGunzip extends GZIPInputStream {
    CopyingGunzip(InputStream encoded) throws IOException {
      super(encoded, BUFFER_BYTES); // reads the header only
      inf.end();
      inf = new CopyingInflater(true);
    }
  }

  private static final class CopyingGzip extends GZIPOutputStream {
    CopyingGzip(OutputStream encoded) throws IOException {
      super(encoded, BUFFER_BYTES); // writes the header only
      def.end();
      def = new CopyingDeflater(Deflater.DEFAULT_COMPRESSION, true);
    }
  }

  /** Memory outside the heap that grows. */
  private static final class Copy {
    private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    ByteBuffer of(byte[] bytes, int from, int count) {
      return room(count).put(bytes, from, count).flip();
    }

    ByteBuffer room(int count) {
      if (buffer.capacity() < count) {
        buffer = ByteBuffer.allocateDirect(count);
      }
      return buffer.clear().limit(count);
    }
  }

  /** Decodes from and to copies. */
  private static final class CopyingInflater extends Inflater {
    private final Copy input = new Copy();
    private final Copy output = new Copy();

    CopyingInflater(boolean isRaw) {
      super(isRaw);
    }

    @Override
    public void setInput(byte[] bytes, int from, int count) {
      setInput(input.of(bytes, from, count));
    }

    @Override
    public int inflate(byte[] bytes, int from, int count) throws DataFormatException {
      ByteBuffer room = output.room(count);
      int made = inflate(room);
      room.flip().get(bytes, from, made);
      return made;
    }
  }

  /** Encodes from and to copies. */
  private static final class CopyingDeflater extends Deflater {
    private final Copy input = new Copy();
    private final Copy output = new Copy();

    CopyingDeflater(int level, boolean isRaw) {
      super(level, isRaw);
    }

    @Override
    public void setInput(byte[] bytes, int from, int count) {
      setInput(input.of(bytes, from, count));
    }

    @Override
    public int deflate(byte[] bytes, int from, int count, int flush) {
      ByteBuffer room = output.room(count);
      int made = deflate(room, flush);
      room.flip().get(bytes, from, made);
      return made;
    }
  }
}
