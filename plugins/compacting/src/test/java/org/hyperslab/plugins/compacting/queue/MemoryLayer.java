package org.hyperslab.plugins.compacting.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.ElementKind;
import org.hyperslab.plugins.compacting.plan.MergedRead;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.plan.Region;

/**
 * Datasets of 16-bit integers in memory, accessed as such or, with clipping conversion, as 32-bit
 * integers. Calls complete at once or when the scheduler decides, and sometimes fail. Calls that
 * must not be in progress together are errors.
 */
final class MemoryLayer implements StorageLayer {

  final Map<DataKey, short[]> datasets = new HashMap<>();
  final List<MergedWrite> writes = new ArrayList<>();
  final List<MergedRead> reads = new ArrayList<>();
  final List<String> complaints = new ArrayList<>();

  private record Active(DataKey key, Region region, boolean writes) {}

  private final List<Active> active = new ArrayList<>();
  private final Random random;
  private final Scheduler scheduler;
  private final double failures;

  MemoryLayer(Random random, Scheduler scheduler, double failures) {
    this.random = random;
    this.scheduler = scheduler;
    this.failures = failures;
  }

  /** A layer that completes at once and never fails. */
  static MemoryLayer simple() {
    return new MemoryLayer(null, null, 0);
  }

  /** Actions of the scheduler before the next action of the caller. */
  CompletionStage<?> later(DataKey key, Region region, boolean writes, Runnable action) {
    Active mine = new Active(key, region, writes);
    for (Active other : active) {
      boolean clash = writes || other.writes;
      boolean same = key == null || other.key == null || key.equals(other.key);
      boolean overlap = region == null || other.region == null || region.overlaps(other.region);
      if (clash && same && overlap) {
        complaints.add(mine + " while " + other);
      }
    }
    CompletableFuture<Void> stage = new CompletableFuture<>();
    active.add(mine);
    Runnable all =
        () -> {
          active.removeIf(other -> other == mine);
          try {
            action.run();
            stage.complete(null);
          } catch (RuntimeException failure) {
            stage.completeExceptionally(failure);
          }
        };
    if (random == null || random.nextBoolean()) {
      all.run();
    } else {
      scheduler.execute(all);
    }
    return stage;
  }

  boolean fails() {
    return random != null && random.nextDouble() < failures;
  }

  @Override
  public CompletionStage<?> write(MergedWrite write) {
    writes.add(write);
    boolean failing = fails();
    return later(
        write.key(),
        write.region(),
        true,
        () -> {
          byte[] bytes = new byte[(int) write.bytes()];
          write.gather(MemorySegment.ofArray(bytes));
          boolean doneNothing = failing && random.nextBoolean();
          if (!doneNothing) {
            store(write.key(), write.region(), write.kind(), bytes);
          }
          if (failing) {
            throw new StorageException("disk: actual=full, expected=room");
          }
        });
  }

  private void store(DataKey key, Region region, ElementKind kind, byte[] bytes) {
    MemorySegment from = MemorySegment.ofArray(bytes);
    short[] data = datasets.get(key);
    RunCursor runs = region.selection().runs(region.extent());
    long at = 0;
    while (runs.next()) {
      for (long i = 0; i < runs.length(); i++) {
        data[(int) (runs.offset() + i)] = element(from, at++, kind);
      }
    }
  }

  /** The stored value of an element in memory. */
  static short element(MemorySegment from, long index, ElementKind kind) {
    if (kind.stored()) {
      return from.get(JAVA_SHORT_UNALIGNED, 2 * index);
    }
    int wide = from.get(JAVA_INT_UNALIGNED, 4 * index);
    return (short) Math.clamp(wide, Short.MIN_VALUE, Short.MAX_VALUE);
  }

  @Override
  public CompletionStage<?> read(MergedRead read) {
    reads.add(read);
    boolean failing = fails();
    return later(
        read.key(),
        read.region(),
        false,
        () -> {
          if (failing) {
            throw new StorageException("disk: actual=unreadable, expected=readable");
          }
          byte[] bytes = new byte[(int) read.bytes()];
          MemorySegment to = MemorySegment.ofArray(bytes);
          short[] data = datasets.get(read.key());
          RunCursor runs = read.region().selection().runs(read.region().extent());
          long at = 0;
          while (runs.next()) {
            for (long i = 0; i < runs.length(); i++) {
              short value = data[(int) (runs.offset() + i)];
              if (read.kind().stored()) {
                to.set(JAVA_SHORT_UNALIGNED, 2 * at++, value);
              } else {
                to.set(JAVA_INT_UNALIGNED, 4 * at++, value);
              }
            }
          }
          read.scatter(to);
        });
  }
}
