package org.hyperslab.format.index.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.Lookup3;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.ProcessorTime;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that indexes with randomly changed bytes and corrected checksums work or fail with a typed
 * error, within a time limit. Replay with -Dhyperslab.seed=N.
 */
final class ChunkIndexFuzzTest {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int ROUNDS = 800;

  private final long seed = Seeds.draw();
  private final Random random = new Random(seed);

  /** A block's bytes from {@code start} to a checksum of them at {@code checksum}. */
  private record Sum(int start, int checksum) {}

  @ParameterizedTest(name = "{0} without filters")
  @EnumSource(
      value = ChunkIndexKind.class,
      names = {"BTREE_V1", "FIXED_ARRAY", "EXTENSIBLE_ARRAY", "BTREE_V2"})
  void damageGivesATypedErrorWithinSeconds(ChunkIndexKind kind) {
    tryBroken(kind, false);
  }

  @ParameterizedTest(name = "{0} with filters")
  @EnumSource(
      value = ChunkIndexKind.class,
      names = {"BTREE_V1", "FIXED_ARRAY", "EXTENSIBLE_ARRAY", "BTREE_V2"})
  void damageOfFilteredChunksGivesATypedErrorWithinSeconds(ChunkIndexKind kind) {
    tryBroken(kind, true);
  }

  private void tryBroken(ChunkIndexKind kind, boolean filtered) {
    ChunkGrid grid = grid(kind, filtered);
    ChunkIndexSpec spec = spec(kind);
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    ChunkIndex index = ChunkIndex.open(space, grid, spec, FileGeometry.UNDEFINED);
    fill(index);
    byte[] bytes = space.toByteArray();
    List<Sum> sums = sums(bytes, space.allocations());
    for (int round = 0; round < ROUNDS; round++) {
      byte[] broken = breakSome(bytes, sums, space.allocations());
      String place = "round " + round + " of -D" + Seeds.PROPERTY + "=" + seed;
      long before = ProcessorTime.nanos();
      assertThatNoException()
          .as(place)
          .isThrownBy(() -> use(broken, grid, spec, index.rootAddress()));
      assertThat(ProcessorTime.nanos() - before)
          .as("nanoseconds of work in %s", place)
          .isLessThan(3_000_000_000L);
    }
  }

  private static ChunkGrid grid(ChunkIndexKind kind, boolean filtered) {
    long u = ChunkGrid.UNLIMITED;
    long[] max =
        switch (kind) {
          case FIXED_ARRAY, SINGLE, IMPLICIT -> new long[] {300, 40};
          case EXTENSIBLE_ARRAY -> new long[] {40, u};
          case BTREE_V1, BTREE_V2 -> new long[] {u, u};
        };
    int layout = kind == ChunkIndexKind.BTREE_V1 ? 3 : 4;
    return new ChunkGrid(new long[] {30, 30}, max, new long[] {3, 2}, 4, filtered, layout);
  }

  private static ChunkIndexSpec spec(ChunkIndexKind kind) {
    return switch (kind) {
      case BTREE_V1 -> new ChunkIndexSpec.BTreeV1(3);
      case FIXED_ARRAY -> new ChunkIndexSpec.FixedArray(4);
      case EXTENSIBLE_ARRAY -> new ChunkIndexSpec.ExtensibleArray(32, 4, 2, 2, 3);
      case BTREE_V2 -> new ChunkIndexSpec.BTreeV2(256, 100, 40);
      case SINGLE, IMPLICIT -> ChunkIndexSpec.standard(kind);
    };
  }

  private void fill(ChunkIndex index) {
    for (int i = 0; i < 250; i++) {
      index.put(coordinates(), new ChunkLocation(1000 + 24L * i, 24, 0));
    }
  }

  private long[] coordinates() {
    return new long[] {random.nextInt(14), random.nextInt(20)};
  }

  /** Every checksum in the allocated blocks, found by trying. */
  private static List<Sum> sums(byte[] bytes, SortedMap<Long, Long> allocations) {
    List<Sum> sums = new ArrayList<>();
    for (Map.Entry<Long, Long> block : allocations.entrySet()) {
      int start = (int) (long) block.getKey();
      int end = start + (int) (long) block.getValue();
      for (int at = start + 4; at + 4 <= end; at++) {
        if (Lookup3.hash(bytes, start, at - start, 0) == (int) INT.get(bytes, at)) {
          sums.add(new Sum(start, at));
          start = at + 4;
        }
      }
    }
    return sums;
  }

  private byte[] breakSome(byte[] bytes, List<Sum> sums, SortedMap<Long, Long> allocations) {
    byte[] broken = bytes.clone();
    List<Long> addresses = List.copyOf(allocations.keySet());
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      long block = addresses.get(random.nextInt(addresses.size()));
      int size = (int) (long) allocations.get(block);
      int reach = random.nextBoolean() ? Math.min(size, 48) : size;
      int at = (int) block + random.nextInt(reach);
      switch (random.nextInt(5)) {
        case 0 -> broken[at] = (byte) random.nextInt();
        case 1 -> broken[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> broken[at] = (byte) 0xFF;
        case 3 -> putLong(broken, at, addresses.get(random.nextInt(addresses.size())));
        default -> putLong(broken, at, random.nextLong() >> random.nextInt(64));
      }
    }
    if (random.nextInt(10) > 0) {
      for (Sum sum : sums) {
        INT.set(
            broken,
            sum.checksum(),
            Lookup3.hash(broken, sum.start(), sum.checksum() - sum.start(), 0));
      }
    }
    int keep = broken.length - (random.nextInt(10) == 0 ? random.nextInt(broken.length / 2) : 0);
    return Arrays.copyOf(broken, keep);
  }

  private static void putLong(byte[] bytes, int at, long value) {
    if (at + 8 <= bytes.length) {
      LONG.set(bytes, at, value);
    }
  }

  private void use(byte[] broken, ChunkGrid grid, ChunkIndexSpec spec, long root) {
    MemoryMetadataSpace space = new MemoryMetadataSpace(FileGeometry.standard("fuzz"), broken);
    ChunkIndex index = ChunkIndex.open(space, grid, spec, root);
    attempt(() -> index.forEach((scaled, location) -> true));
    attempt(index::metadataBytes);
    for (int i = 0; i < 20; i++) {
      long[] scaled = coordinates();
      attempt(() -> index.find(scaled));
    }
    for (int i = 0; i < 10; i++) {
      long[] scaled = coordinates();
      attempt(() -> index.put(scaled, new ChunkLocation(4096, 24, 0)));
      attempt(() -> index.remove(coordinates()));
    }
    attempt(() -> index.forEach((scaled, location) -> true));
    attempt(index::delete);
  }

  private static void attempt(Runnable action) {
    try {
      action.run();
    } catch (HyperslabException e) {
      assertThat(e.getMessage()).isNotBlank();
    } catch (AssertionError e) {
      // The test's own space objects to blocks that a broken index makes overlap.
      assertThat(e.getMessage()).matches("(?s)(freed twice|a block stands|another block).*");
    }
  }
}
