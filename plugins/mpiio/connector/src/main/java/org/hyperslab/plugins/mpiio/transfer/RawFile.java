package org.hyperslab.plugins.mpiio.transfer;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.collective.CollectiveIo;
import org.hyperslab.mpiio.collective.CollectiveOutcome;
import org.hyperslab.mpiio.collective.StartedTransfer;
import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.plugins.mpiio.agree.Agreement;
import org.hyperslab.plugins.mpiio.agree.StartedFuture;
import org.hyperslab.plugins.nativevol.NativeConnector;
import org.hyperslab.plugins.nativevol.transfer.CacheBudget;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;

/**
 * One rank's access to the bytes of an open file.
 *
 * <p>Thread rule: {@code …Together} by one thread at a time, the others by any.
 */
public final class RawFile implements AutoCloseable {

  private static final long CACHE_BYTES = 64L << 20;

  /**
   * File systems that reserve blocks without writing to them, and whose writers otherwise find them
   * under the file's lock. Not tmpfs, which takes memory for them, even if nothing is written.
   */
  private static final Set<String> RESERVING = Set.of("ext4", "xfs");

  private final ByteStore store;
  private final Agreement agreement;
  private final CollectiveIo io;
  private final VendorBytes vendor;
  private final String ignored;
  private final TransferLane lane;

  /** Whether collective transfers may continue in another thread than the rank's. */
  private final boolean starts;

  /** Started transfers whose failure may not have been reported yet. */
  private final Queue<StartedFuture> unheard = new ConcurrentLinkedQueue<>();

  private final long windowBytes;
  private final long saturationBytes;

  /** The cost of a request by itself; more than any time if the MPI library makes requests. */
  private final long requestNanos;

  /** Whether encoded chunks are checked before they are written. */
  private final boolean verifies;

  /** Whether blocks are reserved for new datasets. */
  private final boolean reserves;

  private final TransferResources resources;
  private final CacheBudget budget = new CacheBudget(CACHE_BYTES);
  private volatile boolean wrote;
  private volatile String explanation = "";

  /**
   * Creates the access to the bytes of a file; collective.
   *
   * @param store the store, which is closed with this
   * @param agreement keeps the ranks in step
   * @param hints the hints for collective accesses; {@code cb_buffer_size} also bounds the memory
   *     for elements that are being converted; with {@code io=vendor} the MPI library moves the
   *     bytes
   * @param path the path of the store's file
   * @param access how it is opened
   */
  public RawFile(ByteStore store, Agreement agreement, Hints hints, Path path, OpenOptions access) {
    this.store = store;
    this.agreement = agreement;
    boolean theirs = hints.others().getOrDefault("io", "own").equals("vendor");
    this.vendor = theirs ? new VendorBytes(agreement, path, access.writable(), hints) : null;
    FileSystemTraits traits = FileSystemTraits.detect(path);
    this.ignored = traits.ignored(hints);
    this.io = CollectiveIo.open(agreement.comm(), store, hints, traits);
    TransferLane.Progress progress = TransferLane.Progress.of(hints, agreement.comm());
    this.lane = new TransferLane(store.name(), progress, hints, agreement.comm().ticker());
    this.starts = vendor == null && progress != TransferLane.Progress.WAIT;
    this.saturationBytes = traits.with(hints).saturationBytes();
    this.verifies = NativeConnector.verifiesWrites(access);
    this.reserves = access.writable() && RESERVING.contains(traits.type());
    this.requestNanos = theirs ? Long.MAX_VALUE : traits.costs().requestNanos();
    this.windowBytes = hints.buffering().bufferBytes();
    this.resources = TransferResources.shared().withThreads(1);
  }

  /** Returns its name. */
  public String name() {
    return store.name();
  }

  /** Returns the store of the file. */
  public ByteStore store() {
    return store;
  }

  /** Returns what ranks agree by. */
  public Agreement agreement() {
    return agreement;
  }

  /** Returns whether encoded chunks are checked before they are written. */
  public boolean verifies() {
    return verifies;
  }

  /** Returns whether the file system reserves blocks for new datasets without writing to them. */
  public boolean reserves() {
    return reserves;
  }

  /** Returns the number of bytes that one rank writes as fast as several. */
  public long saturationBytes() {
    return saturationBytes;
  }

  /** Returns what a request to the file costs by itself, in nanoseconds. */
  public long requestNanos() {
    return requestNanos;
  }

  /** Returns the size of a window, in bytes. */
  public long windowBytes() {
    return windowBytes;
  }

  /** Returns the workers and memory of transfers. */
  public TransferResources resources() {
    return resources;
  }

  CacheBudget budget() {
    return budget;
  }

