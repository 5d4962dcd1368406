package org.hyperslab.benchmarks.parallel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.plugins.mpiio.MpiioConnector;
import org.hyperslab.plugins.mpiio.MpiioOptions;

/**
 * Writes the FLASH I/O checkpoint, as {@code flash_peer.c} does, by the ranks of an MPI job, or by
 * threads if {@code -Dranks=N} is given and there is no launcher.
 *
 * <p>Arguments: file, repeats, {@code independent} or {@code collective}, {@code process} or {@code
 * power-cut}, the number of variables extracted from the guarded array in one pass, and {@code
 * ahead} to create all datasets before the first is written, without waiting, instead of creating,
 * writing and closing each in turn; then the number of blocks of which variables are extracted in
 * one pass, default all. Prints the seconds of each repeat, of the slowest rank, and the median;
 * then the time of each rank in each phase, as the median of the later half.
 */
final class FlashCheckpoint {

  private static final int NB = 8;
  private static final int GUARD = 4;
  private static final int FULL = NB + 2 * GUARD;
  private static final int CELLS = NB * NB * NB;
  private static final int VARIABLES = 24;
  private static final List<String> NAMES =
      List.of(
          "dens", "velx", "vely", "velz", "pres", "ener", "temp", "gamc", "game", "enuc", "gpot",
          "f1  ", "f2  ", "f3  ", "f4  ", "f5  ", "f6  ", "f7  ", "f8  ", "f9  ", "f10 ", "f11 ",
          "f12 ", "f13 ");

  private final Communicator comm;
  private final TransferOptions transfer;
  private final CreateOptions options;
  private final int local;
  private final int total;
  private final int offset;
  private final double[] unknowns;

  /** The variables taken out, in native memory, which is written without a copy. */
  private final MemorySegment[] interiors;

  /** One block of each of these variables, which stays in the first cache. */
  private final double[][] blocks;

  private final boolean ahead;

  /** The number of blocks of which variables are taken out in one pass. */
  private final int tile;

  /** Nanoseconds of this rank in each phase of the file being written. */
  private final long[] spent = new long[Phase.values().length];

  /** The start of the current phase. */
  private long phaseStart;

  /** The phases of a rank's work, in order. */
  private enum Phase {
    OPENING("opening"),
    CREATING("creating datasets"),
    TAKING("taking out of the guarded array"),
    WRITING("writing"),
    CLOSING("closing");

    final String text;

    Phase(String text) {
      this.text = text;
    }
  }

