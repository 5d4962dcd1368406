package org.hyperslab.examples.ffbench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;

/**
 * A matrix of 32-bit integers in a file, which clients write and read by rows. Element (r, c) is r
 * once everything is written.
 *
 * <p>Thread rule: confined to one thread; every client has one of its own.
 */
final class FfMatrix implements AutoCloseable {

  private static final String FILE = "ffbench.h5";
  private static final String NAME = "matrix";

  /** The number of elements read back by one request. */
  private static final long VERIFIED_ELEMENTS = 1 << 20;

  private final FfSetup setup;
  private final FfSizes sizes;
  private final String connector;
  private final Session session;
  private final String name;
  private final Arena arena = Arena.ofShared();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final H5File file;
  private final Dataset dataset;

  /**
   * The outcome of a run.
   *
   * @param requests the number of requests of clients
   * @param bytes the number of their bytes
   * @param seconds the time until the last client had its replies
   */
  record Outcome(long requests, long bytes, double seconds) {}

  /**
   * A request of a client, prepared before the clock starts.
   *
   * @param client the number of the client
   * @param reads whether it reads
   * @param firstRow the first of its rows
   * @param buffer their elements
   */
  private record Piece(int client, boolean reads, long firstRow, MemorySegment buffer) {}

  FfMatrix(FfSetup setup, FfSizes sizes, String connector, Session session) {
    this.setup = setup;
    this.sizes = sizes;
    this.connector = connector;
    this.session = session;
    String folder = setup.folder();
    this.name = folder.isEmpty() || folder.endsWith("/") ? folder + FILE : folder + "/" + FILE;
    CreateOptions options = CreateOptions.DEFAULT.withAccess(access());
    this.file = session.create(name, options);
    this.dataset =
        file.createDataset(
            NAME, Datatypes.I32LE, Dataspace.simple(sizes.allRows(), sizes.columns()));
  }

  private OpenOptions access() {
    OpenOptions access = OpenOptions.EDIT;
    for (Map.Entry<String, String> property : setup.properties().entrySet()) {
      access = access.withProperty(property.getKey(), property.getValue());
    }
    return access;
  }

  Outcome run(FfScenario scenario) {
    List<List<Piece>> work =
        switch (scenario) {
          case ROWS -> rows();
          case OVERLAP -> List.of(overlaps());
          case STEAL -> stealing();
          case CHECKPOINT, CENTRED_PLOTFILE, CORNER_PLOTFILE ->
              throw new IllegalArgumentException(scenario.title());
        };
    boolean stealing = scenario == FfScenario.STEAL;
    long started = clients(work, stealing ? sizes.clients() / 2 : work.size());
    double seconds = 1e-9 * (System.nanoTime() - started);
    long requests = work.stream().mapToLong(List::size).sum();
    long bytes =
        work.stream().flatMap(List::stream).mapToLong(piece -> piece.buffer().byteSize()).sum();
    return new Outcome(requests, bytes, seconds);
  }

  private long rowBytes() {
    return 4L * sizes.columns();
  }

  /** Returns a write of rows, every element of which is the number of its row. */
  private Piece write(int client, long firstRow, long rows) {
    MemorySegment buffer = arena.allocate(rows * rowBytes(), 64);
    for (long r = 0; r < rows; r++) {
      int value = (int) (firstRow + r);
      MemorySegment row = buffer.asSlice(r * rowBytes(), rowBytes());
      for (int c = 0; c < sizes.columns(); c++) {
        row.setAtIndex(ValueLayout.JAVA_INT, c, value);
      }
    }
    return new Piece(client, false, firstRow, buffer);
  }

  private Piece read(int client, long firstRow, long rows) {
    MemorySegment buffer = arena.allocate(rows * rowBytes(), 64);
    buffer.fill((byte) 0xFF); // touched now, so that page faults are not measured
    return new Piece(client, true, firstRow, buffer);
  }

  /** Returns the consecutive requests of each client for its rows. */
  private List<List<Piece>> rows() {
    List<List<Piece>> work = new ArrayList<>();
    for (int client = 0; client < sizes.clients(); client++) {
      List<Piece> mine = new ArrayList<>();
      for (long row = 0; row < sizes.rows(); row += sizes.requestRows()) {
        mine.add(write(client, (long) client * sizes.rows() + row, sizes.requestRows()));
      }
      work.add(mine);
    }
    return work;
  }

  /** Returns the requests of one client, each of which begins in the middle of the one before. */
  private List<Piece> overlaps() {
    List<Piece> mine = new ArrayList<>();
    long step = Math.max(1, sizes.requestRows());
    for (long row = 0; row + 2 * step <= sizes.allRows(); row += step) {
      mine.add(write(0, row, 2 * step));
    }
    return mine;
  }

