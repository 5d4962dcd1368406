package org.hyperslab.plugins.nativevol.crash;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.hyperslab.testkit.store.CrashImages;
import org.hyperslab.testkit.store.CrashImages.Loss;

/**
 * Makes the crashes of a recording: after each change the death of the process, and power cuts that
 * lose one of the changes since the last sync, keep only one, tear the last one after each of its
 * sectors or pages, and keep a random part of them.
 *
 * <p>Confined to one thread.
 */
final class Cuts {

  private static final int SECTOR = 512;
  private static final int PAGE = 4096;
  private static final int MAX_SINGLE = 24;
  private static final int MAX_TORN = 40;
  private static final int TOSSES = 6;

  /** Receives the images that the crashes leave. */
  interface Taker {
    /**
     * Receives an image.
     *
     * @param completed the number of the last completed flush, -1 for none
     */
    void take(byte[] image, int instant, int completed);
  }

  private final Recording recording;
  private final Random random;
  private final Taker taker;
  private final Set<Long> seen = new HashSet<>();
  private int instant;
  private int completed;
  private long made;

  Cuts(Recording recording, Random random, Taker taker) {
    this.recording = recording;
    this.random = random;
    this.taker = taker;
  }

  /** Makes all cuts; equal images after the same flush are passed on once. */
  void run() {
    CrashImages images = recording.images();
    for (instant = 0; instant <= recording.changes(); instant++) {
      images.advance(instant);
      int now = recording.completedAt(instant);
      if (now != completed) {
        seen.clear();
        completed = now;
      }
      cut(images);
    }
  }

  /** Returns the number of cuts, including equal ones. */
  long made() {
    return made;
  }

  private void cut(CrashImages images) {
    offer(images.killed());
    int pending = images.pending();
    if (pending == 0) {
      return;
    }
    for (int i = Math.max(0, pending - MAX_SINGLE); i < pending; i++) {
      offer(images, CrashImages.without(i));
      offer(images, CrashImages.only(i));
    }
    for (int unit : new int[] {SECTOR, PAGE}) {
      long units = images.units(pending - 1, unit);
      long step = Math.max(1, units / MAX_TORN);
      for (long lost = 0; lost < units; lost += step) {
        offer(images, CrashImages.tornAt(unit, pending - 1, lost));
      }
      for (int toss = 0; toss < TOSSES; toss++) {
        offer(images, CrashImages.random(unit, true, random));
        offer(images, CrashImages.random(unit, false, random));
      }
    }
  }

  private void offer(CrashImages images, Loss loss) {
    offer(images.after(loss));
  }

  private void offer(byte[] image) {
    made++;
    if (seen.add(CutJudge.digest(image))) {
      taker.take(image, instant, completed);
    }
  }
}