  private FlashCheckpoint(
      Communicator comm,
      TransferOptions transfer,
      Durability durability,
      int together,
      boolean ahead,
      int tile) {
    this.ahead = ahead;
    this.comm = comm;
    this.transfer = transfer;
    this.options = CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(durability));
    this.local = blocks(comm.rank());
    int sum = 0;
    int before = 0;
    for (int rank = 0; rank < comm.size(); rank++) {
      sum += blocks(rank);
      before += rank < comm.rank() ? blocks(rank) : 0;
    }
    this.total = sum;
    this.offset = before;
    this.unknowns = new double[VARIABLES * FULL * FULL * FULL * local];
    this.tile = tile == 0 ? local : Math.min(tile, local);
    this.blocks = new double[together][CELLS];
    this.interiors = new MemorySegment[together];
    Arrays.setAll(interiors, i -> Arena.ofAuto().allocate((long) CELLS * this.tile * Double.BYTES));
    for (int i = 0; i < unknowns.length; i++) {
      unknowns[i] = 1 + i % VARIABLES;
    }
  }

  private static int blocks(int rank) {
    return 80 + rank % 3;
  }

  /**
   * Runs the benchmark.
   *
   * @param args see the class
   */
  public static void main(String[] args) {
    int ranks = Integer.getInteger("ranks", 1);
    if (ranks > 1) {
      ThreadWorld.run(ranks, comm -> run(comm, args));
    } else {
      run(Worlds.current(), args);
    }
  }

  private static void run(Communicator comm, String[] args) {
    int repeats = Integer.parseInt(args[1]);
    boolean collective = args[2].equals("collective");
    Durability durability = args[3].equals("process") ? Durability.PROCESS : Durability.POWER_CUT;
    double[] seconds = new double[repeats];
    List<long[]> phases = new ArrayList<>();
    int together = args.length > 4 ? Integer.parseInt(args[4]) : 1;
    try (MpiioConnector connector = MpiioConnector.over(comm, MpiioOptions.DEFAULT);
        Session session = Hdf5.session(connector)) {
      FlashCheckpoint flash =
          new FlashCheckpoint(
              comm,
              collective ? TransferOptions.COLLECTIVE : TransferOptions.DEFAULT,
              durability,
              together,
              args.length > 5 && args[5].equals("ahead"),
              args.length > 6 ? Integer.parseInt(args[6]) : 0);
      for (int i = 0; i < repeats; i++) {
        seconds[i] = flash.timed(session, args[0]);
        phases.add(flash.spent.clone());
        if (comm.rank() == 0) {
          System.out.printf(Locale.ROOT, "Java %s %d: %.4f s%n", args[2], i, seconds[i]);
        }
      }
      System.out.println("rank " + comm.rank() + phaseText(phases.subList(repeats / 2, repeats)));
      if (comm.rank() == 0) {
        Arrays.sort(seconds);
        System.out.printf(
            Locale.ROOT,
            "Java %s median: %.4f s; %s%n",
            args[2],
            seconds[repeats / 2],
            connector.lastTransfer().text());
      }
    }
  }

  /** Ends a phase: adds the time since the end of the previous one. */
  private void spent(Phase phase) {
    long now = System.nanoTime();
    spent[phase.ordinal()] += now - phaseStart;
    phaseStart = now;
  }

  /** Returns the medians of the phases of some files, in milliseconds. */
  private static String phaseText(List<long[]> files) {
    StringBuilder text = new StringBuilder();
    for (Phase phase : Phase.values()) {
      long[] nanos = files.stream().mapToLong(each -> each[phase.ordinal()]).sorted().toArray();
      text.append(
          String.format(Locale.ROOT, ", %s %.1f ms", phase.text, 1e-6 * nanos[nanos.length / 2]));
    }
    return text.toString();
  }

  private double timed(Session session, String name) {
    if (comm.rank() == 0) {
      try {
        Files.deleteIfExists(Path.of(name));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
    comm.barrier();
    long start = System.nanoTime();
    Arrays.fill(spent, 0);
    phaseStart = start;
    try (H5File file = session.create(name, options)) {
      spent(Phase.OPENING);
      write(file);
    }
    spent(Phase.CLOSING);
    long[] nanos = {System.nanoTime() - start};
    comm.allReduce(nanos, Reduction.MAX);
    return 1e-9 * nanos[0];
  }

  /** A dataset of the header, which rank 0 writes. */
  private record Header(String name, Datatype type, Dataspace space, byte[] bytes) {}

  /** A dataset to which every rank writes the rows of its blocks. */
  private record Rows(String name, Datatype type, MemorySegment elements, long... perBlock) {
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  private List<Header> headers() {
    byte[] names = String.join("", NAMES).getBytes(StandardCharsets.US_ASCII);
    return List.of(
        new Header("file creation time", string(40), Dataspace.simple(1), blank(40, "now")),
        new Header("FLASH version", string(20), Dataspace.simple(1), blank(20, "FLASH I/O bench")),
        new Header("simulation parameters", parametersType(), Dataspace.simple(1), parameters()),
        new Header("unknown names", string(4), Dataspace.simple(VARIABLES, 1), names));
  }

  private List<Rows> tree() {
    return List.of(
        new Rows("refine level", Datatypes.I32LE, ints(1, 1)),
        new Rows("node type", Datatypes.I32LE, ints(1, 1)),
        new Rows("gid", Datatypes.I32LE, ints(15, -1), 15),
        new Rows("coordinates", Datatypes.F64LE, doubles(3, 0.25), 3),
        new Rows("block size", Datatypes.F64LE, doubles(3, 0.5), 3),
        new Rows("bounding box", Datatypes.F64LE, doubles(6, 0), 3, 2));
  }

  private Rows unknown(int variable) {
    MemorySegment interior = interiors[variable % interiors.length];
    return new Rows(NAMES.get(variable), Datatypes.F64LE, interior, NB, NB, NB);
  }

  private void write(H5File file) {
    List<Header> headers = headers();
    List<Rows> tree = tree();
    Map<String, Dataset> created = new HashMap<>();
    if (ahead) {
      headers.forEach(
          each -> created.put(each.name, create(file, each.name, each.type, each.space)));
      tree.forEach(each -> created.put(each.name, create(file, each)));
      for (int i = 0; i < VARIABLES; i++) {
        created.put(NAMES.get(i), create(file, unknown(i)));
      }
    }
    spent(Phase.CREATING);
    copyInteriors(0, 0, tile); // needs no dataset
    spent(Phase.TAKING);
    created.values().forEach(each -> each.opened().join());
    spent(Phase.CREATING);
    for (Header each : headers) {
      Dataset dataset = created.get(each.name);
      write(dataset != null ? dataset : file.createDataset(each.name, each.type, each.space), each);
    }
    tree.forEach(each -> write(file, each, created, 0, local));
    spent(Phase.WRITING);
    for (int first = 0; first < VARIABLES; first += interiors.length) {
      for (int from = 0; from < local; from += tile) {
        int count = Math.min(tile, local - from);
        if (first > 0 || from > 0) {
          copyInteriors(first, from, count);
          spent(Phase.TAKING);
        }
        for (int i = 0; i < interiors.length; i++) {
          write(file, unknown(first + i), created, from, count);
        }
        spent(Phase.WRITING);
      }
    }
  }

  private Dataset create(H5File file, String name, Datatype type, Dataspace space) {
    return file.root().datasetBuilder(name).type(type).space(space).createAsync();
  }

  private Dataset create(H5File file, Rows rows) {
    return create(file, rows.name, rows.type, Dataspace.simple(dims(total, rows)));
  }

  private static long[] dims(long blocks, Rows rows) {
    return LongStream.concat(LongStream.of(blocks), Arrays.stream(rows.perBlock)).toArray();
  }

  private void write(Dataset dataset, Header header) {
    if (comm.rank() == 0) {
      MemorySegment elements = MemorySegment.ofArray(header.bytes);
      dataset.write(Memory.of(elements, header.type, header.space.dims()));
    }
    if (!ahead) {
      dataset.close();
    }
  }

  private void write(H5File file, Rows rows, Map<String, Dataset> created, int from, int count) {
    Dataset dataset = created.get(rows.name);
    if (dataset == null) {
      dataset = file.createDataset(rows.name, rows.type, Dataspace.simple(dims(total, rows)));
    }
    long[] mine = dims(count, rows);
    long[] start = new long[mine.length];
    start[0] = (long) offset + from;
    dataset
        .writeAsync(Selection.box(start, mine), Memory.of(rows.elements, rows.type, mine), transfer)
        .join();
    if (!ahead) {
      dataset.close();
    }
  }

  /**
   * Extracts some variables' interior cells from the guarded array. A plane of a block, which fits
   * the first cache, is read once for each variable. Each block goes through an array: the loops
   * over arrays are faster than over segments, and the copy of a block that the first cache holds
   * costs less than the copy of the whole variable, which a write from an array would make.
   */
  private void copyInteriors(int first, int from, int count) {
    double[] cells = unknowns;
    for (int at = 0; at < count; at++) {
      int block = from + at;
      for (int z = 0; z < NB; z++) {
        int plane = ((block * FULL + z + GUARD) * FULL + GUARD) * FULL + GUARD;
        for (int v = 0; v < interiors.length; v++) {
          copyPlane(cells, plane * VARIABLES + first + v, blocks[v], z * NB * NB);
        }
      }
      for (int v = 0; v < interiors.length; v++) {
        MemorySegment.copy(
            blocks[v],
            0,
            interiors[v],
            ValueLayout.JAVA_DOUBLE,
            (long) at * CELLS * Double.BYTES,
            CELLS);
      }
    }
  }

  private static void copyPlane(double[] cells, int from, double[] interior, int to) {
    for (int y = 0; y < NB; y++) {
      copyRow(cells, from + y * FULL * VARIABLES, interior, to + y * NB);
    }
  }

  /**
   * Extracts one variable of a row of {@link #NB} cells. The loop is unrolled, because the C1
   * compiler, on which a job of more ranks than cores runs, does not unroll it.
   */
  private static void copyRow(double[] cells, int from, double[] interior, int to) {
    interior[to] = cells[from];
    interior[to + 1] = cells[from + VARIABLES];
    interior[to + 2] = cells[from + 2 * VARIABLES];
    interior[to + 3] = cells[from + 3 * VARIABLES];
    interior[to + 4] = cells[from + 4 * VARIABLES];
    interior[to + 5] = cells[from + 5 * VARIABLES];
    interior[to + 6] = cells[from + 6 * VARIABLES];
    interior[to + 7] = cells[from + 7 * VARIABLES];
  }

  private static Datatype string(int width) {
    return Datatypes.fixedString(width, StringPadding.NULLTERM, CharacterSet.ASCII);
  }

  private static byte[] blank(int width, String text) {
    return (text + " ".repeat(width - text.length())).getBytes(StandardCharsets.US_ASCII);
  }

  private static CompoundType parametersType() {
    return CompoundType.builder()
        .member("total blocks", 0, Datatypes.I32LE)
        .member("time", 24, Datatypes.F64LE)
        .member("timestep", 32, Datatypes.F64LE)
        .member("number of steps", 4, Datatypes.I32LE)
        .member("nxb", 8, Datatypes.I32LE)
        .member("nyb", 12, Datatypes.I32LE)
        .member("nzb", 16, Datatypes.I32LE)
        .build();
  }

  private byte[] parameters() {
    ByteBuffer struct = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
    struct.putInt(0, total).putInt(8, NB).putInt(12, NB).putInt(16, NB);
    return struct.array();
  }

  private MemorySegment ints(int perBlock, int value) {
    int[] all = new int[local * perBlock];
    Arrays.fill(all, value);
    return MemorySegment.ofArray(all);
  }

  private MemorySegment doubles(int perBlock, double value) {
    double[] all = new double[local * perBlock];
    Arrays.fill(all, value);
    return MemorySegment.ofArray(all);
  }
}
