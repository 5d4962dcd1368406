package org.hyperslab.format.index.dense;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.index.fractal.HeapFilter;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.Lookup3;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that dense storage with damaged bytes and corrected checksums works or causes a typed
 * error. Replay with -Dhyperslab.seed=N.
 */
class DenseStorageFuzzTest {

  private static final long SEED = Seeds.draw();
  private static final int LINKS = 700;

  private static byte[] link(String name, long order) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(13 + utf8.length + 4).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) 1).put((byte) 0x0D).put((byte) 1).putLong(order);
    out.putShort((short) utf8.length).put(utf8).putShort((short) 2).put((byte) 'a').put((byte) 'b');
    return out.array();
  }

  /** Storage with holes, skipped blocks and huge objects. */
  private static DenseAddresses build(MemoryMetadataSpace space) {
    DenseStorage storage = DenseStorage.createLinks(space, true);
    for (int i = 0; i < LINKS; i++) {
      String name = "n" + "x".repeat(i % 100 == 50 ? 2000 + 10 * i : i % 40) + i;
      storage.insert(name, i, link(name, i));
    }
    for (int i = 0; i < LINKS; i += 3) {
      storage.remove("n" + "x".repeat(i % 100 == 50 ? 2000 + 10 * i : i % 40) + i);
    }
    return storage.addresses();
  }

  private static void useAll(MemoryMetadataSpace space, DenseAddresses addresses, Random random) {
    DenseStorage storage = DenseStorage.openLinks(space, addresses, HeapFilter.NONE);
    List<Runnable> uses = new ArrayList<>();
    uses.add(() -> storage.forEach(0, entry -> true));
    uses.add(() -> storage.forEachByOrder(0, entry -> true));
    uses.add(() -> storage.forEachByOrderDescending(Long.MAX_VALUE, entry -> true));
    uses.add(() -> storage.list().sortedByName());
    uses.add(() -> storage.find("n" + random.nextInt(LINKS)));
    uses.add(() -> storage.byOrder(random.nextInt(300)));
    for (int i = 0; i < 10; i++) {
      uses.add(() -> storage.remove("n" + random.nextInt(LINKS)));
      uses.add(() -> {
        String name = "new" + random.nextInt() + "y".repeat(random.nextInt(6000));
        storage.insert(name, 100_000 + random.nextInt(), link(name, 5));
      });
    }
    uses.add(space::flush);
    uses.add(() -> storage.delete());
    for (Runnable use : uses) {
      try {
        use.run();
      } catch (HyperslabException | IndexOutOfBoundsException expected) {
        boolean ours =
            expected instanceof HyperslabException || expected.getMessage().startsWith("rank=");
        assertThat(ours).as("%s", expected).isTrue();
      } catch (AssertionError freedTwice) {
        // The space for tests objects to blocks of a damaged file that overlap one another.
        assertThat(freedTwice.getMessage()).containsAnyOf("freed twice", "stands at");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void damageGivesOnlyTypedErrors(int bytesDamaged) {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    MemoryMetadataSpace intact = MemoryMetadataSpace.empty();
    DenseAddresses addresses = build(intact);
    byte[] bytes = intact.toByteArray();
    Map<Long, Long> blocks = Map.copyOf(intact.allocations());
    List<Long> starts = new ArrayList<>(blocks.keySet());
    starts.sort(Long::compare);
    Map<Long, Integer> checksums = new HashMap<>();
    blocks.forEach((start, length) ->
        checksums.put(start, checksumAt(bytes, start.intValue(), length.intValue())));
    for (int round = 0; round < 150; round++) {
      byte[] damaged = bytes.clone();
      for (int i = 0; i < bytesDamaged; i++) {
        long start = starts.get(random.nextInt(starts.size()));
        damage(damaged, (int) start, blocks.get(start).intValue(), checksums.get(start), random);
      }
      MemoryMetadataSpace space =
          new MemoryMetadataSpace(FileGeometry.standard("damaged"), damaged);
      try {
        useAll(space, addresses, random);
      } catch (HyperslabException expected) {
        assertThat(expected.getMessage()).contains("damaged");
      }
    }
  }

  /** Changes a byte or a field near the start, mostly, and recomputes the block's checksum. */
  private static void damage(byte[] bytes, int start, int length, int checksum, Random random) {
    int span = random.nextBoolean() ? Math.min(length, 150) : length;
    int at = start + random.nextInt(Math.max(1, span));
    switch (random.nextInt(4)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) 0xFF;
      case 2 -> Arrays.fill(bytes, at, Math.min(start + length, at + 8), (byte) 0xFF);
      default -> bytes[at] = (byte) random.nextInt();
    }
    String signature = new String(bytes, start, 4, StandardCharsets.ISO_8859_1);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    switch (signature) {
      case "FHDB" -> {
        int field = start + 4 + 1 + 8 + 4;
        buffer.putInt(field, 0);
        buffer.putInt(field, Lookup3.hash(bytes, start, length, 0));
      }
      default -> {
        if (checksum >= 0) {
          buffer.putInt(checksum, Lookup3.hash(bytes, start, checksum - start, 0));
        }
      }
    }
  }

  /**
   * Returns the offset of an intact block's checksum, if it is at the end of the covered bytes;
   * otherwise -1.
   */
  private static int checksumAt(byte[] intact, int start, int length) {
    ByteBuffer buffer = ByteBuffer.wrap(intact).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = start + length - 4; at > start + 8; at--) {
      if (buffer.getInt(at) == Lookup3.hash(intact, start, at - start, 0)) {
        return at;
      }
    }
    return -1;
  }

  @Test
  void refusesNodesThatAreTheirOwnChildren() {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    DenseAddresses addresses = build(space);
    byte[] bytes = space.toByteArray();
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long root = buffer.getLong((int) addresses.nameIndex() + 16);
    int records = buffer.getShort((int) addresses.nameIndex() + 24);
    int firstPointer = (int) root + 6 + 11 * records;
    int pointerBytes = 8 + 1;
    for (int i = 1; i <= records; i++) {
      buffer.putLong(firstPointer + i * pointerBytes, buffer.getLong(firstPointer));
      bytes[firstPointer + i * pointerBytes + 8] = bytes[firstPointer + 8];
    }
    int end = firstPointer + (records + 1) * pointerBytes;
    buffer.putInt(end, Lookup3.hash(bytes, (int) root, end - (int) root, 0));
    long total = records + (records + 1L) * bytes[firstPointer + 8];
    buffer.putLong((int) addresses.nameIndex() + 26, total);
    buffer.putInt(
        (int) addresses.nameIndex() + 34, Lookup3.hash(bytes, (int) addresses.nameIndex(), 34, 0));
    MemoryMetadataSpace damaged = new MemoryMetadataSpace(FileGeometry.standard("damaged"), bytes);
    DenseStorage storage = DenseStorage.openLinks(damaged, addresses, HeapFilter.NONE);
    Optional<HyperslabException> error = Optional.empty();
    try {
      storage.forEach(0, entry -> true);
    } catch (HyperslabException expected) {
      error = Optional.of(expected);
    }
    assertThat(error).isPresent();
    assertThat(error.get()).hasMessageContaining("child of two parents");
  }
}
