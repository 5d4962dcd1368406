package org.hyperslab.remote;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that pauses advance, without waiting. */
final class FakeSurroundings implements Surroundings {

  static final Instant START = Instant.parse("2026-11-29T12:00:00Z");

  /** The pauses in milliseconds. */
  final List<Long> pauses = new CopyOnWriteArrayList<>();

  final List<String> warnings = new CopyOnWriteArrayList<>();
  private final AtomicLong passedMillis = new AtomicLong();

  @Override
  public long nanos() {
    return passedMillis.get() * 1_000_000;
  }

  @Override
  public Instant now() {
    return START.plusMillis(passedMillis.get());
  }

  @Override
  public double random() {
    return 0.5;
  }

  @Override
  public void pause(long millis) {
    pauses.add(millis);
    passedMillis.addAndGet(millis);
  }

  @Override
  public void warn(String text) {
    warnings.add(text);
  }
}
