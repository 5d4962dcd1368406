package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.RandomTypes;

/**
 * A random program of operations on one file, which every rank runs together with a sequential
 * model. All ranks draw the same random numbers, so that each knows the steps of all; ranks
 * synchronise after each step.
 */
final class RandomProgram {

  private static final List<DerivedType> ETYPES =
      List.of(DerivedType.BYTE, DerivedType.INT16, DerivedType.DOUBLE);

  private final Communicator comm;
  private final MpiFile file;
  private final Random random;
  private final FileModel model;
  private final StringBuilder log = new StringBuilder();
  private int step;
  private boolean vendor;
  private Path path;

  RandomProgram(Communicator comm, MpiFile file, long seed) {
    this.comm = comm;
    this.file = file;
    this.random = new Random(seed);
    this.model = new FileModel(comm.size());
  }

  /**
   * Avoids operations on which libraries differ: at the end of a file MPICH advances a pointer by
   * the bytes read, whereas Open MPI counts the bytes requested, and does not detect the end of a
   * view.
   */
  RandomProgram forVendor() {
    vendor = true;
    return this;
  }

  /** Compares the file of this path with the model after each step. */
  RandomProgram watching(Path file) {
    path = file;
    return this;
  }

  FileModel run(int steps) {
    try {
      for (step = 1; step <= steps; step++) {
        comm.barrier();
        step();
        comm.barrier();
        if (path != null) {
          requireSame(Files.readAllBytes(path), model.content());
        }
        assertThat(file.size()).isEqualTo(model.size());
        assertThat(file.position()).isEqualTo(model.pointers[comm.rank()]);
        assertThat(file.sharedPosition()).isEqualTo(model.shared);
      }
      return model;
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError("step " + step + " on rank " + comm.rank() + " after" + log, e);
    }
  }

  private static void requireSame(byte[] found, byte[] expected) {
    int at = Arrays.mismatch(found, expected);
    int to = at + 64;
    assertThat(at)
        .as(
            "place of the first byte that is not the model's: %s bytes, there %s; in the model %s,"
                + " %s",
            found.length,
            at < 0 ? "" : Arrays.toString(Arrays.copyOfRange(found, at, to)),
            expected.length,
            at < 0 ? "" : Arrays.toString(Arrays.copyOfRange(expected, at, to)))
        .isEqualTo(-1);
  }

  /** The steps executed so far. */
  @Override
  public String toString() {
    return " rank " + comm.rank() + ":" + log;
  }

  private void step() {
    switch (random.nextInt(16)) {
      case 0 -> view();
      case 1 -> seek();
      case 2 -> seekShared();
      case 3 -> resize();
      case 4 -> {
        if (vendor) {
          file.sync();
        } else {
          settings();
        }
      }
      case 5, 6, 7, 8, 9 -> alone(random.nextInt(comm.size()));
      default -> together();
    }
  }

  private void view() {
    DerivedType etype = ETYPES.get(random.nextInt(ETYPES.size()));
    boolean alike = random.nextBoolean();
    long seed = random.nextLong();
    log.append("\nview of ").append(etype).append(alike ? " alike" : "");
    for (int rank = 0; rank < comm.size(); rank++) {
      RandomTypes types = new RandomTypes(new Random(alike ? seed : seed + rank));
      model.views[rank] = randomView(types, etype, alike ? 0 : rank);
      model.pointers[rank] = 0;
    }
    model.shared = 0;
    file.setView(model.views[comm.rank()]);
    log.append(" ").append(Arrays.toString(model.views));
    FileView mine = model.views[comm.rank()];
    assertThat(file.view()).isSameAs(mine);
    assertThat(file.byteOffset(3)).isEqualTo(mine.byteOffset(3));
  }

  private static FileView randomView(RandomTypes types, DerivedType etype, int rank) {
    for (int depth = 3; ; depth--) {
      try {
        DerivedType filetype = types.ascending(etype, depth);
        if (filetype.size() > 0) {
          return FileView.of(8L * rank, etype, filetype);
        }
      } catch (InvalidUseException interleaved) {
        assertThat(depth).isPositive();
      }
    }
  }

  private void seek() {
    long[] base = new long[comm.size()];
    Whence whence = Whence.values()[random.nextInt(vendor ? 2 : 3)];
    for (int rank = 0; rank < comm.size(); rank++) {
      base[rank] =
          switch (whence) {
            case START -> 0;
            case CURRENT -> model.pointers[rank];
            case END -> model.views[rank].end(model.size());
          };
      model.pointers[rank] = Math.max(0, base[rank] + random.nextInt(40) - 20);
    }
    log.append("\nseek ").append(whence);
    file.seek(model.pointers[comm.rank()] - base[comm.rank()], whence);
  }

