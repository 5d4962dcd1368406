package org.hyperslab.mpiio.plan;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.hint.Toggle;
import org.hyperslab.mpiio.store.StorageCosts;
import org.hyperslab.mpiio.transfer.ByteTransfer;
import org.hyperslab.mpiio.transfer.DataSieving;
import org.hyperslab.mpiio.transfer.ExtentTransfer;
import org.hyperslab.mpiio.transfer.ListTransfer;
import org.hyperslab.mpiio.transfer.VectoredTransfer;

/**
 * Chooses the byte transfer of an independent access, and explains the choice.
 *
 * <p>A hint decides if it names a component or switches sieving on or off. Otherwise reads skip
 * holes, or are sieved, if that is cheaper by the storage's costs: holes are skipped if the file is
 * in this machine's memory, where requests are cheap and copies expensive. Writes are sieved only
 * on request: a read-modify-write can undo a neighbour's write into a hole unless all writers lock,
 * and pieces can be written without it.
 */
public final class TransferRule {

  /**
   * The choice of a component.
   *
   * @param transfer the component
   * @param reason why
   */
  public record Chosen(ByteTransfer transfer, String reason) {
    @Override
    public String toString() {
      return transfer.name() + ": " + reason;
    }
  }

  /** The cost below which requests are answered from memory. */
  private static final long QUICK_NANOS = 50_000;

  private final Hints hints;
  private final StorageCosts costs;

  /**
   * Creates a rule for storage with the given costs.
   *
   * @param hints the hints for accesses to the file
   * @param costs the costs of requests and bytes
   */
  public TransferRule(Hints hints, StorageCosts costs) {
    this.hints = hints;
    this.costs = costs;
  }

  /**
   * {@return the component for writing {@code file}}
   *
   * @param file the extents of the rank's access
   */
  public Chosen forWrite(ExtentRuns file) {
    String hinted = hints.choice().transfer();
    boolean someSieve = SievingRule.locksWrites(hints);
    if (!hinted.equals("auto")) {
      return new Chosen(named(hinted, someSieve), "asked for by hyperslab_transfer");
    }
    if (someSieve && file.count() > 1) {
      return new Chosen(sieving(), "asked for by romio_ds_write");
    }
    if (file.count() > 1 && costs.lists() && hints.sieving().write() != Toggle.ENABLE) {
      return new Chosen(new ListTransfer(), "the store takes lists of extents");
    }
    return new Chosen(
        new ExtentTransfer(someSieve),
        file.count() <= 1 ? "one extent" : "writes are not sieved unless asked to be");
  }

  /**
   * {@return the component for reading {@code file}}
   *
   * @param file the extents of the rank's access
   */
  public Chosen forRead(ExtentRuns file) {
    String hinted = hints.choice().transfer();
    if (!hinted.equals("auto")) {
      return new Chosen(named(hinted, false), "asked for by hyperslab_transfer");
    }
    if (file.count() <= 1) {
      return new Chosen(new ExtentTransfer(false), "one extent");
    }
    return switch (hints.sieving().read()) {
      case ENABLE -> new Chosen(sieving(), "asked for by romio_ds_read");
      case DISABLE -> new Chosen(unsieved(), "sieving is forbidden by romio_ds_read");
      case AUTOMATIC -> cheaperRead(file);
    };
  }

  /**
   * {@return the cost for one rank to read {@code file} by itself as {@link #forRead} chooses, in
   * nanoseconds}
   *
   * @param file the extents of the rank's access
   */
  public double readNanos(ExtentRuns file) {
    boolean free =
        hints.choice().transfer().equals("auto") && hints.sieving().read() == Toggle.AUTOMATIC;
    double apart = costs.nanos(file.count(), file.totalBytes());
    return free && isQuick() ? Math.min(apart, skippedNanos(file)) : apart;
  }

  /** Returns whether this machine's memory serves requests. */
  private boolean isQuick() {
    return costs.requestNanos() < QUICK_NANOS;
  }

  /**
   * Returns the greatest length of a hole that is read, because this costs less than another
   * request.
   */
  private long gapBytes() {
    return Math.max(1, costs.requestNanos() * 1024 / Math.max(1, costs.nanosPerKibibyte()));
  }

  /**
   * Returns the cost of a read over holes. A hole's bytes cost half of others, since they do not
   * leave the core's cache.
   */
  private double skippedNanos(ExtentRuns file) {
    ExtentRuns carrier = file.closingGaps(gapBytes());
    double holes = (double) carrier.totalBytes() - file.totalBytes();
    return costs.nanos(carrier.count(), file.totalBytes() + holes / 2);
  }

  private Chosen cheaperRead(ExtentRuns file) {
    double apartNanos = costs.nanos(file.count(), file.totalBytes());
    if (isQuick() && skippedNanos(file) < apartNanos) {
      return new Chosen(
          new VectoredTransfer(gapBytes()),
          String.format(
              "holes up to %d bytes are read over: %.0f us, apart %.0f us",
              gapBytes(), skippedNanos(file) / 1e3, apartNanos / 1e3));
    }
    return cheaperDistantRead(file);
  }

  private Chosen cheaperDistantRead(ExtentRuns file) {
    double span = (double) file.endExclusive() - file.first();
    double requests = file.count();
    double bytes = file.totalBytes();
    double windows = Math.min(requests, Math.ceil(span / hints.sieving().readBufferBytes()));
    double windowBytes = Math.min(span, requests * (double) hints.sieving().readBufferBytes());
    double sieved = costs.nanos(windows, windowBytes) + bytes / 8;
    double apart =
        costs.nanos(costs.lists() ? requests / ListTransfer.MAX_PIECES : requests, bytes);
    String comparison =
        String.format(
            "%.0f extents of %.0f bytes in %.0f: sieved %.0f us, apart %.0f us",
            requests, bytes, span, sieved / 1e3, apart / 1e3);
    return new Chosen(sieved < apart ? sieving() : unsieved(), comparison);
  }

  private ByteTransfer unsieved() {
    return costs.lists() ? new ListTransfer() : new ExtentTransfer(false);
  }

  private DataSieving sieving() {
    return new DataSieving(hints.sieving().readBufferBytes(), hints.sieving().writeBufferBytes());
  }

  private ByteTransfer named(String name, boolean locked) {
    return switch (name) {
      case ExtentTransfer.NAME -> new ExtentTransfer(locked);
      case DataSieving.NAME -> sieving();
      case ListTransfer.NAME -> new ListTransfer();
      case VectoredTransfer.NAME -> new VectoredTransfer(gapBytes());
      default ->
          throw new InvalidUseException(
              "hint: actual=hyperslab_transfer="
                  + name
                  + ", expected=auto, positional, sieving, skipping or list");
    };
  }
}
