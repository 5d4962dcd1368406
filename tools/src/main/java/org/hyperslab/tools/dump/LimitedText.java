package org.hyperslab.tools.dump;

/**
 * Collects the text of one object at a time, up to a limit.
 *
 * <p>Thread rule: confined to one thread at a time.
 */
final class LimitedText implements Appendable {

  private static final int MAX_CHARACTERS = 1 << 14;

  /** Most objects' texts need no more. */
  private final StringBuilder text = new StringBuilder(1 << 10);

  /** Thrown when an object cannot be printed independently of the objects around it. */
  static final class NotAloneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotAloneException(String why) {
      super(why, null, false, false);
    }
  }

  @Override
  public Appendable append(CharSequence more) {
    text.append(more);
    return checked();
  }

  @Override
  public Appendable append(CharSequence more, int start, int end) {
    text.append(more, start, end);
    return checked();
  }

  @Override
  public Appendable append(char c) {
    text.append(c);
    return checked();
  }

  /** Removes all text. */
  void clear() {
    text.setLength(0);
  }

  private Appendable checked() {
    if (text.length() > MAX_CHARACTERS) {
      throw new NotAloneException("long text");
    }
    return this;
  }

  /** {@return the text} */
  @Override
  public String toString() {
    return text.toString();
  }
}
