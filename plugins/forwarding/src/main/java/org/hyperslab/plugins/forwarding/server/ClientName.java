package org.hyperslab.plugins.forwarding.server;

/** Makes a client's name printable: short, on one line, without control characters. */
final class ClientName {

  /** The largest number of characters that are kept. */
  private static final int MAX_CHARACTERS = 24;

  private ClientName() {}

  /**
   * Makes a name printable.
   *
   * @param name the name as the client sent it
   * @return the first characters of the name, with a question mark for each that is not printable
   */
  static String printable(String name) {
    StringBuilder shown = new StringBuilder();
    name.codePoints()
        .limit(MAX_CHARACTERS)
        .map(each -> isPrintable(each) ? each : '?')
        .forEach(shown::appendCodePoint);
    return shown.toString();
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
