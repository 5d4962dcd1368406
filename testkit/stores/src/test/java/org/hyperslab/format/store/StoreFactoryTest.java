package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.testkit.store.ByteStoreContract;
import org.hyperslab.testkit.store.CountingStore;
import org.hyperslab.testkit.store.CrashImages;
import org.hyperslab.testkit.store.FaultStore;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the contract on every store but {@link FileStore}, with tests of what each adds to it. */
class StoreFactoryTest {

  @Nested
  class Memory extends ByteStoreContract {
    @Override
    protected ByteStore storeWith(byte[] content) {
      return MemoryStore.copyOf("memory:test", content);
    }

    @Test
    void refusesToGrowBeyondItsLimit() {
      MemoryStore store = new MemoryStore("small", 100);
      write(store, 0, new byte[100]);
      assertThatThrownBy(() -> write(store, 100, new byte[1]))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("no space left");
    }
  }

  @Nested
  class Family extends ByteStoreContract {
    @TempDir Path directory;
    private int count;

    @Override
    protected ByteStore storeWith(byte[] content) {
      String pattern = directory.resolve("f" + count++ + "-%05d.h5").toString();
      FamilyStore family = FamilyStore.open(pattern, 30_000, FileAccess.CREATE_NEW);
      write(family, 0, content);
      return family;
    }

    @Test
    void cutsBytesIntoNumberedMembers() throws IOException {
      String pattern = directory.resolve("cut%05d.h5").toString();
      try (FamilyStore family = FamilyStore.open(pattern, 1000, FileAccess.CREATE_NEW)) {
        write(family, 2500, new byte[] {9});
      }
      assertThat(Files.size(directory.resolve("cut00002.h5"))).isEqualTo(501);
      try (FamilyStore family = FamilyStore.open(pattern, 1000, FileAccess.READ)) {
        assertThat(family.memberCount()).isEqualTo(3);
        assertThat(family.size()).isEqualTo(2501);
        assertThat(read(family, 0, 2501)).endsWith(9);
      }
      assertThatThrownBy(() -> FamilyStore.open(directory + "/none%d", 10, FileAccess.READ))
          .isInstanceOf(NotFoundException.class);
    }
  }

  @Nested
  class Multi extends ByteStoreContract {
    @Override
    protected ByteStore storeWith(byte[] content) {
      MultiStore store =
          new MultiStore(
              "multi",
              List.of(
                  new MultiStore.Member(100_000, new MemoryStore("raw")),
                  new MultiStore.Member(0, new MemoryStore("meta")),
                  new MultiStore.Member(300_000, new MemoryStore("heap"))));
      write(store, 0, content);
      return store;
    }

    @Test
    void splitAddressesBeyondTheSignBit() {
      MemoryStore raw = new MemoryStore("raw");
      try (MultiStore store = MultiStore.split("split", new MemoryStore("meta"), raw)) {
        write(store, 0, new byte[] {1, 2});
        write(store, MultiStore.SPLIT_RAW_START + 16, new byte[] {3, 4});
        assertThat(raw.size()).isEqualTo(18);
        assertThat(read(store, MultiStore.SPLIT_RAW_START + 16, 2)).containsExactly(3, 4);
        assertThat(Long.compareUnsigned(store.size(), Long.MAX_VALUE)).isPositive();
      }
    }
  }

  @Nested
  class Counting extends ByteStoreContract {
    @Override
    protected ByteStore storeWith(byte[] content) {
      return new CountingStore(MemoryStore.copyOf("counted", content));
    }

    @Test
    void countsRequestsAndBytes() {
      CountingStore store = new CountingStore(new MemoryStore("counted"));
      write(store, 0, new byte[10]);
      CountingStore.Counts before = store.counts();
      store.write(0, new MemorySegment[] {MemorySegment.ofArray(new byte[3])});
      read(store, 0, 4);
      store.force(true);
      assertThat(store.size()).isEqualTo(10);
      assertThat(store.counts().since(before))
          .isEqualTo(new CountingStore.Counts(1, 4, 1, 3, 0, 1, 1));
    }
  }

