package org.hyperslab.format.filter.coder;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.hyperslab.format.filter.community.Bzip2Filter;

/**
 * The bzip2 streams of the commons-compress library. Only {@link Bzip2Filter} refers to this class,
 * so that the library is loaded only when the filter is used.
 */
public final class Bzip2Streams {

  private Bzip2Streams() {}

  /** Loads the library. Like all methods, throws NoClassDefFoundError if it is absent. */
  public static void load() {
    BZip2CompressorOutputStream.chooseBlockSize(1);
  }

  /** Returns an encoding stream with blocks of {@code block} times 100,000 bytes. */
  public static OutputStream encoder(OutputStream stored, int block) throws IOException {
    return new BZip2CompressorOutputStream(stored, block);
  }

  /** Returns a decoding stream. */
  public static InputStream decoder(InputStream stored) throws IOException {
    return new BZip2CompressorInputStream(stored);
  }
}
