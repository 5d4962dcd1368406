package org.hyperslab.tools.dump;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Forwards text, and can hold it back while text that belongs before it is not known yet.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DeferredText implements Appendable {

  private static final int BLOCK_CHARACTERS = 1 << 15;

  private final Appendable target;
  private final long mostCharacters;
  private List<StringBuilder> held;
  private long heldCharacters;
  private Runnable whenFull;

  /**
   * Creates a filter that holds nothing back yet.
   *
   * @param target receives the text
   */
  DeferredText(Appendable target) {
    this(target, Math.min(1 << 25, Runtime.getRuntime().maxMemory() / 32));
  }

  /**
   * Creates a filter that holds nothing back yet.
   *
   * @param target receives the text
   * @param mostCharacters the greatest number of characters held back, besides the text of one call
   */
  DeferredText(Appendable target, long mostCharacters) {
    this.target = target;
    this.mostCharacters = mostCharacters;
  }

  /**
   * Holds back all text appended from now on.
   *
   * @param whenFull called when the limit is reached; must call {@link #release}
   */
  void hold(Runnable whenFull) {
    this.held = new ArrayList<>();
    this.heldCharacters = 0;
    this.whenFull = whenFull;
  }

  /** {@return whether text is held back} */
  boolean isHolding() {
    return held != null;
  }

  /**
   * Forwards the text that is held back.
   *
   * @param before called first; the text that it appends comes before the held text
   */
  void release(Runnable before) {
    List<StringBuilder> blocks = held;
    held = null;
    whenFull = null;
    before.run();
    try {
      for (StringBuilder block : blocks) {
        target.append(block);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public Appendable append(CharSequence text) throws IOException {
    if (held == null) {
      target.append(text);
    } else {
      block(text.length()).append(text);
      releaseIfFull();
    }
    return this;
  }

  @Override
  public Appendable append(CharSequence text, int start, int end) throws IOException {
    if (held == null) {
      target.append(text, start, end);
    } else {
      block(end - start).append(text, start, end);
      releaseIfFull();
    }
    return this;
  }

  @Override
  public Appendable append(char c) throws IOException {
    if (held == null) {
      target.append(c);
    } else {
      block(1).append(c);
      releaseIfFull();
    }
    return this;
  }

  /** {@return the block to which the given number of characters is appended} */
  private StringBuilder block(int characters) {
    heldCharacters += characters;
    if (held.isEmpty() || held.getLast().length() + characters > BLOCK_CHARACTERS) {
      held.add(new StringBuilder(Math.max(characters, BLOCK_CHARACTERS)));
    }
    return held.getLast();
  }

  private void releaseIfFull() {
    if (heldCharacters > mostCharacters) {
      whenFull.run();
    }
  }
}
