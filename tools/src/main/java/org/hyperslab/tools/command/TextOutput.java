package org.hyperslab.tools.command;

import java.io.Flushable;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.hyperslab.format.io.NameBytes;

/**
 * Writes text to a stream of bytes as UTF-8. Text is encoded a block at a time, for which a {@link
 * java.io.Writer} goes by characters. Both halves of a surrogate pair belong into one call. Bytes
 * of names that are not UTF-8 are spelled ({@link NameBytes#spelling}).
 *
 * <p>Thread rule: confined to one thread.
 */
public final class TextOutput implements Appendable, Flushable {

  private static final int BLOCK_CHARACTERS = 1 << 14;

  private final PrintStream out;
  private final StringBuilder block = new StringBuilder();

  /**
   * Creates an output that holds nothing yet.
   *
   * @param out receives the bytes; is not closed
   */
  public TextOutput(PrintStream out) {
    this.out = out;
  }

  @Override
  public TextOutput append(CharSequence text) {
    block.append(text);
    return blockDone();
  }

  @Override
  public TextOutput append(CharSequence text, int start, int end) {
    block.append(text, start, end);
    return blockDone();
  }

  @Override
  public TextOutput append(char c) {
    block.append(c);
    return blockDone();
  }

  private TextOutput blockDone() {
    if (block.length() >= BLOCK_CHARACTERS) {
      write();
    }
    return this;
  }

  private void write() {
    byte[] bytes = NameBytes.spelling(block.toString()).getBytes(StandardCharsets.UTF_8);
    block.setLength(0);
    out.write(bytes, 0, bytes.length);
  }

  @Override
  public void flush() {
    write();
    out.flush();
  }
}
