package org.hyperslab.tools.command;

import java.io.PrintStream;
import org.hyperslab.format.io.NameBytes;

/**
 * A stream that spells the bytes of names that are not UTF-8 ({@link NameBytes#spelling}), of which
 * a stream of characters makes question marks.
 *
 * <p>Thread rule: any thread.
 */
final class SpellingStream extends PrintStream {

  private SpellingStream(PrintStream out) {
    super(out, false, out.charset());
  }

  /**
   * Returns a stream that writes to another.
   *
   * @param out receives the bytes
   * @return the stream; the same one if it spells already
   */
  static PrintStream of(PrintStream out) {
    return out instanceof SpellingStream ? out : new SpellingStream(out);
  }

  @Override
  public void print(String text) {
    super.print(text == null ? null : NameBytes.spelling(text));
  }

  @Override
  public void print(Object value) {
    print(String.valueOf(value));
  }
}