  /**
   * Returns requests in which the first half of the clients writes all rows, and each other client
   * reads rows of two of them.
   */
  private List<List<Piece>> stealing() {
    List<List<Piece>> work = new ArrayList<>();
    int half = sizes.clients() / 2;
    long rows = 2L * sizes.rows();
    for (int client = 0; client < half; client++) {
      work.add(List.of(write(client, client * rows, rows)));
    }
    for (int reader = 0; reader < half; reader++) {
      long first = Math.min(reader * rows + rows / 2, sizes.allRows() - rows);
      work.add(List.of(read(half + reader, first, rows)));
    }
    return work;
  }

  /**
   * Runs the clients; those from {@code writers} on wait until the first ones have submitted.
   * Returns when all have their replies.
   *
   * @return the System.nanoTime of the start
   */
  private long clients(List<List<Piece>> work, int writers) {
    // Taken before any client starts: this thread may be the last to continue.
    AtomicLong started = new AtomicLong();
    CyclicBarrier gate = new CyclicBarrier(work.size() + 1, () -> started.set(System.nanoTime()));
    CountDownLatch submitted = new CountDownLatch(writers);
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch answered = new CountDownLatch(work.size());
    List<Thread> threads = new ArrayList<>();
    for (int client = 0; client < work.size(); client++) {
      boolean writes = client < writers;
      List<Piece> mine = work.get(client);
      Dataset own = datasetOfClient();
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  gate.await();
                  if (!writes) {
                    submitted.await();
                  }
                  List<CompletableFuture<Void>> calls =
                      mine.stream().map(piece -> submit(own, piece)).toList();
                  if (writes) {
                    submitted.countDown();
                  }
                  calls.forEach(CompletableFuture::join);
                } catch (Exception | Error failure) {
                  failures.add(failure);
                } finally {
                  answered.countDown();
                }
              }));
    }
    return releaseClients(gate, started, answered, threads, failures);
  }

  private static long releaseClients(
      CyclicBarrier gate,
      AtomicLong started,
      CountDownLatch answered,
      List<Thread> threads,
      List<Throwable> failures) {
    try {
      gate.await();
      answered.await();
      long ended = System.nanoTime();
      for (Thread thread : threads) {
        thread.join();
      }
      if (!failures.isEmpty()) {
        throw new IllegalStateException("a client failed", failures.getFirst());
      }
      // As if the clock had stopped at the last reply.
      return System.nanoTime() - (ended - started.get());
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a view of the dataset, over a separate connection if the setup requests it. */
  private Dataset datasetOfClient() {
    if (!setup.separateSessions()) {
      return dataset;
    }
    Session own = Hdf5.session(connector);
    opened.add(own);
    H5File ownFile = own.open(name, access());
    opened.add(ownFile);
    Dataset ownDataset = ownFile.dataset(NAME);
    opened.add(ownDataset);
    return ownDataset;
  }

  private CompletableFuture<Void> submit(Dataset own, Piece piece) {
    long rows = piece.buffer().byteSize() / rowBytes();
    Memory memory = Memory.of(piece.buffer(), Datatypes.I32LE, rows, sizes.columns());
    Selection place =
        Selection.box(new long[] {piece.firstRow(), 0}, new long[] {rows, sizes.columns()});
    TransferOptions options =
        TransferOptions.DEFAULT.withProperty("client", Integer.toString(piece.client()));
    return piece.reads()
        ? own.readIntoAsync(place, memory, options)
        : own.writeAsync(place, memory, options);
  }

  /** Compares every element of the file with its expected value. */
  void verify(FfScenario scenario) {
    closeClients();
    long rows =
        scenario == FfScenario.OVERLAP
            ? sizes.allRows() / sizes.requestRows() * sizes.requestRows()
            : sizes.allRows();
    long most = Math.max(1, VERIFIED_ELEMENTS / sizes.columns());
    for (long first = 0; first < rows; first += most) {
      int count = (int) Math.min(most, rows - first);
      int[] values = new int[Math.multiplyExact(count, sizes.columns())];
      dataset.readInto(
          Selection.box(new long[] {first, 0}, new long[] {count, sizes.columns()}), values);
      for (int i = 0; i < values.length; i++) {
        long row = first + i / sizes.columns();
        if (values[i] != row) {
          throw new IllegalStateException(
              "row " + row + ": actual=" + values[i] + ", expected=" + row);
        }
      }
    }
  }

  private void closeClients() {
    for (AutoCloseable each : opened.reversed()) {
      try {
        each.close();
      } catch (RuntimeException failure) {
        throw failure;
      } catch (Exception failure) {
        throw new IllegalStateException(failure);
      }
    }
    opened.clear();
  }

  @Override
  public void close() {
    closeClients();
    dataset.close();
    file.close();
    session.delete(name);
    arena.close();
  }
}
