package org.hyperslab.mpiio.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;

/**
 * The contract of communicators, as checks that all ranks make together: under JUnit with ranks as
 * threads, and under {@code mpirun} with ranks as processes. Random inputs are derived from one
 * seed, which all ranks know.
 */
final class CommunicatorContract {

  private static final int ROUNDS = 25;

  private CommunicatorContract() {}

  /** A check of one behaviour, with its name. */
  record Check(String name, RankBody body) {}

  /** Returns all checks, with random inputs of the given seed. */
  static List<Check> checks(long seed) {
    List<Check> all = new ArrayList<>();
    all.add(new Check("describesItself", CommunicatorContract::describesItself));
    all.add(new Check("messagesOfOneTagArriveInOrder", CommunicatorContract::messagesInOrder));
    all.add(new Check("tagsAreReceivedInAnyOrder", CommunicatorContract::tagsInAnyOrder));
    all.add(new Check("messagesOfAnySizeArriveWhole", c -> anySize(c, seed)));
    all.add(new Check("receivesWhatARankSendsToItself", CommunicatorContract::selfMessages));
    all.add(new Check("startedMessagesOverlap", c -> startedMessages(c, seed)));
    all.add(new Check("aCancelledReceiveEnds", CommunicatorContract::cancellations));
    all.add(new Check("testBecomesTrueAndStaysTrue", CommunicatorContract::testing));
    all.add(new Check("shorterMessageLeavesTheRestAlone", CommunicatorContract::shorterMessage));
    all.add(new Check("longerMessageIsAnError", CommunicatorContract::truncation));
    all.add(new Check("wrongArgumentsAreNamed", CommunicatorContract::wrongArguments));
    all.add(new Check("barrierHoldsEveryRank", CommunicatorContract::barriers));
    all.add(new Check("broadcastsFromAnyRoot", c -> broadcasts(c, seed)));
    all.add(new Check("gathersFromAll", c -> gathers(c, seed)));
    all.add(new Check("gathersDifferentLengths", c -> gathersV(c, seed)));
    all.add(new Check("exchangesLongsBetweenAllPairs", c -> exchanges(c, seed)));
    all.add(new Check("exchangesBytesBetweenAllPairs", c -> exchangesV(c, seed)));
    all.add(new Check("reducesOverAll", c -> reductions(c, seed)));
    all.add(new Check("scansOverEarlierRanks", c -> scans(c, seed)));
    all.add(new Check("splitsByColourAndKey", c -> splits(c, seed)));
    all.add(new Check("duplicateHasMessagesOfItsOwn", CommunicatorContract::duplicates));
    all.add(new Check("ranksFormAGrid", CommunicatorContract::grids));
    all.add(new Check("ranksOfANodeFindEachOther", CommunicatorContract::nodes));
    all.add(new Check("failuresOfAnyTypeAreShared", CommunicatorContract::sharedFailures));
    all.add(new Check("ranksOfOneProcessShareAnObject", CommunicatorContract::sharedObjects));
    all.add(new Check("ranksMeetBeforeACall", CommunicatorContract::meetings));
    all.add(new Check("ranksThatDoNotMeetAreNamed", CommunicatorContract::absence));
    all.add(new Check("aLimitedCallEnds", CommunicatorContract::limits));
    all.add(new Check("aLimitedCreationEnds", CommunicatorContract::limitedCreations));
    all.add(new Check("closingWaitsForNobody", CommunicatorContract::closingAlone));
    all.add(new Check("closedCommunicatorIsRefused", CommunicatorContract::closing));
    return all;
  }

