package org.hyperslab.tools.dump;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.hyperslab.format.io.NameBytes;

/**
 * Writes text as UTF-8. Bytes of names that are not UTF-8 are spelled ({@link NameBytes#spelling}).
 * Both halves of a surrogate pair belong into one call.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DdlWriter extends Writer {

  private static final int BLOCK_CHARACTERS = 1 << 13;

  private final OutputStream out;
  private final StringBuilder block = new StringBuilder();

  /**
   * Creates a writer.
   *
   * @param out receives the bytes; is closed with this
   */
  DdlWriter(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(char[] text, int start, int count) throws IOException {
    block.append(text, start, count);
    if (block.length() >= BLOCK_CHARACTERS) {
      writeBlock();
    }
  }

  private void writeBlock() throws IOException {
    out.write(NameBytes.spelling(block.toString()).getBytes(StandardCharsets.UTF_8));
    block.setLength(0);
  }

  @Override
  public void flush() throws IOException {
    writeBlock();
    out.flush();
  }

  @Override
  public void close() throws IOException {
    try (out) {
      writeBlock();
    }
  }
}
