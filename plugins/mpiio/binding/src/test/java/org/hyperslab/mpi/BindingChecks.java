package org.hyperslab.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;

/** Checks of the binding other than those of files, made by all ranks of a job together. */
final class BindingChecks {

  private final Mpi mpi;
  private final MpiCommunicator world;
  private final MpiDatatype ints;
  private final MpiDatatype doubles;

  private BindingChecks(Mpi mpi) {
    this.mpi = mpi;
    this.world = mpi.world();
    this.ints = mpi.type(MpiType.INT32);
    this.doubles = mpi.type(MpiType.DOUBLE);
  }

  /** Runs all checks on this rank. */
  static void run(Mpi mpi) {
    BindingChecks checks = new BindingChecks(mpi);
    checks.describesItself();
    checks.movesDerivedDatatypes();
    checks.knowsBoundsOfDatatypes();
    checks.buildsDistributedArrays();
    checks.probesBeforeReceiving();
    checks.gathersAndScatters();
    checks.reduces();
    checks.startsCollectives();
    checks.arrangesRanksInAGrid();
    checks.keepsHints();
    checks.adoptsObjectsThatOtherCodeCreated();
    checks.reportsErrors();
    checks.refusesValuesThatDoNotFit();
    checks.packsExternally();
  }

  private int next() {
    return (world.rank() + 1) % world.size();
  }

  private int previous() {
    return (world.rank() + world.size() - 1) % world.size();
  }

  private static MemorySegment of(int... values) {
    return MemorySegment.ofArray(values);
  }

  private void describesItself() {
    assertThat(mpi.standardVersion()).matches("[3-5]\\.[0-9]");
    assertThat(mpi.libraryTitle()).matches("(Open MPI|MPICH) [0-9.]+");
    assertThat(mpi.threadLevel()).isEqualTo(ThreadLevel.MULTIPLE);
    assertThat(mpi.processorName()).isNotBlank();
    assertThat(world.name()).isEqualTo("MPI_COMM_WORLD");
    assertThat(mpi.self().size()).isEqualTo(1);
    assertThat(Mpi.start()).isSameAs(mpi);
    assertThat(Mpi.launched()).isTrue();
    for (MpiType type : MpiType.values()) {
      assertThat(mpi.type(type).sizeBytes()).as("size of %s", type).isBetween(1L, 16L);
    }
    assertThat(mpi.type(MpiType.INT64).sizeBytes()).isEqualTo(8);
    assertThat(mpi.type(MpiType.UINT16).sizeBytes()).isEqualTo(2);
  }

  private void movesDerivedDatatypes() {
    try (MpiDatatype column = ints.vector(3, 1, 4);
        MpiDatatype pairs = ints.indexed(new int[] {2, 1}, new int[] {1, 5})) {
      int[] sent = new int[12];
      Arrays.setAll(sent, i -> 100 * world.rank() + i);
      MpiRequest going = world.startSend(MemorySegment.ofArray(sent), 1, column, next(), 1);
      int[] got = new int[6];
      Arrays.fill(got, -1);
      MpiStatus status = world.receive(MemorySegment.ofArray(got), 1, pairs, previous(), 1);
      going.await();
      int p = 100 * previous();
      assertThat(got).containsExactly(-1, p, p + 4, -1, -1, p + 8);
      assertThat(status).isEqualTo(new MpiStatus(previous(), 1, 12));
      assertThat(column.sizeBytes()).isEqualTo(12);
    }
  }

