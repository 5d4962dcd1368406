package org.hyperslab.mpiio.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.CostStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.declared.DeclaredWrites.Options;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.hint.Hints.DeclaredTransport;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that declared writes reach the file, in any order, with few requests and little memory. */
@Timeout(300)
@ParameterizedClass
@EnumSource(names = {"MESSAGES", "MEMORY"})
final class DeclaredWritesTest {

  private final DeclaredTransport transport;

  DeclaredWritesTest(DeclaredTransport transport) {
    this.transport = transport;
  }

  private Options options(long bufferBytes, int aggregators) {
    return options(bufferBytes, aggregators, Hints.defaults().deadlineNanos());
  }

  private Options options(long bufferBytes, int aggregators, long deadlineNanos) {
    return Options.builder()
        .bufferBytes(bufferBytes)
        .aggregators(aggregators)
        .deadlineNanos(deadlineNanos)
        .transport(transport)
        .build();
  }

  private static final int[] HACC = {4, 4, 4, 4, 4, 4, 4, 8, 2};

  /** The offsets and lengths of a rank's writes. */
  private record Write(long offset, byte[] bytes) {}

  private static Declaration declaration(List<Write> writes) {
    return Declaration.of(
        writes.stream().mapToLong(Write::offset).toArray(),
        writes.stream().mapToLong(write -> write.bytes.length).toArray());
  }

  /** A store that outlives the files over it. */
  private static ByteStore unclosed(ByteStore store) {
    return new StoreDecorator(store) {
      @Override
      public void close() {}
    };
  }

  private static DeclaredWrites declare(
      Communicator comm, ByteStore store, Options options, Declaration mine) {
    long[] offsets = new long[mine.count()];
    long[] lengths = new long[mine.count()];
    Arrays.setAll(offsets, mine::offset);
    Arrays.setAll(lengths, mine::length);
    return DeclaredWrites.declare(comm, store, options, offsets, lengths);
  }

  private static byte[] content(ByteStore store) {
    MemorySegment all = MemorySegment.ofArray(new byte[(int) store.size()]);
    store.read(0, all);
    return all.toArray(ValueLayout.JAVA_BYTE);
  }

  private static void run(ByteStore store, Options options, List<List<Write>> writes) {
    ThreadWorld.run(
        writes.size(),
        comm -> {
          List<Write> mine = writes.get(comm.rank());
          try (DeclaredWrites declared = declare(comm, store, options, declaration(mine))) {
            for (Write write : mine) {
              byte[] reused = write.bytes.clone();
              declared.write(MemorySegment.ofArray(reused));
              Arrays.fill(reused, (byte) -1); // the memory is the caller's again
            }
            assertThat(declared.peakBufferBytes()).isLessThanOrEqualTo(options.bufferBytes());
          }
        });
  }

