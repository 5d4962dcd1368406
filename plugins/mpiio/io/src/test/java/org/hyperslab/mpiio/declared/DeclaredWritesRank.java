package org.hyperslab.mpiio.declared;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.hint.Hints.DeclaredTransport;

/**
 * A rank that {@link DeclaredWritesIT} starts under mpirun: writes nine pieces into its own block,
 * by one and by two aggregators, in one round and in many, by messages and by puts.
 */
final class DeclaredWritesRank {

  private static final int WRITES = 9;
  private static final int LENGTH = 30_000;

  private static final Map<DeclaredTransport, String> WAYS =
      Map.of(
          DeclaredTransport.MESSAGES, "by messages",
          DeclaredTransport.MEMORY, "into memory that processes of a node share",
          DeclaredTransport.WINDOW, "into a window of " + Mpi.start().libraryTitle());

  private DeclaredWritesRank() {}

  /** Arguments: a file. */
  public static void main(String[] arguments) throws Exception {
    Communicator world = Worlds.current();
    Path path = Path.of(arguments[0]);
    int version = 0;
    for (String transport : new String[] {"messages", "memory", "window"}) {
      for (String sizes :
          new String[] {"cb_buffer_size=16777216 cb_nodes=1", "cb_buffer_size=50000 cb_nodes=2"}) {
        version = check(world, path, sizes + " hyperslab_declared=" + transport, version);
      }
    }
    System.out.println("done");
  }

  private static int check(Communicator world, Path path, String hints, int before)
      throws IOException {
    int version = before + 1;
    write(world, path, Hints.parse(hints), version);
    world.barrier();
    byte[] file = Files.readAllBytes(path);
    assertThat(file).hasSize(world.size() * WRITES * LENGTH);
    for (int i = 0; i < file.length; i++) {
      if (file[i] != (byte) (i / LENGTH + version)) {
        throw new AssertionError(hints + ": byte " + i);
      }
    }
    world.barrier();
    return version;
  }

  private static void write(Communicator world, Path path, Hints hints, int version)
      throws IOException {
    long[] offsets = new long[WRITES];
    long[] lengths = new long[WRITES];
    for (int i = 0; i < WRITES; i++) {
      offsets[i] = (long) (world.rank() * WRITES + i) * LENGTH;
      lengths[i] = LENGTH;
    }
    Set<AccessMode> modes = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);
    try (MpiFile file = MpiFile.open(world, path, modes, hints);
        DeclaredWrites writes = file.declareWrites(offsets, lengths)) {
      assertThat(writes.explain()).endsWith(WAYS.get(hints.declaredTransport()));
      world.barrier();
      checkSharedFilesHaveNoName(hints.declaredTransport() == DeclaredTransport.MEMORY);
      byte[] data = new byte[LENGTH];
      for (int i = 0; i < WRITES; i++) {
        Arrays.fill(data, (byte) (world.rank() * WRITES + i + version));
        writes.write(MemorySegment.ofArray(data));
      }
    }
  }

  /** Tests that a job that is killed from now on leaves no files in memory. */
  private static void checkSharedFilesHaveNoName(boolean any) throws IOException {
    List<String> mapped;
    try (Stream<String> all = Files.lines(Path.of("/proc/self/maps"))) {
      mapped = all.filter(line -> line.contains("/hyperslab-window-")).toList();
    }
    assertThat(mapped).allMatch(line -> line.endsWith(" (deleted)"));
    if (any) {
      assertThat(mapped).isNotEmpty();
    }
  }
}
