package org.hyperslab.plugins.mpiio;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongFunction;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.plugins.mpiio.agree.Agreement;
import org.hyperslab.plugins.mpiio.dataset.RankFile;
import org.hyperslab.plugins.mpiio.transfer.RawFile;
import org.hyperslab.plugins.nativevol.NativeConnector;

/**
 * Opens access to the bytes of files on every rank, and makes the ranks' writes durable. One rank
 * of each node does that, because the ranks of a node share the operating system's cache; on rank
 * 0's node the engine's flush does it.
 *
 * <p>Thread rule: confined to the thread that makes collective calls.
 */
final class RawFiles {

  private final Agreement agreement;
  private final MpiioOptions options;
  private final boolean forces;
  private final boolean oneNode;

  /** Collective if there are several ranks. */
  RawFiles(Agreement agreement, MpiioOptions options) {
    this.agreement = agreement;
    this.options = options;
    Communicator comm = agreement.comm();
    long[] nodes = new long[comm.size()];
    long[] mine = {comm.node()};
    comm.limit(options.hints().deadlineNanos());
    comm.allGather(MemorySegment.ofArray(mine), MemorySegment.ofArray(nodes));
    int leader = Arrays.stream(nodes).boxed().toList().indexOf(mine[0]);
    this.forces = leader == comm.rank() && leader != 0;
    this.oneNode = Arrays.stream(nodes).allMatch(node -> node == mine[0]);
  }

  /** Returns whether all ranks are on one machine. */
  boolean isOneMachine() {
    return oneNode;
  }

  /**
   * Opens access to a file's bytes; null if they are reached only through rank 0. Collective.
   *
   * @param name the name given by the user; rank 0 has the file open
   */
  RawFile open(String name, OpenOptions access) {
    ByteStore store = null;
    HyperslabException failure = null;
    try {
      store = NativeConnector.openStore(name, access);
    } catch (RuntimeException | Error e) {
      failure = SharedFailure.typed(e, "open");
    }
    boolean direct = store instanceof FileStore || (store != null && store.prefetches());
    try {
      boolean allDirect = agreement.requireSuccess(failure, direct ? 1 : 0)[0] == 1;
      if (allDirect) {
        FileSystemTraits.expectAccess(store, options.hints());
        return new RawFile(
            options.stores().apply(store), agreement, options.hints(), path(store), access);
      }
      store.close();
      return null;
    } catch (RuntimeException e) {
      if (store != null) {
        store.close();
      }
      throw e;
    }
  }

  private static Path path(ByteStore store) {
    return store instanceof FileStore file ? file.path() : Path.of(".");
  }

  /**
   * Asks a question about a file that is about to be flushed, with the information whether this
   * rank has written since the last flush. If the ranks do not agree on the call, the information
   * is kept.
   *
   * @param question a collective question, which gets 0 if this rank has written, otherwise 1, so
   *     that the minimum over all ranks is 0 if any has
   */
  <T> T reportingWrites(RankFile file, LongFunction<T> question) {
    RawFile raw = file.isWritable() ? file.raw() : null;
    boolean mine = raw != null && raw.takeWrittenFlag();
    try {
      return question.apply(mine ? 0 : 1);
    } catch (RuntimeException disagreement) {
      if (mine) {
        raw.noteWrote();
      }
      throw disagreement;
    }
  }

  /** Returns whether {@link #force} has something to do on any rank; the same on all. */
  boolean forcesElsewhere(RankFile file) {
    return file.isDurable() && !oneNode;
  }

  /** Makes the ranks' writes durable, as far as the engine's flush does not; collective. */
  void force(RankFile file) {
    HyperslabException failure = null;
    try {
      if (forces) {
        file.raw().force();
      }
    } catch (RuntimeException | Error e) {
      failure = SharedFailure.typed(e, "flush");
    }
    agreement.requireSuccess(failure);
  }
}