  private void knowsBoundsOfDatatypes() {
    try (MpiDatatype plain = ints.vectorInBytes(2, 1, 10);
        MpiDatatype moved = plain.resized(-4, 40);
        MpiDatatype copy = moved.duplicate();
        MpiDatatype block = doubles.indexedBlock(2, new int[] {3, 0});
        MpiDatatype apart = doubles.indexedInBytes(new int[] {1}, new long[] {24});
        MpiDatatype record =
            MpiDatatype.struct(new int[] {1, 2}, new long[] {0, 8}, List.of(ints, doubles))) {
      // Open MPI rounds up to the alignment of the elements.
      assertThat(plain.extentBytes()).isIn(14L, 16L);
      assertThat(copy.extentBytes()).isEqualTo(40);
      assertThat(copy.lowerBoundBytes()).isEqualTo(-4);
      assertThat(copy.trueExtentBytes()).isEqualTo(14);
      assertThat(block.sizeBytes()).isEqualTo(32);
      assertThat(apart.trueLowerBoundBytes()).isEqualTo(24);
      assertThat(record.sizeBytes()).isEqualTo(20);
      assertThat(record.extentBytes()).isEqualTo(24);
    }
  }

  private void buildsDistributedArrays() {
    int[] grid = {2, 1};
    try (MpiDatatype mine =
            ints.distributedArray(
                grid,
                world.rank() % 2,
                new int[] {4, 6},
                List.of(Distribution.cyclic(1), Distribution.NONE),
                true);
        MpiDatatype box =
            ints.subarray(new int[] {4, 6}, new int[] {2, 2}, new int[] {1, 3}, true)) {
      assertThat(mine.sizeBytes()).isEqualTo(48);
      assertThat(box.sizeBytes()).isEqualTo(16);
      assertThat(box.trueLowerBoundBytes()).isEqualTo(36);
      assertThat(box.extentBytes()).isEqualTo(96);
    }
  }

  private void probesBeforeReceiving() {
    MpiRequest going = world.startSend(of(1, 2, 3), next(), 9);
    MpiStatus coming = world.probe(MpiCommunicator.ANY_SOURCE, MpiCommunicator.ANY_TAG);
    assertThat(coming).isEqualTo(new MpiStatus(previous(), 9, 12));
    assertThat(world.probeNow(previous(), 9)).contains(coming);
    assertThat(world.probeNow(previous(), 8)).isEmpty();
    int[] got = new int[3];
    world.receive(MemorySegment.ofArray(got), coming.source(), MpiCommunicator.ANY_TAG);
    assertThat(got).containsExactly(1, 2, 3);
    going.await();
    world.barrier();
  }

  private void gathersAndScatters() {
    int root = world.size() - 1;
    MpiCollectives all = world.collectives();
    int[] everything = new int[2 * world.size()];
    all.gather(of(world.rank(), -world.rank()), MemorySegment.ofArray(everything), 2, ints, root);
    int[] back = new int[2];
    all.scatter(MemorySegment.ofArray(everything), MemorySegment.ofArray(back), 2, ints, root);
    assertThat(back).containsExactly(world.rank(), -world.rank());
    int[] theirs = new int[world.size()];
    int[] mine = new int[world.size()];
    Arrays.setAll(mine, i -> 10 * world.rank() + i);
    all.allToAll(MemorySegment.ofArray(mine), MemorySegment.ofArray(theirs), 1, ints);
    int[] expected = new int[world.size()];
    Arrays.setAll(expected, i -> 10 * i + world.rank());
    assertThat(theirs).isEqualTo(expected);
    long[] ones = new long[world.size()];
    long[] places = new long[world.size()];
    Arrays.fill(ones, 1);
    Arrays.setAll(places, i -> world.size() - 1 - i);
    int[] turned = new int[world.size()];
    all.allGatherV(
        of(world.rank()), 1, new MpiParts(MemorySegment.ofArray(turned), ones, places), ints);
    Arrays.setAll(expected, i -> world.size() - 1 - i);
    assertThat(turned).isEqualTo(expected);
    all.allToAllV(
        new MpiParts(MemorySegment.ofArray(mine), ones, places),
        new MpiParts(MemorySegment.ofArray(theirs), ones, places),
        ints);
    Arrays.setAll(expected, i -> 10 * (world.size() - 1 - i) + world.size() - 1 - world.rank());
    assertThat(theirs).isEqualTo(expected);
  }