  /** Nine variables of each rank's particles into its own block, as HACC-IO writes them. */
  private static List<List<Write>> hacc(int ranks, int particles) {
    List<List<Write>> all = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      List<Write> writes = new ArrayList<>();
      long at = 38L * particles * rank;
      for (int size : HACC) {
        byte[] bytes = new byte[size * particles];
        new Random(at).nextBytes(bytes);
        writes.add(new Write(at, bytes));
        at += bytes.length;
      }
      all.add(writes);
    }
    return all;
  }

  private static byte[] expected(List<List<Write>> writes, long size) {
    byte[] file = new byte[(int) size];
    writes.forEach(ofRank ->
        ofRank.forEach(write ->
            System.arraycopy(write.bytes, 0, file, (int) write.offset, write.bytes.length)));
    return file;
  }

  @Test
  void manyCallsFillOneBuffer() {
    CostStore store =
        CostStore.inVirtualTime(new MemoryStore("declared"), new CostStore.Costs(1, 1 << 30));
    List<List<Write>> writes = hacc(8, 100);
    run(store, options(1 << 20, 1), writes);
    assertThat(store.requests()).isEqualTo(1);
    assertThat(content(store)).isEqualTo(expected(writes, store.size()));
  }

  @Test
  void roundsFillTheBufferAndAggregatorsShareTheFile() {
    CostStore store =
        CostStore.inVirtualTime(new MemoryStore("declared"), new CostStore.Costs(1, 1 << 30));
    List<List<Write>> writes = hacc(8, 1000);
    long bytes = 8 * 38_000;
    run(store, options(2 * 16_000, 3), writes);
    long least = Math.ceilDiv(bytes, 16_000);
    assertThat(store.requests()).isBetween(least, least + 3);
    assertThat(content(store)).isEqualTo(expected(writes, store.size()));
  }

  @Test
  void partsOutOfOrderAreWrittenByTheirRank() {
    MemoryStore store = new MemoryStore("declared");
    List<List<Write>> writes = hacc(4, 300);
    writes.forEach(Collections::reverse);
    run(store, options(2 * 5_000, 2), writes);
    assertThat(content(store)).isEqualTo(expected(writes, store.size()));
    List<Declaration> all = writes.stream().map(DeclaredWritesTest::declaration).toList();
    assertThat(AggregationPlan.of(all, 2, 5_000, (shares, parts) -> Optional.empty()).toString())
        .contains("out of turn");
  }

  @Test
  void writesInAnyOrder() {
    Seeds.runFixed(
        60,
        random -> {
          int ranks = 1 + random.nextInt(5);
          List<List<Write>> writes = new ArrayList<>();
          for (int rank = 0; rank < ranks; rank++) {
            writes.add(new ArrayList<>());
          }
          long at = 0;
          for (int i = random.nextInt(60); i > 0; i--) {
            at += random.nextInt(3) == 0 ? random.nextInt(5000) : 0;
            byte[] bytes = new byte[random.nextInt(10) == 0 ? 0 : random.nextInt(700)];
            random.nextBytes(bytes);
            writes.get(random.nextInt(ranks)).add(new Write(at, bytes));
            at += bytes.length;
          }
          writes.getFirst().add(new Write(at, new byte[] {7})); // so that the file ends there
          if (random.nextBoolean()) {
            writes.forEach(ofRank -> Collections.shuffle(ofRank, random));
          }
          MemoryStore store = new MemoryStore("declared");
          run(store, options(2 + random.nextInt(4000), random.nextInt(4)), writes);
          assertThat(content(store)).isEqualTo(expected(writes, store.size()));
        });
  }

  @Test
  void holesBetweenWritesStayUnchanged() {
    MemoryStore store = new MemoryStore("declared");
    byte[] before = new byte[4000];
    Arrays.fill(before, (byte) 9);
    store.write(0, MemorySegment.ofArray(before));
    List<List<Write>> writes =
        List.of(
            List.of(new Write(10, new byte[] {1, 2}), new Write(100, new byte[50])),
            List.of(new Write(60, new byte[] {3}), new Write(3000, new byte[] {4, 5})));
    run(store, options(1 << 16, 1), writes);
    byte[] wanted = before.clone();
    writes.forEach(ofRank ->
        ofRank.forEach(write ->
            System.arraycopy(write.bytes, 0, wanted, (int) write.offset, write.bytes.length)));
    assertThat(content(store)).isEqualTo(wanted);
  }

  @Test
  void failedRankIsNamedOnAllAndOtherRanksBytesAreWritten() {
    MemoryStore store = new MemoryStore("declared");
    List<List<Write>> writes = hacc(4, 200);
    ThreadWorld.run(
        4,
        comm -> {
          List<Write> mine = writes.get(comm.rank());
          int made = comm.rank() == 2 ? 4 : mine.size();
          DeclaredWrites declared = declare(comm, store, options(2 * 3_000, 2), declaration(mine));
          for (int i = 0; i < made; i++) {
            declared.write(MemorySegment.ofArray(mine.get(i).bytes));
          }
          assertThat(catchThrowable(declared::close))
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("4 made by rank 2, expected=9");
          declared.close();
        });
    byte[] file = content(store);
    for (int rank = 0; rank < 4; rank++) {
      for (Write write : writes.get(rank).subList(0, rank == 2 ? 4 : 9)) {
        int from = (int) write.offset;
        assertThat(Arrays.copyOfRange(file, from, from + write.bytes.length))
            .isEqualTo(write.bytes);
      }
    }
  }

  @Test
  void storeFailureIsReportedOnAllRanks() {
    ByteStore failing =
        new StoreDecorator(new MemoryStore("declared")) {
          @Override
          public void write(long offset, MemorySegment source) {
            throw new StorageException("write: actual=disk full, expected=room");
          }
        };
    List<List<Write>> writes = hacc(3, 100);
    ThreadWorld.run(
        3,
        comm -> {
          List<Write> mine = writes.get(comm.rank());
          DeclaredWrites declared =
              declare(comm, failing, options(2 * 2_000, 1), declaration(mine));
          mine.forEach(write -> declared.write(MemorySegment.ofArray(write.bytes)));
          assertThat(catchThrowable(declared::close))
              .isInstanceOf(StorageException.class)
              .hasMessageContaining("disk full");
        });
  }

  /** Rank 0 collects; rank 1 never makes its write. */
  private void withRankThatStaysAway(long deadlineNanos, Consumer<DeclaredWrites> rankZero) {
    ThreadWorld.of(3)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          Declaration mine = Declaration.of(new long[] {10L * comm.rank()}, new long[] {10});
          Options options = options(64, 1, deadlineNanos);
          DeclaredWrites declared = declare(comm, new MemoryStore("declared"), options, mine);
          if (comm.rank() != 1) {
            declared.write(MemorySegment.ofArray(new byte[10]));
          }
          if (comm.rank() == 0) {
            rankZero.accept(declared);
          }
          comm.barrier();
        });
  }

  @Test
  void absentRankIsNamedAfterTheDeadline() {
    withRankThatStaysAway(
        200_000_000,
        declared -> {
          assertThat(catchThrowable(declared::close))
              .isInstanceOf(MpiException.class)
              .hasMessageContaining("nothing has moved for 200 ms, waiting for rank 1,");
          assertThat(declared.leasedBufferBytes()).as("no message can come").isZero();
        });
  }

  @Test
  void anInterruptedRankDoesNotSpin() {
    withRankThatStaysAway(
        Long.MAX_VALUE,
        declared -> {
          Thread.currentThread().interrupt();
          assertThat(catchThrowable(declared::close))
              .isInstanceOf(MpiException.class)
              .hasMessageContaining("interrupted while waiting");
          assertThat(Thread.interrupted()).isTrue();
        });
  }

  /** Rank 0 writes its round while it stops waiting for rank 1, which never makes its write. */
  @Test
  void aBufferThatIsBeingWrittenIsFreedAfterwards() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    byte[] written = new byte[20];
    ByteStore slow =
        new StoreDecorator(new MemoryStore("declared")) {
          @Override
          public void write(long offset, MemorySegment source) {
            begun.countDown();
            awaitUninterruptibly(goOn);
            MemorySegment.ofArray(written).copyFrom(source);
          }
        };
    Thread[] zero = new Thread[1];
    long before = BufferPool.lentByAll();
    ThreadWorld.of(2)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          boolean collects = comm.rank() == 0;
          zero[0] = collects ? Thread.currentThread() : zero[0];
          long[] offsets = {10L * comm.rank(), 20 + 10L * comm.rank()};
          Declaration mine = Declaration.of(offsets, new long[] {10, 10});
          DeclaredWrites declared = declare(comm, slow, options(40, 1), mine);
          MemorySegment data = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
          if (collects) {
            declared.write(data);
            declared.write(data);
            assertThat(catchThrowable(declared::close)).hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
          } else {
            declared.write(data);
            awaitUninterruptibly(begun);
            zero[0].interrupt();
            goOn.countDown();
          }
        });
    while (BufferPool.lentByAll() > before) {
      Request.testGivenUp();
      Thread.yield();
    }
    assertThat(written)
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void abandonedRankFailsAtOnceInLaterCalls() {
    int bytes = 10_000; // more than is copied when it is sent
    ThreadWorld.of(2)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          long[] offsets = new long[3];
          Arrays.setAll(offsets, i -> (2L * i + comm.rank()) * bytes);
          Declaration mine = Declaration.of(offsets, new long[] {bytes, bytes, bytes});
          Options options = options(4L * bytes, 1, 200_000_000);
          DeclaredWrites declared = declare(comm, new MemoryStore("declared"), options, mine);
          if (comm.rank() == 1) {
            MemorySegment data = MemorySegment.ofArray(new byte[bytes]);
            declared.write(data);
            declared.write(data);
            assertThat(catchThrowable(() -> declared.write(data)))
                .as("two rounds are under way, and rank 0 has written nothing")
                .isInstanceOf(MpiException.class)
                .hasMessageContaining("waiting for rank 0,");
            assertThat(catchThrowable(() -> declared.write(data)))
                .isInstanceOf(MpiException.class)
                .hasMessageContaining("given up before");
            assertThat(catchThrowable(declared::close))
                .isInstanceOf(MpiException.class)
                .hasMessageContaining("given up before");
          }
          comm.barrier();
        });
  }

  @Test
  void anMpiFileDeclaresWritesBetweenItsOtherRoutines() {
    MemoryStore store = new MemoryStore("declared");
    ThreadWorld.run(
        3,
        comm -> {
          Hints hints =
              Hints.parse("cb_buffer_size=64 cb_nodes=2")
                  .with(Hints.DECLARED, transport.name().toLowerCase(Locale.ROOT));
          try (MpiFile file =
              MpiFile.over(comm, unclosed(store), Set.of(AccessMode.READ_WRITE), hints)) {
            long at = 40L * comm.rank();
            byte[] half = new byte[20];
            Arrays.fill(half, (byte) (comm.rank() + 1));
            try (DeclaredWrites writes =
                file.declareWrites(new long[] {at, at + 20}, new long[] {20, 20})) {
              assertThat(writes.explain())
                  .contains("aggregators")
                  .endsWith(
                      transport == DeclaredTransport.MESSAGES
                          ? "by messages"
                          : "by puts into memory of the process");
              writes.write(MemorySegment.ofArray(half));
              writes.write(MemorySegment.ofArray(half));
            }
            assertThat(file.size()).isEqualTo(120);
          }
        });
    byte[] wanted = new byte[120];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = (byte) (1 + i / 40);
    }
    assertThat(content(store)).isEqualTo(wanted);
  }

  @Test
  void undeclaredWriteIsRejectedAndTheDeclaredWriteSucceeds() {
    MemoryStore store = new MemoryStore("declared");
    ThreadWorld.run(
        2,
        comm -> {
          Declaration mine = Declaration.of(new long[] {3L * comm.rank()}, new long[] {3});
          try (DeclaredWrites declared = declare(comm, store, options(64, 0), mine)) {
            assertThat(catchThrowable(() -> declared.write(MemorySegment.ofArray(new byte[4]))))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("actual=4 bytes, expected=3");
            declared.write(MemorySegment.ofArray(new byte[] {1, 2, 3}));
            assertThat(catchThrowable(() -> declared.write(MemorySegment.ofArray(new byte[3]))))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("expected=no more");
          }
        });
    assertThat(content(store)).containsExactly(1, 2, 3, 1, 2, 3);
    ThreadWorld.run(
        2,
        comm ->
            assertThat(
                    catchThrowable(() ->
                        DeclaredWrites.declare(
                            comm,
                            store,
                            options(64, 0),
                            new long[] {1},
                            new long[] {comm.rank() == 0 ? 1 : -1})))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("length -1"));
    assertThat(catchThrowable(() -> Declaration.of(new long[] {1}, new long[0])))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void refusesOnAllRanksIfOneLacksMemoryForBuffers() {
    ThreadWorld.run(
        3,
        comm -> {
          long most = 1L << 60;
          long[] offsets = {most * comm.rank()};
          Options options = options(1L << 61, 1);
          Throwable refused =
              catchThrowable(() ->
                  DeclaredWrites.declare(
                      comm, new MemoryStore("store"), options, offsets, new long[] {most}));
          assertThat(refused).isInstanceOf(HyperslabException.class).hasMessageContaining("memory");
        });
  }

  @Test
  void buffersAreNotLargerThanTheDeclaredBytes() {
    ThreadWorld.run(
        3,
        comm -> {
          Declaration mine = Declaration.of(new long[] {10L * comm.rank()}, new long[] {10});
          MemoryStore store = new MemoryStore("declared");
          try (DeclaredWrites declared = declare(comm, store, options(1 << 20, 1), mine)) {
            declared.write(MemorySegment.ofArray(new byte[10]));
            assertThat(declared.peakBufferBytes()).isEqualTo(comm.rank() == 0 ? 30 : 0);
          }
        });
  }

  @Test
  void partsOfConcurrentDeclarationsDoNotMix() {
    MemoryStore store = new MemoryStore("declared");
    ThreadWorld.run(
        3,
        comm -> {
          byte[] bytes = {(byte) (comm.rank() + 1), (byte) (comm.rank() + 1)};
          Declaration low = Declaration.of(new long[] {2L * comm.rank()}, new long[] {2});
          Declaration high = Declaration.of(new long[] {6 + 2L * comm.rank()}, new long[] {2});
          Options options = options(64, 1);
          try (DeclaredWrites first = declare(comm, store, options, low);
              DeclaredWrites second = declare(comm, store, options, high)) {
            second.write(MemorySegment.ofArray(new byte[] {(byte) (10 + bytes[0]), 9}));
            first.write(MemorySegment.ofArray(bytes));
          }
        });
    assertThat(content(store)).containsExactly(1, 1, 2, 2, 3, 3, 11, 9, 12, 9, 13, 9);
  }

  /** Each declaration has other sizes, and in some a rank abandons what it has not written. */
  @Test
  void declarationsOneAfterAnotherDoNotMix() {
    Random random = Seeds.random(Seeds.draw(), 0);
    int ranks = 3;
    int declarations = 40;
    int[][] lengths = new int[declarations][ranks];
    int[] abandoning = new int[declarations];
    for (int i = 0; i < declarations; i++) {
      Arrays.setAll(lengths[i], rank -> 1 + random.nextInt(300));
      abandoning[i] = random.nextInt(4) == 0 ? random.nextInt(ranks) : -1;
    }
    MemoryStore store = new MemoryStore("one after another");
    Options options = options(200, 2);
    byte[] all = new byte[declarations * ranks * 1000];
    ThreadWorld.run(
        ranks,
        comm -> {
          for (int i = 0; i < declarations; i++) {
            long at = (i * ranks + comm.rank()) * 1000L;
            int length = lengths[i][comm.rank()];
            boolean abandons = abandoning[i] == comm.rank();
            byte[] mine = new byte[length];
            Arrays.fill(mine, (byte) (1 + i + comm.rank()));
            DeclaredWrites writes =
                DeclaredWrites.declare(
                    comm, store, options, new long[] {at, at + 500}, new long[] {length, length});
            writes.write(MemorySegment.ofArray(mine));
            System.arraycopy(mine, 0, all, (int) at, length);
            if (!abandons) {
              writes.write(MemorySegment.ofArray(mine));
              System.arraycopy(mine, 0, all, (int) at + 500, length);
            }
            Throwable failure = catchThrowable(writes::close);
            if (abandoning[i] < 0) {
              assertThat(failure).isNull();
            } else {
              assertThat(failure).hasMessageContaining("by rank " + abandoning[i]);
            }
          }
        });
    byte[] written = content(store);
    assertThat(Arrays.copyOf(written, all.length)).isEqualTo(all);
  }
}