  private void seekShared() {
    log.append("\nseekShared");
    boolean current = random.nextBoolean();
    long to = random.nextInt(60);
    file.seekShared(current ? to - model.shared : to, current ? Whence.CURRENT : Whence.START);
    model.shared = to;
  }

  private void resize() {
    int bytes = random.nextInt(2000);
    if (random.nextBoolean() || vendor) {
      log.append("\nsetSize ").append(bytes);
      file.setSize(bytes);
      model.resize(bytes);
    } else {
      log.append("\npreallocate ").append(bytes);
      file.preallocate(bytes);
      model.resize(Math.max(bytes, model.size()));
    }
  }

  private void settings() {
    switch (random.nextInt(4)) {
      case 0 -> file.sync();
      case 1 -> {
        boolean atomic = random.nextBoolean();
        log.append("\natomic ").append(atomic);
        file.setAtomic(atomic);
        assertThat(file.isAtomic()).isEqualTo(atomic);
      }
      case 2 -> file.setInfo(Map.of("cb_buffer_size", "" + (64 << random.nextInt(10))));
      default ->
          file.setInfo(Map.of("romio_ds_write", random.nextBoolean() ? "enable" : "disable"));
    }
  }

  /** One rank accesses the file. */
  private void alone(int rank) {
    boolean write = random.nextBoolean();
    Transfer.Pointer pointer = Transfer.Pointer.values()[random.nextInt(3)];
    boolean started = random.nextBoolean();
    Share share = share(rank, pointer, write);
    log.append("\nrank ").append(rank).append(started ? " starts " : " ").append(share);
    if (rank == comm.rank()) {
      try (Memory memory = new Memory(share)) {
        MemoryBuffer buffer = memory.buffer;
        AccessStatus status;
        if (started) {
          FileRequest request = start(share, buffer, false);
          if (random().nextBoolean()) {
            request.test();
          }
          status = request.await();
        } else {
          status = run(share, buffer, false);
        }
        memory.check(status, model);
      }
    }
    move(share);
    if (write) {
      model.write(step, share.places);
    }
  }

  /** All ranks access the file. */
  private void together() {
    boolean write = random.nextBoolean();
    Transfer.Pointer pointer = Transfer.Pointer.values()[random.nextInt(3)];
    int manner = random.nextInt(3);
    List<Share> shares = new ArrayList<>();
    for (int rank = 0; rank < comm.size(); rank++) {
      Share share = share(rank, pointer, write);
      shares.add(share);
      move(share);
    }
    Share mine = shares.get(comm.rank());
    log.append("\nall, manner ").append(manner).append(": ").append(shares);
    try (Memory memory = new Memory(mine)) {
      AccessStatus status =
          switch (pointer == Transfer.Pointer.SHARED && manner == 1 ? 2 : manner) {
            case 0 -> run(mine, memory.buffer, true);
            case 1 -> start(mine, memory.buffer, true).await();
            default -> begin(mine, memory.buffer).end();
          };
      memory.check(status, model);
    }
    if (write) {
      shares.forEach(share -> model.write(step, share.places));
    }
  }

  /** A generator of this rank's own: what it draws changes nothing for the others. */
  private Random random() {
    return new Random(step * 31L + comm.rank());
  }

  private Share share(int rank, Transfer.Pointer pointer, boolean write) {
    FileView view = model.views[rank];
    long etypes = random.nextInt(4) == 0 ? 0 : random.nextInt(30);
    long offset =
        switch (pointer) {
          case EXPLICIT -> random.nextInt(50);
          case INDIVIDUAL -> model.pointers[rank];
          case SHARED -> model.shared;
        };
    List<Long> places = FileModel.places(view, offset, etypes * view.etypeBytes());
    if (vendor && !write) {
      etypes = model.read(places).length / view.etypeBytes();
      places = FileModel.places(view, offset, etypes * view.etypeBytes());
    }
    return new Share(rank, pointer, write, offset, etypes, places, random.nextInt(3));
  }

  private void move(Share share) {
    switch (share.pointer) {
      case EXPLICIT -> {}
      case INDIVIDUAL -> model.pointers[share.rank] += share.etypes;
      case SHARED -> model.shared += share.etypes;
    }
  }