  @Nested
  class Faults extends ByteStoreContract {
    @Override
    protected ByteStore storeWith(byte[] content) {
      return new FaultStore(MemoryStore.copyOf("faulty", content));
    }

    @Test
    void failsTheChosenCallOnceOrForGood() {
      FaultStore store = new FaultStore(new MemoryStore("faulty"));
      store.arm(FaultStore.Fault.once(FaultStore.Operation.WRITE, 2));
      write(store, 0, new byte[1]);
      assertThatThrownBy(() -> write(store, 0, new byte[1])).hasMessageContaining("injected");
      write(store, 0, new byte[1]);
      store.arm(FaultStore.Fault.forGood(FaultStore.Operation.FORCE, 1));
      assertThatThrownBy(() -> store.force(true)).isInstanceOf(StorageException.class);
      assertThatThrownBy(() -> store.force(true)).isInstanceOf(StorageException.class);
      store.disarm();
      store.force(true);
      assertThat(store.calls(FaultStore.Operation.FORCE)).isEqualTo(3);
    }

    @Test
    void writesShortAndFillsUp() {
      MemoryStore behind = new MemoryStore("behind");
      FaultStore store = new FaultStore(behind);
      store.arm(FaultStore.Fault.shortWrite(1, 4));
      assertThatThrownBy(() -> write(store, 0, pattern(10, 1)))
          .isInstanceOf(StorageException.class);
      assertThat(behind.size()).isEqualTo(4);
      store.limitSpace(6);
      assertThatThrownBy(() -> write(store, 4, pattern(10, 1)))
          .hasMessageContaining("no space left");
      assertThat(behind.size()).isEqualTo(6);
    }

    @Test
    void logReplaysEveryPrefix() {
      MemoryStore behind = new MemoryStore("behind");
      FaultStore store = new FaultStore(behind);
      write(store, 0, pattern(5000, 1));
      store.force(true);
      write(store, 2000, pattern(5000, 2));
      store.truncate(6000);
      int all = store.log().entries().size();
      CrashImages images = new CrashImages(new byte[0], store.log().entries());
      images.advance(all);
      assertThat(images.pending()).isEqualTo(2);
      assertThat(images.killed()).isEqualTo(behind.toByteArray());
      byte[] cut = images.after(CrashImages.random(512, true, new Random(5)));
      assertThat(Arrays.copyOf(cut, 2000)).isEqualTo(pattern(5000, 1, 2000));
    }

    @Test
    void crashKeepsForcedBytesAndAnyPartOfTheRest() {
      FaultStore store = new FaultStore(new MemoryStore("behind"));
      write(store, 0, pattern(600, 1));
      store.force(true);
      write(store, 100, pattern(1000, 2));
      write(store, 0, pattern(50, 3));
      CrashImages images = new CrashImages(new byte[0], store.log().entries());
      images.advance(store.log().entries().size());
      assertThat(images.units(0, 512)).isEqualTo(3);
      byte[] withoutFirst = pattern(600, 1);
      System.arraycopy(pattern(50, 3), 0, withoutFirst, 0, 50);
      assertThat(images.after(CrashImages.without(0))).isEqualTo(withoutFirst);
      byte[] torn = images.after(CrashImages.tornAt(512, 0, 1));
      assertThat(torn).hasSize(600).startsWith(pattern(600, 1, 100));
      assertThat(Arrays.copyOfRange(torn, 100, 512)).isEqualTo(pattern(1000, 2, 412));
      assertThat(Arrays.copyOfRange(torn, 512, 600))
          .isEqualTo(Arrays.copyOfRange(pattern(600, 1), 512, 600));
      assertThat(images.after(CrashImages.only(0))).hasSize(1100);
    }

    private static byte[] pattern(int length, long seed, int kept) {
      return Arrays.copyOf(pattern(length, seed), kept);
    }
  }
}
