package org.hyperslab.mpiio.engine;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Consensus;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.SharedObjects;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.AccessRules;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.pointer.IndividualLog;
import org.hyperslab.mpiio.pointer.LockedFilePointer;
import org.hyperslab.mpiio.pointer.MappedPointer;
import org.hyperslab.mpiio.pointer.MemoryPointer;
import org.hyperslab.mpiio.pointer.PointerClient;
import org.hyperslab.mpiio.pointer.SharedFilePointer;
import org.hyperslab.mpiio.pointer.UnavailablePointer;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * Opens a file on all ranks: first on rank 0, which creates it on request, then on the others.
 * Ranks that pass different files or modes get an error with the difference.
 *
 * @param comm a communicator for this file alone, which is closed if the file does not open
 * @param modes the modes of opening
 * @param hints the hints for accesses
 */
public record CollectiveOpen(Communicator comm, Set<AccessMode> modes, Hints hints) {

  /** The hint that selects the component of the shared pointer. */
  static final String SHARED_POINTER = "sharedfp";

  /**
   * Opens the file of a path.
   *
   * @param path the path of the file
   * @return the engine of the open file
   */
  public OwnEngine file(Path path) {
    ByteStore[] store = new ByteStore[1];
    return opened(
        store,
        () -> {
          Consensus ranks = new Consensus(comm);
          Set<AccessMode> checked = ranks.run(() -> AccessMode.checked(modes));
          ranks.requireSame("open", checked + " " + path);
          ranks.runOnRoot(() -> store[0] = FileStore.open(path, first(checked, path)));
          ranks.run(() -> {
            if (comm.rank() != 0) {
              store[0] = FileStore.open(path, others(checked));
            }
            return null;
          });
          FileSystemTraits.expectAccess(store[0], hints);
          return engine(checked, store[0], path);
        });
  }

  /**
   * Opens a file that each rank has opened as a store; the engine closes the store.
   *
   * @param store the file
   * @return the engine of the open file
   */
  public OwnEngine store(ByteStore store) {
    return opened(
        new ByteStore[1],
        () -> {
          Consensus ranks = new Consensus(comm);
          Set<AccessMode> checked = ranks.run(() -> AccessMode.checked(modes));
          ranks.requireSame("open", checked + " " + store.name());
          return engine(checked, store, null);
        });
  }

  /**
   * Runs an opening; closes everything if the file does not open.
   *
   * @param store the store, if it has been opened
   */
  private OwnEngine opened(ByteStore[] store, Supplier<OwnEngine> opening) {
    try {
      return opening.get();
    } catch (HyperslabException e) {
      if (store[0] != null) {
        store[0].close();
      }
      comm.close();
      throw e;
    }
  }

  /**
   * Returns the access for rank 0, which creates the file according to the hints if these require
   * it.
   */
  private FileAccess first(Set<AccessMode> modes, Path path) {
    if (modes.contains(AccessMode.CREATE)) {
      if (FileSystemTraits.create(path, hints)) {
        return FileAccess.UPDATE;
      }
      return modes.contains(AccessMode.EXCLUSIVE) ? FileAccess.CREATE_NEW : FileAccess.CREATE;
    }
    return others(modes);
  }

  private static FileAccess others(Set<AccessMode> modes) {
    return modes.contains(AccessMode.READ_ONLY) ? FileAccess.READ : FileAccess.UPDATE;
  }

  private OwnEngine engine(Set<AccessMode> checked, ByteStore store, Path path) {
    Consensus ranks = new Consensus(comm);
    ranks.requireSame("hints", hints.toMap().toString());
    long start = checked.contains(AccessMode.APPEND) ? end(store) : 0;
    AtomicLong place =
        SharedObjects.share(comm, AtomicLong.class, () -> new AtomicLong(start)).orElse(null);
    long[] id = {ThreadLocalRandom.current().nextLong(1L << 48)};
    comm.broadcast(MemorySegment.ofArray(id), 0);
    FileContext context =
        new FileContext(
            store.name(),
            path,
            Long.toHexString(id[0]),
            place != null,
            TransferLane.Progress.of(hints, comm),
            path == null ? FileSystemTraits.local() : FileSystemTraits.detect(path));
    SharedFilePointer shared = sharedPointer(context, place, start);
    AccessRules rules = new AccessRules(checked, store.name());
    return new OwnEngine(new OwnEngine.Parts(comm, store, context, rules, shared), hints, start);
  }

  /** Returns rank 0's value on all ranks, even if the file grows at the same time. */
  private long end(ByteStore store) {
    long[] size = {comm.rank() == 0 ? store.size() : 0};
    comm.broadcast(MemorySegment.ofArray(size), 0);
    return size[0];
  }

  /** Returns the component that the hint names, or the best available one; collective. */
  private SharedFilePointer sharedPointer(FileContext where, AtomicLong place, long start) {
    Consensus ranks = new Consensus(comm);
    // A file without a shared pointer returns the hint "none".
    String wanted = hints.others().getOrDefault(SHARED_POINTER, "auto");
    boolean any = wanted.equals("auto") || wanted.equals(UnavailablePointer.NAME);
    if (wanted.equals(PointerClient.NAME)) {
      return PointerClient.agreed(comm, isOneNode(), start);
    }
    if (place == null && where.path() == null) {
      return new UnavailablePointer(where.name());
    }
    if (place == null && (any || wanted.equals(MappedPointer.NAME))) {
      boolean oneNode = isOneNode();
      if (!oneNode && !any) {
        throw new InvalidUseException(
            "hint: actual=sharedfp=sm with ranks on several nodes, expected=lockedfile, addproc or"
                + " individual");
      }
      return oneNode
          ? new MappedPointer(where.hidden("shfp"), start, comm.rank() == 0)
          : locked(where, start);
    }
    return ranks.run(() ->
        switch (any ? MemoryPointer.NAME : wanted) {
          case MemoryPointer.NAME -> new MemoryPointer(place);
          case LockedFilePointer.NAME -> locked(where, start);
          case IndividualLog.NAME -> new IndividualLog(where.hidden("log-" + comm.rank()), start);
          default ->
              throw new InvalidUseException(
                  "hint: actual=sharedfp="
                      + wanted
                      + ", expected=auto, sm, lockedfile, addproc or individual");
        });
  }

  private boolean isOneNode() {
    long[] bounds = {comm.node(), ~comm.node()};
    comm.limit(hints.deadlineNanos());
    comm.allReduce(bounds, Reduction.MIN);
    return bounds[0] == ~bounds[1]; // the least is the greatest
  }

  private LockedFilePointer locked(FileContext where, long start) {
    return new LockedFilePointer(where.hidden("shfp"), start, comm);
  }
}
