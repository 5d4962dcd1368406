package org.hyperslab.mpiio.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the saturation point is measured once, stored, and used to choose aggregators. */
final class SaturationPointTest {

  @TempDir private Path folder;

  @AfterEach
  void forget() {
    System.clearProperty(SaturationPoint.PROPERTY);
  }

  /**
   * Storage with a simulated clock: a number of nanoseconds for each request, and one for each
   * byte.
   */
  private static final class Costly extends StoreDecorator {
    private final AtomicLong clock;
    private final long requestNanos;

    Costly(AtomicLong clock, long requestNanos) {
      super(new MemoryStore("costly"));
      this.clock = clock;
      this.requestNanos = requestNanos;
    }

    @Override
    public void write(long offset, MemorySegment source) {
      clock.addAndGet(source.byteSize());
      super.write(offset, source);
    }

    /** The cost of a request becomes visible when the cache is exceeded. */
    @Override
    public void force(boolean withMetadata) {
      clock.addAndGet(requestNanos);
      super.force(withMetadata);
    }
  }

  private long measured(long requestNanos) {
    AtomicLong clock = new AtomicLong();
    return new SaturationPoint(folder.resolve("unused"), clock::get)
        .measure(new Costly(clock, requestNanos));
  }

  @Test
  void findsTheSmallestRequestNearTheBestRate() {
    // A request of b bytes has the rate b / (cost + b): nine tenths of the best at 9 times the
    // cost.
    assertThat(measured(0)).isEqualTo(16 << 10);
    assertThat(measured(10_000)).isEqualTo(128 << 10);
    assertThat(measured(100_000)).isEqualTo(1 << 20);
    assertThat(SaturationPoint.firstNearlyBest(new double[] {1, 2, 9.5, 10, 9})).isEqualTo(2);
  }

  @Test
  void measuresAFileSystemOnce() {
    Path kept = folder.resolve("made").resolve("saturation.properties");
    SaturationPoint point = new SaturationPoint(kept, System::nanoTime);
    AtomicLong measurements = new AtomicLong();
    for (int i = 0; i < 3; i++) {
      assertThat(point.of("ext4 /dev/vda1", () -> 1000 + measurements.getAndIncrement()))
          .isEqualTo(1000);
    }
    assertThat(point.of("lustre scratch", () -> 5)).isEqualTo(5);
    assertThat(new SaturationPoint(kept, System::nanoTime).of("ext4 /dev/vda1", () -> 7))
        .isEqualTo(1000);
    assertThat(measurements).hasValue(1);
  }

  @Test
  void measuredPointDeterminesAggregatorGroups() throws IOException {
    String name = FileSystemTraits.nameOf(folder).replace(" ", "\\ ").replace(":", "\\:");
    Path kept = folder.resolve("saturation.properties");
    System.setProperty(SaturationPoint.PROPERTY, kept.toString());
    Files.writeString(kept, name + "=2000\n");
    assertThat(explained("hyperslab_saturation=measured")).contains("refined by k=2000 bytes");
    assertThat(explained("hyperslab_saturation=4000")).contains("refined by k=4000 bytes");
    assertThat(explained("hyperslab_saturation=auto")).contains("refined by k=131072 bytes");
  }

  private String explained(String saturation) {
    Hints hints =
        Hints.parse(
            "hyperslab_aggregators=ompio hyperslab_collective=dynamic "
                + "hyperslab_shared_memory=disable "
                + saturation);
    String[] said = new String[4];
    ThreadWorld.run(
        4,
        comm -> {
          Path path = folder.resolve("file");
          Set<AccessMode> modes = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);
          try (MpiFile file = MpiFile.open(comm, path, modes, hints)) {
            file.writeAtAll(
                1000L * comm.rank(), MemoryBuffer.of(MemorySegment.ofArray(new byte[1000])));
            said[comm.rank()] = file.explain().replaceFirst("(?s)\\n  exchange.*", "");
          }
        });
    assertThat(said).containsOnly(said[0]);
    return said[0];
  }

  @Test
  void unstorableMeasurementFailsOnAllRanks() throws IOException {
    Path folderInPlaceOfFile = Files.createDirectory(folder.resolve("kept"));
    System.setProperty(SaturationPoint.PROPERTY, folderInPlaceOfFile.toString());
    ThreadWorld.run(
        3,
        comm ->
            assertThatThrownBy(() -> SaturationPoint.ofThisMachine().agreed(comm, folder))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("saturation point: actual="));
  }
}
