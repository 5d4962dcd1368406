package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.Dataset;
import org.hyperslab.EventSet;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests deferred creations: the ranks agree on them in the order of calls, many at a time, when
 * each rank first needs a result; and ranks that differ get the same errors as without deferring.
 */
final class DeferredCallsTest {

  private final TemporaryFolder folder = TemporaryFolder.create("deferred");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  private String name() {
    return folder.file("deferred.h5").toString();
  }

  /** The code that each rank runs with a new file. */
  @FunctionalInterface
  private interface FileBody {
    void run(Communicator comm, H5File file) throws Exception;
  }

  private void inNewFile(int ranks, FileBody body) {
    ThreadWorld.of(ranks)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> inNewFile(comm, name(), body));
  }

  private static void inNewFile(Communicator comm, String name, FileBody body) throws Exception {
    inNewFile(MpiioConnector.over(comm, MpiioOptions.DEFAULT), comm, name, body);
  }

  private static void inNewFile(MpiioConnector over, Communicator comm, String name, FileBody body)
      throws Exception {
    try (MpiioConnector connector = over;
        Session session = Hdf5.session(connector);
        H5File file = session.create(name, CreateOptions.DEFAULT)) {
      body.run(comm, file);
    }
  }

  private static Dataset create(H5File file, String name, long... dims) {
    return file.root().datasetBuilder(name).type(Datatypes.I32LE).shape(dims).createAsync();
  }

  private static Throwable failure(CompletableFuture<?> future) {
    Throwable failure = catchThrowable(future::join);
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  private List<String> names() {
    try (Session session = Hdf5.session("native");
        H5File file = session.open(name(), OpenOptions.READ)) {
      return file.root().names();
    }
  }

  /** Counts the messages and collective calls of a communicator and of its duplicates. */
  private static Communicator counting(Communicator comm, AtomicInteger calls) {
    List<String> counted = List.of("send", "receive", "broadcast", "allReduce", "allGatherBytes");
    return (Communicator)
        Proxy.newProxyInstance(
            Communicator.class.getClassLoader(),
            new Class<?>[] {Communicator.class},
            (proxy, method, arguments) -> {
              if (counted.contains(method.getName())) {
                calls.incrementAndGet();
              }
              try {
                Object result = method.invoke(comm, arguments);
                return method.getName().equals("duplicate")
                    ? counting((Communicator) result, calls)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private int callsToCreate(int datasets) {
    int[] calls = new int[1];
    ThreadWorld.of(3)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          AtomicInteger counter = new AtomicInteger();
          Communicator counted = counting(comm, counter);
          // Deferred operations never settle by time, however slow the machine is.
          inNewFile(
              MpiioConnector.over(counted, MpiioOptions.DEFAULT, later -> {}),
              counted,
              name(),
              (same, file) -> {
                List<Dataset> all = new ArrayList<>();
                for (int i = 0; i < datasets; i++) {
                  all.add(create(file, "d" + i, 6));
                }
                for (Dataset each : all) {
                  each.write(
                      Selection.box(new long[] {2L * comm.rank()}, new long[] {2}), new int[2]);
                }
              });
          calls[0] = comm.rank() == 1 ? counter.get() : calls[0];
        });
    return calls[0];
  }

  @Test
  void fiftyDatasetsNeedFewMoreMessagesThanOne() {
    assertThat(callsToCreate(50)).isLessThan(callsToCreate(1) + 25);
  }

  @Test
  void createsMoreThanFitInOneMessage() {
    inNewFile(
        3,
        (comm, file) -> {
          for (int i = 0; i < 350; i++) {
            create(file, "d" + i, 1);
          }
        });
    assertThat(names()).hasSize(350);
  }

  @Test
  void manyRanksCreateWithoutWaiting() {
    inNewFile(
        20,
        (comm, file) -> {
          Dataset dataset = create(file, "d", 20);
          create(file, "e", 20);
          dataset.write(Selection.box(new long[] {comm.rank()}, new long[] {1}), new int[] {7});
        });
    assertThat(names()).containsExactly("d", "e");
  }

  @Test
  void onlyDifferingCallsFail() {
    inNewFile(
        4,
        (comm, file) -> {
          Dataset before = create(file, "before", 4);
          Dataset differs = create(file, comm.rank() == 2 ? "pressure" : "density", 4);
          Dataset after = create(file, "after", 4);
          after.write(Selection.box(new long[] {comm.rank()}, new long[] {1}), new int[1]);
          assertThat(failure(differs.opened()))
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("ranks 0, 1, 3")
              .hasMessageContaining("density")
              .hasMessageContaining("rank 2")
              .hasMessageContaining("pressure");
          assertThat(failure(differs.writeAsync(Selection.all(), new int[4])))
              .hasMessageContaining("pressure");
          before.opened().join();
        });
    assertThat(names()).containsExactly("after", "before");
  }

  @Test
  void differentOrderIsReportedOnAllRanksWithoutWaiting() {
    inNewFile(
        3,
        (comm, file) -> {
          Dataset agreed = create(file, "agreed", 4);
          CompletableFuture<?> second =
              comm.rank() == 1
                  ? file.root().createGroupAsync("group").opened()
                  : create(file, "dataset", 4).opened();
          Dataset third = create(file, "third", 4);
          assertThat(failure(second))
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("rank 1: create group \"group\"")
              .hasMessageContaining("ranks 0, 2: create dataset \"dataset\"");
          assertThat(failure(third.opened())).hasMessageContaining("made different calls earlier");
          agreed.opened().join();
        });
    assertThat(names()).containsExactly("agreed");
  }

  @Test
  void engineErrorAffectsOnlyItsCall() {
    inNewFile(
        3,
        (comm, file) -> {
          create(file, "d", 4);
          Dataset again = create(file, "d", 5);
          Dataset after = create(file, "e", 4);
          after.opened().join();
          assertThat(failure(again.opened())).isInstanceOf(AlreadyExistsException.class);
          assertThat(failure(again.writeAsync(Selection.all(), new int[5])))
              .isInstanceOf(AlreadyExistsException.class);
        });
    assertThat(names()).containsExactly("d", "e");
  }

  @Test
  void ranksMayWaitAtDifferentCalls() {
    inNewFile(
        4,
        (comm, file) -> {
          for (int i = 0; i < 12; i++) {
            Dataset dataset = create(file, "d" + i, 4);
            if (i % (comm.rank() + 1) == 0) {
              dataset.opened().join();
            }
          }
        });
    assertThat(names()).hasSize(12);
  }

  @Test
  void objectsCanBeCreatedInUnopenedObjects() {
    inNewFile(
        3,
        (comm, file) -> {
          Group group = file.root().createGroupAsync("g");
          Dataset dataset = group.datasetBuilder("d").type(Datatypes.I32LE).shape(3).createAsync();
          CompletableFuture<Void> attribute = dataset.createAttributeAsync("rank", 5);
          dataset.write(Selection.box(new long[] {comm.rank()}, new long[] {1}), new int[] {9});
          dataset.close();
          attribute.join();
        });
    try (Session session = Hdf5.session("native");
        H5File file = session.open(name(), OpenOptions.READ)) {
      Dataset dataset = file.dataset("g/d");
      assertThat(dataset.read(int[].class)).containsExactly(9, 9, 9);
      assertThat(dataset.attribute("rank").read(Integer.class)).isEqualTo(5);
    }
  }

  @Test
  void waitingForAllFuturesEnds() {
    inNewFile(
        3,
        (comm, file) -> {
          CompletableFuture<?>[] all = new CompletableFuture<?>[5];
          EventSet events = new EventSet();
          for (int i = 0; i < all.length; i++) {
            all[i] = create(file, "d" + i, 4).opened();
          }
          CompletableFuture.allOf(all).join();
          events.insert(create(file, "last", 4).opened());
          assertThat(events.await().failed()).isZero();
        });
  }

  @Test
  void waitingRankDoesNotDelayOthers() {
    inNewFile(
        2,
        (comm, file) -> {
          Dataset dataset = create(file, "d", 4);
          MemorySegment message = MemorySegment.ofArray(new byte[1]);
          // The other rank sends only when it has the dataset, which needs this rank.
          if (comm.rank() == 0) {
            comm.receive(message, 1, 1);
            create(file, "e", 4).opened().join();
            comm.send(message, 1, 1);
          } else {
            dataset.opened().join();
            comm.send(message, 0, 1);
            create(file, "e", 4);
            comm.receive(message, 0, 1);
          }
        });
    assertThat(names()).containsExactly("d", "e");
  }

  @Test
  void randomProgramsEqualSequentialExecution() {
    Seeds.runFixed(
        12,
        random -> {
          long program = random.nextLong();
          int ranks = 2 + random.nextInt(4);
          inNewFile(ranks, (comm, file) -> program(new Random(program), comm, file));
          List<String> parallel = names();
          try (Session session = Hdf5.session("native");
              H5File file = session.create(name(), CreateOptions.DEFAULT)) {
            program(new Random(program), null, file);
          }
          assertThat(parallel).isEqualTo(names());
        });
  }

  /** Makes the same calls on all ranks, some of which fail; each rank waits at random points. */
  private static void program(Random random, Communicator comm, H5File file) {
    Random waits = new Random(comm == null ? 0 : comm.rank());
    List<Dataset> datasets = new ArrayList<>();
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      int kind = random.nextInt(10);
      String name = "n" + random.nextInt(25);
      CompletableFuture<?> call;
      if (kind < 6) {
        Dataset dataset = create(file, name, 8);
        datasets.add(dataset);
        call = dataset.opened();
      } else if (kind < 8) {
        call = file.root().createGroupAsync(name).opened();
      } else if (datasets.isEmpty()) {
        continue;
      } else if (kind == 8) {
        call = datasets.get(random.nextInt(datasets.size())).createAttributeAsync(name, i);
      } else {
        Dataset dataset = datasets.get(random.nextInt(datasets.size()));
        call = dataset.writeAsync(Selection.all(), new int[8], TransferOptions.COLLECTIVE);
      }
      calls.add(call);
      if (comm == null || waits.nextInt(5) == 0) {
        failure(call);
      }
    }
    // A failure that nobody looks at is told when the file is closed.
    calls.forEach(DeferredCallsTest::failure);
  }
}
