package org.hyperslab.mpiio.collective;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * A rank that {@link RefusedMemoryIT} starts under mpirun. It writes and reads interleaved bytes
 * through aggregators: first as the machine allows, then on the last rank with a filter of system
 * calls (seccomp) that refuses {@code process_vm_readv} and {@code process_vm_writev}, as hardened
 * machines do.
 */
final class RefusedMemoryRank {

  private static final int BLOCK = 64;
  private static final int BLOCKS = 40;

  private RefusedMemoryRank() {}

  /** Arguments: a folder. */
  public static void main(String[] arguments) throws Throwable {
    Communicator world = Worlds.current();
    Path path = Path.of(arguments[0]).resolve("bytes");
    // Messages of the libraries themselves must stay short: longer ones they pass by these calls.
    long allowed = roundTrip(world, path);
    if (world.rank() == world.size() - 1) {
      refuse();
    }
    long refused = roundTrip(world, path);
    assertThat(refused).isGreaterThan(allowed);
    System.out.println("done " + world.describe());
  }

  private static byte value(int rank, int i) {
    return (byte) (1 + 31 * rank + 7 * i);
  }

  /** Returns the number of messages of the write in the whole job. */
  private static long roundTrip(Communicator world, Path path) throws Exception {
    if (world.rank() == 0) {
      Files.deleteIfExists(path);
      Files.createFile(path);
    }
    world.barrier();
    Hints hints = Hints.parse("hyperslab_collective=two-phase romio_cb_write=enable");
    ExtentRuns mine =
        ExtentRuns.builder()
            .addRun((long) BLOCK * world.rank(), BLOCK, (long) BLOCK * world.size(), BLOCKS)
            .build();
    // Results of probing are cached with the communicator.
    try (Communicator comm = world.duplicate();
        Arena arena = Arena.ofShared();
        FileStore store = FileStore.open(path, FileAccess.UPDATE);
        CollectiveIo io = CollectiveIo.open(comm, store, hints, FileSystemTraits.detect(path))) {
      MemorySegment data = arena.allocate((long) BLOCK * BLOCKS, 8);
      for (int i = 0; i < BLOCK * BLOCKS; i++) {
        data.set(JAVA_BYTE, i, value(world.rank(), i));
      }
      CollectiveOutcome outcome = io.write(mine, MemoryExtents.contiguous(data));
      byte[] all = Files.readAllBytes(path);
      for (int at = 0; at < all.length; at++) {
        int rank = at / BLOCK % world.size();
        int i = at / BLOCK / world.size() * BLOCK + at % BLOCK;
        assertThat(all[at]).as("byte %s", at).isEqualTo(value(rank, i));
      }
      MemorySegment back = arena.allocate(data.byteSize(), 8);
      io.read(mine, MemoryExtents.contiguous(back));
      assertThat(back.mismatch(data)).isEqualTo(-1);
      world.barrier();
      return outcome.messages();
    }
  }

  /** From now on the calls fail in this thread with EPERM: man 2 seccomp, numbers of x86-64. */
  private static void refuse() throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle prctl =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("prctl"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    try (Arena arena = Arena.ofConfined()) {
      long[] filter = {
        instruction(0x20, 0, 0, 0), // load the call's number
        instruction(0x15, 1, 0, 310), // process_vm_readv
        instruction(0x15, 0, 1, 311), // process_vm_writev
        instruction(0x06, 0, 0, 0x00050001), // fail with EPERM
        instruction(0x06, 0, 0, 0x7fff0000) // allow
      };
      MemorySegment program = arena.allocate(16, 8);
      program.set(JAVA_SHORT, 0, (short) filter.length);
      program.set(ADDRESS, 8, arena.allocateFrom(JAVA_LONG, filter));
      int noNewPrivileges = (int) prctl.invokeExact(38, 1L, MemorySegment.NULL, 0L, 0L);
      int filtered = (int) prctl.invokeExact(22, 2L, program, 0L, 0L);
      assertThat(noNewPrivileges + filtered).isZero();
    }
  }

  /** An instruction of the filter: code, jumps if true and if false, operand. */
  private static long instruction(int code, int ifTrue, int ifFalse, int operand) {
    return code | (long) ifTrue << 16 | (long) ifFalse << 24 | (long) operand << 32;
  }
}
