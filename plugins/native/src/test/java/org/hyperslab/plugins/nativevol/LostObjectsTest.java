package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Selection;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.Effort;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the handles of objects which a program has lost are released, and no others. */
@Timeout(300)
final class LostObjectsTest {

  private static final int OBJECTS = 2000;

  @TempDir private Path folder;
  private Path path;

  /** Counts the handles that are open. */
  private static final class Counting extends PassThroughConnector {
    private final Set<Handle> open = ConcurrentHashMap.newKeySet();

    Counting(Connector below) {
      super("counting", below);
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      operation.opens().ifPresent(open::add);
      if (operation instanceof ObjectOperation.Close close) {
        open.remove(close.object());
      }
      return super.submit(operation);
    }
  }

  @BeforeEach
  void create() {
    path = folder.resolve("many.h5");
    try (H5File file = Hdf5.create(path)) {
      for (int i = 0; i < OBJECTS; i++) {
        file.createDataset("d" + i, new int[] {i, i + 1, i + 2}).close();
      }
    }
  }

  /** Collects garbage, and opens objects, until a condition holds. */
  private static void until(H5File file, BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      System.gc();
      file.dataset("d0").close();
    }
  }

  @Test
  void handlesOfLostObjectsAreReleased() {
    Counting counting = new Counting(Connectors.create("native"));
    try (counting;
        Session session = Hdf5.session(counting);
        H5File file = session.open(path)) {
      for (int i = 0; i < OBJECTS; i++) {
        assertThat(file.dataset("d" + i).readInts()[0]).isEqualTo(i);
      }
      until(file, () -> counting.open.size() < 10);
    }
  }

  @Test
  void objectsThatTheProgramHoldsStayOpen() {
    Counting counting = new Counting(Connectors.create("native"));
    try (counting;
        Session session = Hdf5.session(counting);
        H5File file = session.open(path)) {
      Group root = file.group("/");
      List<Dataset> held = new ArrayList<>();
      for (int i = 0; i < OBJECTS; i++) {
        Dataset dataset = file.dataset("d" + i);
        if (i % 10 == 0) {
          held.add(dataset);
        }
      }
      until(file, () -> counting.open.size() < held.size() + 10);
      for (int i = 0; i < held.size(); i++) {
        assertThat(held.get(i).readInts()[0]).isEqualTo(10 * i);
      }
      assertThat(root.names()).hasSize(OBJECTS);
    }
  }

  @Test
  void whatIsUnderWayIsCompleted() {
    try (Session session = Hdf5.session("async | native");
        H5File file = session.openForEdit(path)) {
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int i = 0; i < OBJECTS; i++) {
        writes.add(file.dataset("d" + i).writeAsync(Selection.all(), new int[] {-i, -i, -i}));
      }
      System.gc();
      writes.forEach(CompletableFuture::join);
      assertThat(file.dataset("d7").readInts()).containsExactly(-7, -7, -7);
      file.flush();
    }
  }

  /** With a small heap; without releasing, a tenth of the objects would fill it. */
  @Test
  void aProgramThatClosesNothingNeedsLittleMemory() throws Exception {
    String objects = Integer.toString(Effort.times(60_000, 300_000));
    Process program =
        new ProcessBuilder(
                ChildJvm.command(
                    Effort.times(24, 40),
                    ManyObjectsProgram.class,
                    folder.resolve("all.h5").toString(),
                    objects))
            .redirectErrorStream(true)
            .start();
    String output = new String(program.getInputStream().readAllBytes());
    assertThat(program.waitFor()).as(output).isZero();
    assertThat(output).contains("read " + objects, "deleted " + objects);
  }
}