  /** The action of one rank in a step. */
  private record Share(
      int rank,
      Transfer.Pointer pointer,
      boolean write,
      long offset,
      long etypes,
      List<Long> places,
      int layout) {
    @Override
    public String toString() {
      return (write ? "write " : "read ") + etypes + " etypes " + pointer + " at " + offset;
    }
  }

  private AccessStatus run(Share share, MemoryBuffer buffer, boolean all) {
    return switch (share.pointer) {
      case EXPLICIT ->
          share.write
              ? (all ? file.writeAtAll(share.offset, buffer) : file.writeAt(share.offset, buffer))
              : (all ? file.readAtAll(share.offset, buffer) : file.readAt(share.offset, buffer));
      case INDIVIDUAL ->
          share.write
              ? (all ? file.writeAll(buffer) : file.write(buffer))
              : (all ? file.readAll(buffer) : file.read(buffer));
      case SHARED ->
          share.write
              ? (all ? file.writeOrdered(buffer) : file.writeShared(buffer))
              : (all ? file.readOrdered(buffer) : file.readShared(buffer));
    };
  }

  private FileRequest start(Share share, MemoryBuffer buffer, boolean all) {
    return switch (share.pointer) {
      case EXPLICIT ->
          share.write
              ? (all
                  ? file.startWriteAtAll(share.offset, buffer)
                  : file.startWriteAt(share.offset, buffer))
              : (all
                  ? file.startReadAtAll(share.offset, buffer)
                  : file.startReadAt(share.offset, buffer));
      case INDIVIDUAL ->
          share.write
              ? (all ? file.startWriteAll(buffer) : file.startWrite(buffer))
              : (all ? file.startReadAll(buffer) : file.startRead(buffer));
      case SHARED -> share.write ? file.startWriteShared(buffer) : file.startReadShared(buffer);
    };
  }

  private SplitAccess begin(Share share, MemoryBuffer buffer) {
    return switch (share.pointer) {
      case EXPLICIT ->
          share.write
              ? file.beginWriteAtAll(share.offset, buffer)
              : file.beginReadAtAll(share.offset, buffer);
      case INDIVIDUAL -> share.write ? file.beginWriteAll(buffer) : file.beginReadAll(buffer);
      case SHARED -> share.write ? file.beginWriteOrdered(buffer) : file.beginReadOrdered(buffer);
    };
  }

  /** The memory of an access: on the heap, off it, or of a confined arena with gaps. */
  private final class Memory implements AutoCloseable {
    private static final byte GAP = 0x55;

    private final Share share;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment segment;
    private final MemoryBuffer buffer;

    Memory(Share share) {
      this.share = share;
      long bytes = share.places.size();
      DerivedType etype = model.views[share.rank].etype();
      if (share.layout == 0) {
        segment = MemorySegment.ofArray(new byte[(int) bytes]);
        buffer = MemoryBuffer.of(segment);
      } else if (share.layout == 1) {
        segment = Arena.ofAuto().allocate(bytes + 1, 8);
        buffer = MemoryBuffer.of(segment, share.etypes, etype);
      } else {
        DerivedType gapped = DerivedType.resized(0, 3 * etype.size(), etype);
        segment = arena.allocate(3 * bytes + 5, 8);
        buffer = new MemoryBuffer(segment, 5, share.etypes, gapped);
      }
      segment.fill(GAP);
      if (share.write) {
        put(FileModel.data(step, share.places));
      }
    }

    private long at(int i) {
      long each = buffer.type().size();
      return buffer.originBytes() + i / each * buffer.type().extent() + i % each;
    }

    private void put(byte[] packed) {
      for (int i = 0; i < packed.length; i++) {
        segment.set(ValueLayout.JAVA_BYTE, at(i), packed[i]);
      }
    }

    void check(AccessStatus status, FileModel before) {
      if (share.write) {
        assertThat(status.bytes()).isEqualTo(share.places.size());
        return;
      }
      byte[] expected = before.read(share.places);
      assertThat(status.bytes()).isEqualTo(expected.length);
      byte[] found = segment.toArray(ValueLayout.JAVA_BYTE);
      byte[] wanted = new byte[found.length];
      Arrays.fill(wanted, GAP);
      for (int i = 0; i < expected.length; i++) {
        wanted[(int) at(i)] = expected[i];
      }
      assertThat(found).isEqualTo(wanted);
    }

    @Override
    public void close() {
      arena.close();
    }
  }
}