  private void reduces() {
    int n = world.size();
    double[] sum = {1, world.rank()};
    world.collectives().allReduce(MemorySegment.ofArray(sum), 2, doubles, MpiOperation.SUM);
    assertThat(sum).containsExactly(n, n * (n - 1) / 2.0);
    int[] product = {2};
    world.collectives().scan(MemorySegment.ofArray(product), 1, ints, MpiOperation.PRODUCT);
    assertThat(product[0]).isEqualTo(1 << (world.rank() + 1));
    int[] most = {world.rank()};
    world.collectives().reduce(MemorySegment.ofArray(most), 1, ints, MpiOperation.MAX, 0);
    assertThat(most[0]).isEqualTo(world.rank() == 0 ? n - 1 : world.rank());
    int[] pair = {(world.rank() + 1) % n, world.rank()};
    world
        .collectives()
        .allReduce(
            MemorySegment.ofArray(pair), 1, mpi.type(MpiType.TWO_INT), MpiOperation.MIN_LOCATION);
    assertThat(pair).containsExactly(0, n - 1);
  }

  private void startsCollectives() {
    MpiRequest barrier = world.collectives().startBarrier();
    int[] told = {world.rank() == 0 ? 77 : 0};
    MpiRequest broadcast = world.collectives().startBroadcast(MemorySegment.ofArray(told), 0);
    int[] sum = {1};
    MpiRequest reduction =
        world.collectives().startAllReduce(MemorySegment.ofArray(sum), 1, ints, MpiOperation.SUM);
    int[] ranks = new int[world.size()];
    ranks[world.rank()] = 7 + world.rank();
    MpiRequest gathering = world.collectives().startAllGather(MemorySegment.ofArray(ranks));
    MpiRequest.awaitAll(List.of(barrier, broadcast, reduction, gathering));
    for (int rank = 0; rank < ranks.length; rank++) {
      assertThat(ranks[rank]).isEqualTo(7 + rank);
    }
    assertThat(told[0]).isEqualTo(77);
    assertThat(sum[0]).isEqualTo(world.size());
    assertThat(barrier.test()).isTrue();
  }

  private void arrangesRanksInAGrid() {
    int[] sides = mpi.dimensions(world.size(), 0, 0);
    assertThat(sides[0] * sides[1]).isEqualTo(world.size());
    try (MpiCommunicator ranks = world.grid(sides, new boolean[] {true, false}, false)) {
      MpiGrid grid = ranks.grid().orElseThrow();
      assertThat(grid.dimensions()).isEqualTo(sides);
      assertThat(grid.periodic()).containsExactly(true, false);
      assertThat(grid.rank(grid.coordinates())).isEqualTo(ranks.rank());
      assertThat(grid.coordinates(ranks.rank())).isEqualTo(grid.coordinates());
      MpiGrid.Neighbours along = grid.shift(0, 1);
      assertThat(along.source()).isBetween(0, ranks.size() - 1);
      MpiGrid.Neighbours across = grid.shift(1, 1);
      assertThat(across.source() == -1).isEqualTo(grid.coordinates()[1] == 0);
      try (MpiCommunicator row = grid.slice(false, true)) {
        assertThat(row.size()).isEqualTo(sides[1]);
        assertThat(row.ranksIn(ranks)).contains(ranks.rank());
      }
    }
    assertThat(world.grid()).isEmpty();
    try (MpiCommunicator node = world.splitByNode()) {
      assertThat(node.size()).isEqualTo(world.size());
      node.setName("my node");
      assertThat(node.name()).isEqualTo("my node");
    }
    MpiDuplication started = world.startDuplicate();
    try (MpiCommunicator copy = started.await()) {
      assertThat(started.request().test()).isTrue();
      assertThat(copy.size()).isEqualTo(world.size());
      assertThat(copy.rank()).isEqualTo(world.rank());
      copy.barrier();
    }
    MpiCommunicator none = world.split(world.rank() == 0 ? -1 : 0, 0);
    assertThat(none == null).isEqualTo(world.rank() == 0);
    if (none != null) {
      none.close();
    }
  }

