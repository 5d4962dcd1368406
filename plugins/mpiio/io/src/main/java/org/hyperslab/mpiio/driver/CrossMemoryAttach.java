package org.hyperslab.mpiio.driver;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.NativeFunction;
import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * Copies between this process's memory and that of another process on the machine, by Linux's
 * {@code process_vm_readv} and {@code process_vm_writev}: one copy, directly into the strided rows
 * of a window. The kernel allows this between processes of one user unless it is hardened; {@link
 * #reaches} tests whether it does.
 *
 * <p>Thread rule: copying is safe.
 */
public final class CrossMemoryAttach {

  /** The greatest number of pieces of one call, which is Linux's limit. */
  private static final int PIECES = 1024;

  private static final long PIECE_BYTES = 16;

  /** The greatest number of bytes of one call; Linux moves at most 2 GiB less a page. */
  private static final long CALL_BYTES = 1 << 30;

  /** Of {@code process_vm_readv}: process, pieces here and their number, pieces there, flags. */
  private static final int PARAMETERS = 6;

  private final long callBytes;

  /** Creates an instance that has not tried the calls yet. */
  public CrossMemoryAttach() {
    this(CALL_BYTES);
  }

  /**
   * Creates an instance.
   *
   * @param callBytes the greatest number of bytes of one call
   */
  CrossMemoryAttach(long callBytes) {
    this.callBytes = callBytes;
  }

  /** The calls, linked at their first use. */
  private static final class Calls {
    static final Optional<NativeFunction> READ = find("process_vm_readv");
    static final Optional<NativeFunction> WRITE = find("process_vm_writev");

    private Calls() {}

    private static Optional<NativeFunction> find(String name) {
      try {
        return NativeFunction.ofCLibrary(name, PARAMETERS);
      } catch (UnsupportedFeatureException denied) {
        return Optional.empty(); // the JVM allows no native calls
      }
    }
  }

  /**
   * The memory of a rank in another process.
   *
   * @param process its process id
   * @param address the address of its first packed byte
   */
  public record Neighbour(int process, long address) {}

  /** The lists of a call; null until the first call, because most files need none. */
  private MemorySegment local;

  private MemorySegment remote;
  private long[] pieces;

  /** {@return whether this platform has the calls} */
  public static boolean available() {
    return Calls.READ.isPresent() && Calls.WRITE.isPresent();
  }

  /**
   * {@return whether the long at the neighbour's address can be read and is {@code expected}}
   *
   * @param neighbour the other process
   * @param expected the value that must be there
   */
  public boolean reaches(Neighbour neighbour, long expected) {
    try (Arena probe = Arena.ofConfined()) {
      MemorySegment value = probe.allocate(JAVA_LONG);
      copy(neighbour, 0, value, true);
      return value.get(JAVA_LONG, 0) == expected;
    } catch (MpiException refused) {
      return false;
    }
  }

  /** Copies between the neighbour's bytes from {@code from} on and {@code segment}. */
  synchronized void copy(Neighbour neighbour, long from, MemorySegment segment, boolean reading) {
    copy(neighbour, from, segment, ExtentRuns.of(0, segment.byteSize()), reading);
  }

  /**
   * Copies between consecutive bytes of the neighbour, from {@code from} on, and extents of a
   * buffer.
   */
  synchronized void copy(
      Neighbour neighbour, long from, MemorySegment buffer, ExtentRuns extents, boolean reading) {
    prepare();
    int pieces = 0;
    long bytes = 0;
    long at = from;
    for (int run = 0; run < extents.runs(); run++) {
      long length = extents.runLength(run);
      long offset = extents.runOffset(run);
      for (long k = extents.runCount(run); k > 0; k--) {
        Objects.checkFromIndexSize(offset, length, buffer.byteSize());
        for (long done = 0; done < length; ) {
          long part = Math.min(length - done, callBytes - bytes);
          put(pieces++, buffer.address() + offset + done, part);
          bytes += part;
          done += part;
          if (pieces == PIECES || bytes == callBytes) {
            move(neighbour, at, pieces, bytes, reading);
            at += bytes;
            pieces = 0;
            bytes = 0;
          }
        }
        offset += extents.runStride(run);
      }
    }
    if (pieces > 0) {
      move(neighbour, at, pieces, bytes, reading);
    }
  }

  /**
   * Allocates the lists. The collector frees them, because closing a shared arena stops all
   * threads.
   */
  private void prepare() {
    if (local == null) {
      local = Arena.ofAuto().allocate(PIECES * PIECE_BYTES, Long.BYTES);
      remote = Arena.ofAuto().allocate(PIECE_BYTES, Long.BYTES);
      pieces = new long[2 * PIECES];
    }
  }

  private void put(int piece, long address, long bytes) {
    pieces[2 * piece] = address;
    pieces[2 * piece + 1] = bytes;
  }

  private void move(Neighbour neighbour, long from, int pieces, long bytes, boolean reading) {
    remote.set(JAVA_LONG, 0, neighbour.address + from);
    remote.set(JAVA_LONG, Long.BYTES, bytes);
    MemorySegment.copy(this.pieces, 0, local, JAVA_LONG, 0, 2 * pieces);
    NativeFunction call = (reading ? Calls.READ : Calls.WRITE).orElseThrow();
    long moved =
        call.call(value(neighbour.process), local, value(pieces), remote, value(1), value(0));
    if (moved != bytes) {
      throw refused(neighbour, moved, bytes);
    }
  }

  private static MpiException refused(Neighbour neighbour, long moved, long bytes) {
    return new MpiException(
        "process_vm transfer",
        MpiException.NO_RANK,
        MpiException.NO_CODE,
        "actual="
            + moved
            + " bytes moved, expected="
            + bytes
            + " bytes, at=process "
            + neighbour.process
            + "; use the hint hyperslab_shared_memory=disable to avoid these transfers");
  }
}
