package org.hyperslab.plugins.nativevol.step;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.vol.StepTable;

/**
 * What the dataset {@code state} of the table of steps says: how many steps are published, and by
 * which process. {@link StepTable} has the layout.
 *
 * @param published the number of published steps
 * @param ended whether the writer has said that no step follows
 * @param process the number of the writing process
 * @param processStart when it was started, in milliseconds since 1970; 0 if it is not known
 * @param machine identifies the machine on which that number has a meaning; 0 if it is not known
 */
record StepState(long published, boolean ended, long process, long processStart, long machine) {

  private static final int SLOT_LENGTH = 4;
  private static final int[] SLOTS = {8, 12};
  private static final int PROCESS = 1;
  private static final int START = 2;
  private static final int MACHINE = 3;

  /** What is at the start of one slot. */
  record Slot(long at, long[] elements) {}

  /** Returns the state of a file that this process writes. */
  static StepState mine(long published) {
    ProcessHandle me = ProcessHandle.current();
    return new StepState(published, false, me.pid(), start(me), thisMachine());
  }

  private static long start(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** Returns a number of the system's boot and the space of process numbers; 0 if unknown. */
  private static long thisMachine() {
    try {
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
      String space = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      long number = (boot + space).chars().asLongStream().reduce(7, (sum, c) -> 31 * sum + c);
      return number == 0 ? 1 : number;
    } catch (IOException | RuntimeException unknown) {
      return 0;
    }
  }

  /** Returns whether the writing process is known to have ended. */
  boolean isLost() {
    if (machine == 0 || machine != thisMachine()) {
      return false;
    }
    return ProcessHandle.of(process)
        .map(found -> {
          long found0 = start(found);
          return !found.isAlive() || (processStart != 0 && found0 != 0 && found0 != processStart);
        })
        .orElse(true);
  }

  /** Returns the whole content of the dataset, with this state in both slots. */
  long[] encoded(long now) {
    long[] all = new long[StepTable.STATE_LENGTH];
    all[0] = StepTable.VERSION;
    all[PROCESS] = process;
    all[START] = processStart;
    all[MACHINE] = machine;
    for (int slot : SLOTS) {
      System.arraycopy(slot(now), 0, all, slot, SLOT_LENGTH);
    }
    return all;
  }

  /**
   * Returns the slot to overwrite with this state.
   *
   * @param turn the number of overwritten slots so far
   */
  Slot next(long turn, long now) {
    return new Slot(SLOTS[(int) (turn % SLOTS.length)], slot(now));
  }

  private long[] slot(long now) {
    long end = ended ? 1 : 0;
    return new long[] {published, now, end, ~(published ^ now ^ end)};
  }

  /**
   * Decodes the dataset's content.
   *
   * @throws CorruptFileException if no slot is whole
   */
  static StepState decode(long[] all, String file) {
    if (all[0] != StepTable.VERSION) {
      throw new UnsupportedFeatureException(
          "table of steps: actual=version "
              + all[0]
              + ", expected="
              + StepTable.VERSION
              + ", at="
              + file);
    }
    int best = -1;
    for (int slot : SLOTS) {
      boolean whole = all[slot + 3] == ~(all[slot] ^ all[slot + 1] ^ all[slot + 2]);
      if (whole && all[slot] >= 0 && (best < 0 || isLater(all, slot, best))) {
        best = slot;
      }
    }
    if (best < 0) {
      throw new CorruptFileException(
          file,
          StepTable.STATE,
          CorruptFileException.NO_OFFSET,
          "slots actual=none that is whole, expected=one at least");
    }
    return new StepState(all[best], all[best + 2] == 1, all[PROCESS], all[START], all[MACHINE]);
  }

  private static boolean isLater(long[] all, int slot, int than) {
    return all[slot] > all[than] || (all[slot] == all[than] && all[slot + 2] > all[than + 2]);
  }
}