  /**
   * The memory of the first receive is free when it has ended, and the next one gets the message.
   */
  private static void cancellations(Communicator c) {
    int bytes = 1 << 20;
    int next = (c.rank() + 1) % c.size();
    int previous = Math.floorMod(c.rank() - 1, c.size());
    AtomicLong ended = new AtomicLong();
    try (Communicator own = c.duplicate()) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment into = arena.allocate(bytes);
        Request.giveUp(List.of(own.startReceive(into, previous, 5)), ended::incrementAndGet);
        while (ended.get() == 0) {
          Request.testGivenUp();
        }
      }
      c.barrier();
      byte[] sent = new byte[bytes];
      Arrays.fill(sent, (byte) c.rank());
      byte[] into = new byte[bytes];
      Request receive = own.startReceive(MemorySegment.ofArray(into), previous, 5);
      own.send(MemorySegment.ofArray(sent), next, 5);
      assertThat(receive.await()).isEqualTo(bytes);
      assertThat(into).containsOnly((byte) previous);
    }
    Request.testGivenUp();
    assertThat(ended).hasValue(1);
  }

  private static void grids(Communicator c) {
    assertThat(c.grid()).isEmpty();
    assertThatThrownBy(() -> c.arranged(List.of(c.size(), 2)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("expected=lengths whose product is " + c.size() + " ranks");
    try (Communicator grid = c.arranged(List.of(1, c.size(), 1));
        Communicator copy = grid.duplicate();
        Communicator part = grid.split(0, grid.rank())) {
      assertThat(grid.grid()).containsExactly(1, c.size(), 1);
      assertThat(copy.grid()).containsExactly(1, c.size(), 1);
      assertThat(part.grid()).isEmpty();
      assertThat(grid.rank()).isEqualTo(c.rank());
      long[] one = {1};
      copy.allReduce(one, Reduction.SUM);
      assertThat(one).containsExactly(c.size());
    }
  }

  private static void meetings(Communicator c) {
    for (int i = 0; i < 100; i++) {
      c.meet("call " + i, i % 2 == 0 ? Long.MAX_VALUE : TimeUnit.MINUTES.toNanos(1));
    }
    if (c.size() > 1) {
      String mine = c.rank() == 1 ? "read" : "write";
      assertThatThrownBy(() -> c.meet(mine, Long.MAX_VALUE))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("rank 1: read")
          .hasMessageContaining(": write");
    }
    c.meet("again", Long.MAX_VALUE);
  }

  /** The last rank arrives after the others have given up; all ranks arrive at the next meeting. */
  private static void absence(Communicator c) {
    int last = c.size() - 1;
    if (c.rank() != last) {
      assertThatThrownBy(() -> c.meet("first", TimeUnit.MILLISECONDS.toNanos(200)))
          .isInstanceOf(MpiException.class)
          .hasMessageContaining("nothing has moved for 200 ms, waiting for rank " + last + ",");
    }
    c.barrier();
    if (c.rank() == last) {
      c.meet("first", Long.MAX_VALUE);
    }
    c.meet("second", Long.MAX_VALUE);
  }

  private static void limits(Communicator c) {
    Communicator copy = c.duplicate();
    copy.limit(TimeUnit.MINUTES.toNanos(1));
    copy.barrier();
    long[] one = {1};
    copy.limit(TimeUnit.MINUTES.toNanos(1));
    copy.allReduce(one, Reduction.SUM);
    assertThat(one).containsExactly(c.size());
    Optional<PutWindow> window = PutWindow.ofLibrary(copy, 64);
    Optional<PutWindow> later = PutWindow.ofLibrary(copy, 64);
    if (c.rank() < c.size() - 1) {
      ThrowingCallable alone =
          window
              .<ThrowingCallable>map(each -> each::close)
              .orElse(() -> copy.allReduce(one, Reduction.SUM));
      copy.limit(TimeUnit.MILLISECONDS.toNanos(200));
      assertThatThrownBy(alone)
          .isInstanceOf(MpiException.class)
          .hasMessageMatching("(?s).*has waited for \\d+ ms for.*");
      assertThat(copy.isLost()).isTrue();
      assertThatThrownBy(copy::barrier).isInstanceOf(MpiException.class);
      window.ifPresent(PutWindow::close);
      later.ifPresent(PutWindow::close); // leaves it, because a rank has been given up
    }
    c.barrier();
    copy.close();
  }

  /** The last rank stays away from what the others create. */
  private static void limitedCreations(Communicator c) {
    List<Consumer<Communicator>> creations = new ArrayList<>();
    creations.add(Communicator::duplicate);
    creations.add(each -> each.split(0, each.rank()));
    creations.add(each -> PutWindow.direct(each, 64));
    if (Worlds.mpi(c).isPresent()) {
      creations.add(each -> PutWindow.ofLibrary(each, 64));
    }
    for (Consumer<Communicator> creation : creations) {
      Communicator copy = c.duplicate();
      if (c.rank() < c.size() - 1) {
        copy.limit(TimeUnit.MILLISECONDS.toNanos(50));
        assertThatThrownBy(() -> creation.accept(copy))
            .isInstanceOf(MpiException.class)
            .hasMessageMatching("(?s).*has waited for \\d+ ms for.*");
        assertThat(copy.isLost()).isTrue();
      }
      c.barrier();
      copy.close();
    }
  }

  private static void closingAlone(Communicator c) {
    Communicator copy = c.duplicate();
    if (c.rank() == 0) {
      copy.close();
    }
    c.barrier();
    if (c.rank() != 0) {
      copy.close();
    }
    c.barrier();
  }

  private static void describesItself(Communicator c) {
    assertThat(c.rank()).isBetween(0, c.size() - 1);
    assertThat(c.describe()).contains(c.rank() + " of " + c.size());
  }

  private static MemorySegment longs(long... values) {
    return MemorySegment.ofArray(values);
  }

  private static void messagesInOrder(Communicator c) {
    int next = (c.rank() + 1) % c.size();
    int previous = (c.rank() + c.size() - 1) % c.size();
    List<Request> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      sent.add(c.startSend(longs(i, c.rank()), next, 3));
    }
    for (int i = 0; i < 200; i++) {
      long[] got = new long[2];
      assertThat(c.receive(longs(got), previous, 3)).isEqualTo(16);
      assertThat(got).containsExactly(i, previous);
    }
    sent.forEach(Request::await);
  }

  private static void tagsInAnyOrder(Communicator c) {
    int next = (c.rank() + 1) % c.size();
    int previous = (c.rank() + c.size() - 1) % c.size();
    List<Request> sent = new ArrayList<>();
    for (int tag = 0; tag < 10; tag++) {
      sent.add(c.startSend(longs(100 + tag), next, tag));
    }
    for (int tag = 9; tag >= 0; tag--) {
      long[] got = new long[1];
      c.receive(longs(got), previous, tag);
      assertThat(got[0]).isEqualTo(100 + tag);
    }
    sent.forEach(Request::await);
  }

  private static void anySize(Communicator c, long seed) {
    Random random = new Random(seed);
    long[] sizes = {0, 1, 7, 8192, 8193, 65536, 1_000_003, 10 << 20};
    for (long size : sizes) {
      boolean nativeMemory = random.nextBoolean();
      ring(c, size, nativeMemory);
    }
    for (int i = 0; i < ROUNDS; i++) {
      ring(c, random.nextInt(200_000), random.nextBoolean());
    }
  }

  private static void ring(Communicator c, long size, boolean nativeMemory) {
    int next = (c.rank() + 1) % c.size();
    int previous = (c.rank() + c.size() - 1) % c.size();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = memory(arena, size, nativeMemory);
      MemorySegment in = memory(arena, size, !nativeMemory);
      pattern(out, c.rank() + size);
      Request coming = c.startReceive(in, previous, 5);
      c.send(out, next, 5);
      assertThat(coming.await()).isEqualTo(size);
      MemorySegment expected = memory(arena, size, false);
      pattern(expected, previous + size);
      assertThat(in.mismatch(expected)).as("first difference of %s bytes", size).isEqualTo(-1);
    }
  }

  private static MemorySegment memory(Arena arena, long size, boolean nativeMemory) {
    return nativeMemory
        ? arena.allocate(size)
        : MemorySegment.ofArray(new byte[Math.toIntExact(size)]);
  }

  private static void pattern(MemorySegment memory, long start) {
    byte[] bytes = new byte[Math.toIntExact(memory.byteSize())];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (start * 31 + i * 7 + (i >> 8));
    }
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
  }

  private static void selfMessages(Communicator c) {
    long[] got = new long[1];
    Request coming = c.startReceive(longs(got), c.rank(), 1);
    c.send(longs(4711), c.rank(), 1);
    assertThat(coming.await()).isEqualTo(8);
    assertThat(coming.await()).isEqualTo(8);
    assertThat(got[0]).isEqualTo(4711);
  }

  private static void startedMessages(Communicator c, long seed) {
    Random random = new Random(seed);
    int messages = 30;
    int[] sizes = random.ints(messages, 0, 50_000).toArray();
    List<Request> requests = new ArrayList<>();
    List<byte[]> received = new ArrayList<>();
    for (int peer = 0; peer < c.size(); peer++) {
      for (int m = 0; m < messages; m++) {
        byte[] in = new byte[sizes[m]];
        received.add(in);
        requests.add(c.startReceive(MemorySegment.ofArray(in), peer, m));
      }
    }
    for (int peer = 0; peer < c.size(); peer++) {
      for (int m = messages - 1; m >= 0; m--) {
        byte[] out = new byte[sizes[m]];
        Arrays.fill(out, (byte) (17 * c.rank() + m));
        requests.add(c.startSend(MemorySegment.ofArray(out), peer, m));
      }
    }
    requests.forEach(Request::await);
    for (int peer = 0; peer < c.size(); peer++) {
      for (int m = 0; m < messages; m++) {
        byte[] expected = new byte[sizes[m]];
        Arrays.fill(expected, (byte) (17 * peer + m));
        assertThat(Arrays.mismatch(received.get(peer * messages + m), expected)).isEqualTo(-1);
      }
    }
  }

  private static void testing(Communicator c) {
    int next = (c.rank() + 1) % c.size();
    int previous = (c.rank() + c.size() - 1) % c.size();
    long[] got = new long[1];
    Request coming = c.startReceive(longs(got), previous, 2);
    assertThat(c.size() > 1 && c.rank() == 0 && coming.test()).isFalse();
    if (c.rank() == 0) {
      c.send(longs(9), next, 2);
    }
    while (!coming.test()) {
      Thread.yield();
    }
    if (c.rank() != 0) {
      c.send(longs(9), next, 2);
    }
    assertThat(coming.test()).isTrue();
    assertThat(coming.await()).isEqualTo(8);
    assertThat(got[0]).isEqualTo(9);
  }

  private static void shorterMessage(Communicator c) {
    byte[] in = new byte[10];
    Arrays.fill(in, (byte) 7);
    Request going = c.startSend(MemorySegment.ofArray(new byte[] {1, 2, 3}), c.rank(), 4);
    assertThat(c.receive(MemorySegment.ofArray(in), c.rank(), 4)).isEqualTo(3);
    going.await();
    assertThat(in).containsExactly(1, 2, 3, 7, 7, 7, 7, 7, 7, 7);
  }

  private static void truncation(Communicator c) {
    int next = (c.rank() + 1) % c.size();
    int previous = (c.rank() + c.size() - 1) % c.size();
    Request going = c.startSend(MemorySegment.ofArray(new byte[100]), next, 6);
    byte[] small = new byte[40];
    assertThatThrownBy(() -> c.receive(MemorySegment.ofArray(small), previous, 6))
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("runcated")
        .satisfies(e -> assertThat(((MpiException) e).rank()).isNotNegative());
    going.await();
    c.barrier();
    ring(c, 100, false);
  }

  private static void wrongArguments(Communicator c) {
    MemorySegment some = longs(1);
    assertThatThrownBy(() -> c.send(some, c.size(), 0))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("destination: actual=rank " + c.size());
    assertThatThrownBy(() -> c.receive(some, -1, 0))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("source: actual=rank -1");
    assertThatThrownBy(() -> c.send(some, 0, -1))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("tag: actual=-1");
    assertThatThrownBy(() -> c.allGather(some, longs(new long[c.size() + 1])))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("length of all");
    assertThatThrownBy(() -> c.allToAll(new long[1], new long[c.size() * 2], 2))
        .isInstanceOf(InvalidUseException.class);
    c.barrier();
  }

  private static void barriers(Communicator c) {
    for (int i = 0; i < ROUNDS; i++) {
      if (c.rank() == i % c.size()) {
        for (int peer = 0; peer < c.size(); peer++) {
          if (peer != c.rank()) {
            c.send(longs(i), peer, 8);
          }
        }
      } else {
        long[] got = new long[1];
        c.receive(longs(got), i % c.size(), 8);
        assertThat(got[0]).isEqualTo(i);
      }
      c.barrier();
    }
  }

  private static void broadcasts(Communicator c, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      int root = random.nextInt(c.size());
      byte[] expected = new byte[random.nextInt(i == 0 ? 3_000_000 : 5000)];
      random.nextBytes(expected);
      boolean nativeMemory = random.nextBoolean();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment data = memory(arena, expected.length, nativeMemory);
        if (c.rank() == root) {
          data.copyFrom(MemorySegment.ofArray(expected));
        }
        c.broadcast(data, root);
        assertThat(data.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
      }
      byte[] received = c.broadcastBytes(c.rank() == root ? expected : null, root);
      assertThat(received).isEqualTo(expected);
      Arrays.fill(received, (byte) 0);
    }
  }

  private static void gathers(Communicator c, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      byte[] expected = new byte[random.nextInt(4000) * c.size()];
      random.nextBytes(expected);
      int each = expected.length / c.size();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment mine = memory(arena, each, random.nextBoolean());
        mine.copyFrom(MemorySegment.ofArray(expected).asSlice((long) each * c.rank(), each));
        MemorySegment all = memory(arena, expected.length, random.nextBoolean());
        c.allGather(mine, all);
        assertThat(all.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
      }
    }
  }

  private static void gathersV(Communicator c, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      byte[][] expected = new byte[c.size()][];
      long[] counts = new long[c.size()];
      long[] offsets = new long[c.size()];
      long end = 0;
      for (int r = 0; r < c.size(); r++) {
        expected[r] = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(20_000)];
        random.nextBytes(expected[r]);
        counts[r] = expected[r].length;
        end += random.nextInt(10);
        offsets[r] = end;
        end += counts[r];
      }
      byte[] all = new byte[Math.toIntExact(end)];
      c.allGatherV(
          MemorySegment.ofArray(expected[c.rank()]), MemorySegment.ofArray(all), counts, offsets);
      for (int r = 0; r < c.size(); r++) {
        int from = (int) offsets[r];
        assertThat(Arrays.copyOfRange(all, from, from + expected[r].length)).isEqualTo(expected[r]);
      }
      assertThat(c.allGatherBytes(expected[c.rank()])).isDeepEqualTo(expected);
    }
  }

  private static void exchanges(Communicator c, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      int each = random.nextInt(20);
      long[] mine = new long[each * c.size()];
      long[] theirs = new long[each * c.size()];
      for (int k = 0; k < mine.length; k++) {
        mine[k] = 1_000_000L * c.rank() + k;
      }
      c.allToAll(mine, theirs, each);
      for (int source = 0; source < c.size(); source++) {
        for (int k = 0; k < each; k++) {
          assertThat(theirs[source * each + k])
              .isEqualTo(1_000_000L * source + (long) c.rank() * each + k);
        }
      }
    }
  }

  private static void exchangesV(Communicator c, long seed) {
    Random random = new Random(seed);
    int n = c.size();
    for (int i = 0; i < ROUNDS; i++) {
      int most = i == 0 ? 500_000 : 3000;
      long[][] counts = new long[n][n];
      for (long[] row : counts) {
        for (int d = 0; d < n; d++) {
          row[d] = random.nextInt(3) == 0 ? 0 : random.nextInt(most);
        }
      }
      long[] sendCounts = counts[c.rank()];
      long[] receiveCounts = new long[n];
      for (int s = 0; s < n; s++) {
        receiveCounts[s] = counts[s][c.rank()];
      }
      long[] sendOffsets = scattered(sendCounts, random);
      long[] receiveOffsets = scattered(receiveCounts, random);
      exchangeV(c, sendCounts, sendOffsets, receiveCounts, receiveOffsets);
    }
  }

  /** Returns offsets with gaps, in a different order from that of the ranks. */
  private static long[] scattered(long[] counts, Random random) {
    long[] offsets = new long[counts.length];
    long end = 0;
    for (int r = counts.length - 1; r >= 0; r--) {
      end += random.nextInt(5);
      offsets[r] = end;
      end += counts[r];
    }
    return offsets;
  }

  private static void exchangeV(
      Communicator c, long[] sendCounts, long[] sendOffsets, long[] counts, long[] offsets) {
    try (Arena arena = Arena.ofConfined()) {
      boolean nativeMemory = c.rank() % 2 == 0;
      MemorySegment out = memory(arena, sendOffsets[0] + sendCounts[0], nativeMemory);
      for (int d = 0; d < c.size(); d++) {
        pattern(out.asSlice(sendOffsets[d], sendCounts[d]), c.rank() * 100L + d);
      }
      MemorySegment in = memory(arena, offsets[0] + counts[0], !nativeMemory);
      in.fill((byte) 99);
      c.allToAllV(out, sendCounts, sendOffsets, in, counts, offsets);
      long next = in.byteSize();
      for (int s = 0; s < c.size(); s++) {
        MemorySegment expected = MemorySegment.ofArray(new byte[(int) counts[s]]);
        pattern(expected, s * 100L + c.rank());
        assertThat(in.asSlice(offsets[s], counts[s]).mismatch(expected)).isEqualTo(-1);
        for (long gap = offsets[s] + counts[s]; gap < next; gap++) {
          assertThat(in.get(ValueLayout.JAVA_BYTE, gap))
              .as("byte between parts")
              .isEqualTo((byte) 99);
        }
        next = offsets[s];
      }
    }
  }

  private static long[][] randomValues(Communicator c, Random random) {
    int count = random.nextInt(50);
    long[][] all = new long[c.size()][];
    for (int r = 0; r < all.length; r++) {
      all[r] = random.longs(count).toArray();
    }
    return all;
  }

  private static void reductions(Communicator c, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      for (Reduction reduction : Reduction.values()) {
        long[][] all = randomValues(c, random);
        long[] expected = all[0].clone();
        for (int r = 1; r < all.length; r++) {
          reduction.accumulate(expected, all[r]);
        }
        long[] mine = all[c.rank()].clone();
        c.allReduce(mine, reduction);
        assertThat(mine).as("%s", reduction).isEqualTo(expected);
      }
    }
  }

  private static void scans(Communicator c, long seed) {
    Random random = new Random(seed);
    for (Reduction reduction : Reduction.values()) {
      long[][] all = randomValues(c, random);
      long[] expected = new long[all[0].length];
      if (c.rank() > 0) {
        expected = all[0].clone();
        for (int r = 1; r < c.rank(); r++) {
          reduction.accumulate(expected, all[r]);
        }
      }
      long[] mine = all[c.rank()].clone();
      c.exclusiveScan(mine, reduction);
      assertThat(mine).as("%s", reduction).isEqualTo(expected);
    }
  }

  private static void splits(Communicator c, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 5; i++) {
      int[][] all = new int[c.size()][];
      for (int r = 0; r < all.length; r++) {
        all[r] = new int[] {random.nextInt(4) - 1, random.nextInt(3) - 1};
      }
      int color = all[c.rank()][0];
      try (Communicator part = c.split(color, all[c.rank()][1])) {
        if (color < 0) {
          assertThat(part).isNull();
        } else {
          int[] members = SplitOrder.members(all, color);
          assertThat(part.size()).isEqualTo(members.length);
          assertThat(members[part.rank()]).isEqualTo(c.rank());
          long[] everybody = new long[part.size()];
          part.allGather(longs(c.rank()), longs(everybody));
          assertThat(everybody).isEqualTo(Arrays.stream(members).asLongStream().toArray());
          ring(part, 1000, false);
        }
      }
    }
  }

  private static void duplicates(Communicator c) {
    try (Communicator twin = c.duplicate()) {
      assertThat(twin.size()).isEqualTo(c.size());
      assertThat(twin.rank()).isEqualTo(c.rank());
      int next = (c.rank() + 1) % c.size();
      int previous = (c.rank() + c.size() - 1) % c.size();
      Request first = c.startSend(longs(1), next, 0);
      Request second = twin.startSend(longs(2), next, 0);
      long[] got = new long[1];
      twin.receive(longs(got), previous, 0);
      assertThat(got[0]).isEqualTo(2);
      c.receive(longs(got), previous, 0);
      assertThat(got[0]).isEqualTo(1);
      first.await();
      second.await();
    }
  }

  private static void nodes(Communicator c) {
    long[] nodes = new long[c.size()];
    c.allGather(longs(c.node()), longs(nodes));
    assertThat(nodes[c.rank()]).isEqualTo(c.node());
    assertThat(nodes).as("all run here").containsOnly(c.node());
  }

  private static void closing(Communicator c) {
    Communicator twin = c.duplicate();
    twin.close();
    twin.close();
    assertThatThrownBy(twin::barrier)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("closed");
    c.barrier();
  }

  /** Checks that the failure of the lowest failed rank reaches all: type, text, parts, ranks. */
  private static void sharedFailures(Communicator c) {
    SharedFailure.throwIfAny(c, null);
    int last = c.size() - 1;
    int first = last / 2;
    String ranks = first == last ? "rank " + last : "ranks " + first + ", " + last;
    if (last - first > 1) {
      ranks = "ranks " + first + ", " + (first + 1) + ", " + last;
    }
    for (HyperslabException sample : FailureSamples.all()) {
      boolean fails = c.rank() == first || c.rank() == first + 1 || c.rank() == last;
      HyperslabException mine =
          c.rank() == first ? sample : fails ? new InvalidUseException("another") : null;
      Throwable shared = catchThrowable(() -> SharedFailure.throwIfAny(c, mine));
      String message = " (on " + ranks + " of " + c.size() + ")";
      assertThat(shared).isInstanceOf(sample.getClass());
      assertThat(shared.getMessage().replace(message, "")).isEqualTo(sample.getMessage());
      assertThat(shared.getMessage()).contains(message);
      if (shared instanceof CorruptFileException corrupt) {
        CorruptFileException original = (CorruptFileException) sample;
        assertThat(corrupt.file()).isEqualTo(original.file());
        assertThat(corrupt.structure()).isEqualTo(original.structure());
        assertThat(corrupt.offset()).isEqualTo(original.offset());
      }
      if (shared instanceof MpiException mpi) {
        assertThat(mpi.code()).isEqualTo(((MpiException) sample).code());
        assertThat(mpi.rank()).isEqualTo(((MpiException) sample).rank());
      }
      if (c.rank() == first) {
        assertThat(shared).hasCause(sample);
      } else if (sample.getCause() != null) {
        assertThat(shared).cause().hasMessageContaining(sample.getCause().getMessage());
      }
    }
    SharedFailure.throwIfAny(c, null);
  }

  private static void sharedObjects(Communicator c) {
    long[] process = {SharedObjects.process()};
    long[] all = new long[c.size()];
    c.allGather(MemorySegment.ofArray(process), MemorySegment.ofArray(all));
    boolean one = Arrays.stream(all).allMatch(p -> p == all[0]);
    Optional<AtomicLong> shared = SharedObjects.share(c, AtomicLong.class, AtomicLong::new);
    assertThat(shared.isPresent()).isEqualTo(one);
    shared.ifPresent(AtomicLong::incrementAndGet);
    c.barrier();
    shared.ifPresent(counter -> assertThat(counter.get()).isEqualTo(c.size()));
  }
}