  /** {@return whether this rank has written since the last call} */
  public boolean takeWrittenFlag() {
    boolean was = wrote;
    wrote = false;
    return was;
  }

  /** Records that this rank has written since the last flush. */
  public void noteWrote() {
    wrote = true;
  }

  /** Makes this rank's writes durable. */
  public void force() {
    store.force(true);
  }

  /** Writes by this rank, at once. */
  public void write(long offset, MemorySegment source) {
    wrote = true;
    store.write(offset, source);
  }

  /** Returns whether {@link #start} may be called. */
  public boolean starts() {
    return starts;
  }

  /**
   * Starts to move the extents of every rank, after all transfers that were started before;
   * collective. The rank need not wait. An error of one rank is an error of all.
   *
   * @param future completes at the end
   * @param report is called at the end with the most bytes of buffers that this rank used
   */
  public void start(
      boolean write, TransferPieces.Extents extents, StartedFuture future, LongConsumer report) {
    wrote |= write;
    io.prepare();
    StartedTransfer.Helpers helpers =
        io.helpers(TransferLane.workers(agreement.comm().ticker()), lane::changed, null);
    unheard.removeIf(StartedFuture::isSettled);
    unheard.add(future);
    future.follows(
        lane.start(
            new TransferLane.Start<>(
                true,
                write,
                null,
                () -> inLane(begun(write, extents, helpers), report),
                future::check)));
  }

  private StartedTransfer begun(
      boolean write, TransferPieces.Extents extents, StartedTransfer.Helpers helpers) {
    return write
        ? io.startWrite(extents.file(), extents.memory(), helpers)
        : io.startRead(extents.file(), extents.memory(), helpers);
  }

  /** Returns a started transfer for the lane, which reports its end. */
  private TransferLane.Moving<Void> inLane(StartedTransfer started, LongConsumer report) {
    return started.inLane(() -> {
      report.accept(reported(started.outcome()));
      return null;
    });
  }

  /** Waits for all transfers that were started. */
  public void settle() {
    if (!lane.isLost()) {
      lane.run(() -> null);
    }
  }

  /** Returns a failure of an ended transfer that has not been reported; null if there is none. */
  public HyperslabException takeUnreportedFailure() {
    HyperslabException failure = null;
    for (StartedFuture each = unheard.poll(); each != null; each = unheard.poll()) {
      failure = failure == null ? each.unheardFailure() : failure;
    }
    return failure;
  }

  /**
   * Writes the extents of every rank; collective. An error of one rank is an error of all.
   *
   * @return the greatest number of bytes of buffers that this rank used
   */
  long writeTogether(ExtentList file, MemoryExtents memory) {
    wrote = true;
    return lane.run(() -> writeNow(file, memory));
  }

  private long writeNow(ExtentList file, MemoryExtents memory) {
    synchronized (io) {
      if (vendor != null) {
        vendor.write(file, memory);
        explanation = vendor.explain();
        return 0;
      }
      return reported(io.write(file, memory));
    }
  }

  /**
   * Takes part in the other ranks' {@link #writeTogether} though this rank has failed already.
   *
   * @param failure what it failed with
   * @throws HyperslabException always, on all ranks
   */
  public void failTogether(HyperslabException failure) {
    lane.run(() -> {
      synchronized (io) {
        return io.takePartFailed(failure);
      }
    });
  }

  /**
   * Reads the extents of every rank; collective. An error of one rank is an error of all.
   *
   * @return the greatest number of bytes of buffers that this rank used
   */
  long readTogether(ExtentList file, MemoryExtents memory) {
    return lane.run(() -> readNow(file, memory));
  }

  private long readNow(ExtentList file, MemoryExtents memory) {
    synchronized (io) {
      if (vendor != null) {
        vendor.read(file, memory);
        explanation = vendor.explain();
        return 0;
      }
      return reported(io.read(file, memory));
    }
  }

  /** Writes extents by this rank alone. */
  void writeAlone(ExtentList file, MemoryExtents memory) {
    wrote = true;
    synchronized (io) {
      reported(io.writeAlone(file, memory));
    }
  }

  private long reported(CollectiveOutcome outcome) {
    explanation =
        io.explain()
            + "; "
            + outcome.fileRequests()
            + " requests of "
            + outcome.fileBytes()
            + " bytes in all, "
            + outcome.messages()
            + " messages"
            + ignored;
    return outcome.peakBufferBytes();
  }

  /** Returns which components moved the bytes of the last call, and why. */
  public String explain() {
    return explanation;
  }

  @Override
  public void close() {
    lane.close();
    try {
      io.close();
      if (vendor != null) {
        vendor.close();
      }
    } finally {
      store.close();
    }
  }
}
