package org.hyperslab.remote;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Parts of a resource as they were when they were first read. If they are read again and differ,
 * the resource has been replaced. They stand in for the version that a server does not give.
 *
 * <p>The beginning of a file is compared each time, because it changes with the structure of the
 * file; the others by turns, because a file with the same structure and other values may have the
 * same beginning.
 *
 * <p>Thread rule: any thread.
 */
final class VersionSamples {

  private static final int SAMPLE_BYTES = 4096;
  private static final int DISTANCE_BYTES = 1 << 16;
  private static final int MOST = 64;

  private final List<Sample> samples = new ArrayList<>();
  private int added;
  private int turn;

  /**
   * A part of the resource.
   *
   * @param offset its offset in bytes
   * @param bytes its content
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by content
  record Sample(long offset, byte[] bytes) {}

  /** Remembers some parts of bytes that have been read. */
  synchronized void add(long offset, byte[] body) {
    for (int at = 0; at < body.length; at += DISTANCE_BYTES) {
      int end = Math.min(body.length, at + SAMPLE_BYTES);
      add(new Sample(offset + at, Arrays.copyOfRange(body, at, end)));
    }
  }

  /** Remembers the parts that another collection has. */
  synchronized void addAll(VersionSamples others) {
    others.samples.forEach(this::add);
  }

  private void add(Sample sample) {
    added++;
    if (samples.size() < MOST) {
      samples.add(sample);
    } else {
      samples.set(1 + added % (MOST - 1), sample);
    }
  }

  /** Returns the parts to compare now: the first one, and another in turn. */
  synchronized List<Sample> next() {
    List<Sample> next = new ArrayList<>(samples.subList(0, Math.min(1, samples.size())));
    if (samples.size() > 1) {
      next.add(samples.get(1 + turn % (samples.size() - 1)));
      turn++;
    }
    return next;
  }
}