  private void keepsHints() {
    try (MpiInfo info = mpi.newInfo(Map.of("cb_nodes", "2"));
        MpiInfo copy = info.duplicate()) {
      copy.set("striping_unit", "65536");
      assertThat(copy.toMap())
          .containsOnly(Map.entry("cb_nodes", "2"), Map.entry("striping_unit", "65536"));
      copy.remove("cb_nodes");
      assertThat(copy.get("cb_nodes")).isEmpty();
      assertThat(info.get("cb_nodes")).contains("2");
      assertThatThrownBy(() -> info.remove("nothing"))
          .isInstanceOf(MpiException.class)
          .hasMessageContaining("MPI_Info_delete");
    }
  }

  /** Makes a communicator and hints by the library itself, as a program in C does. */
  private void adoptsObjectsThatOtherCodeCreated() {
    Library library = mpi.library();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
      library.putHandle(place, 0, library.newHandle(Call.COMM_DUP, value(world.handle())));
      try (MpiCommunicator adopted = mpi.adoptCommunicator(place)) {
        assertThat(adopted.rank()).isEqualTo(world.rank());
        assertThat(adopted.isCongruent(world)).isTrue();
        assertThat(adopted.isCongruent(mpi.self())).isEqualTo(world.size() == 1);
        adopted.barrier();
      }
      library.putHandle(place, 0, library.handle(Predefined.COMM_NULL));
      assertThatThrownBy(() -> mpi.adoptCommunicator(place))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("MPI_COMM_NULL");
      library.putHandle(place, 0, library.handle(Predefined.INFO_NULL));
      assertThat(mpi.adoptInfo(place)).isEmpty();
      library.putHandle(place, 0, library.newHandle(Call.INFO_CREATE));
      try (MpiInfo info = mpi.adoptInfo(place).orElseThrow()) {
        assertThat(info.toMap()).isEmpty();
      }
    }
    assertThat(mpi.isFinished()).isFalse();
  }

  private void reportsErrors() {
    assertThatThrownBy(() -> world.send(of(1), 1000, 0))
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("MPI_Send")
        .hasMessageContaining("rank")
        .satisfies(e -> {
          MpiException failure = (MpiException) e;
          assertThat(failure.code()).isPositive();
          assertThat(failure.rank()).isEqualTo(world.rank());
          assertThat(failure.call()).isEqualTo("MPI_Send");
        });
    assertThatThrownBy(() -> ints.vector(-3, 1, 1))
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("MPI_Type_vector");
    MpiRequest going = world.startSend(of(1, 2, 3, 4), next(), 2);
    int[] small = new int[1];
    MpiRequest coming = world.startReceive(MemorySegment.ofArray(small), previous(), 2);
    assertThatThrownBy(coming::await)
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("MPI_Irecv");
    assertThatThrownBy(coming::await).isInstanceOf(MpiException.class);
    going.await();
    world.barrier();
  }

  private void refusesValuesThatDoNotFit() {
    try (MpiDatatype wide = doubles.vector(4, 1, 10)) {
      assertThatThrownBy(() -> world.receive(of(new int[50]), 1, wide, previous(), 0))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=200 bytes")
          .hasMessageContaining("bytes 0 to 248");
    }
    MpiDatatype gone = ints.contiguous(2);
    gone.close();
    assertThatThrownBy(() -> world.send(of(1, 2), 1, gone, next(), 0))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("closed");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment fixed = arena.allocate(8).asReadOnly();
      assertThatThrownBy(() -> world.receive(fixed, previous(), 0))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("read-only");
    }
  }

  private void packsExternally() {
    byte[] packed = ints.packExternal(of(1, -2), 2);
    assertThat(packed).containsExactly(0, 0, 0, 1, -1, -1, -1, -2);
    MemorySegment back = MemorySegment.ofArray(packed);
    assertThat(back.get(ValueLayout.JAVA_BYTE, 3)).isEqualTo((byte) 1);
  }
}
