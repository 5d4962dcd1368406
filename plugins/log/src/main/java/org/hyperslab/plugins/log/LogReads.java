package org.hyperslab.plugins.log;

import static org.hyperslab.plugins.log.LogMigration.done;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.compacting.plan.PendingOverlap;
import org.hyperslab.plugins.compacting.plan.Plan;
import org.hyperslab.plugins.compacting.plan.ReadRequest;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.plugins.compacting.plan.WriteRequest;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.hyperslab.plugins.compacting.storage.PackedBuffer;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Reads elements of which some are in the log: those of the part first, then, over them, those of
 * the log in the order in which they were written.
 *
 * <p>Thread rule: any thread, while no elements are written to the part.
 */
final class LogReads {

  /** The most that is read from the log for one read; more is migrated instead. */
  private static final long MOST_BYTES = 64L << 20;

  private static final int MOST_WRITES = 4096;
  private static final RequestOrigin ORIGIN = new RequestOrigin(0, 0);

  private final Connector below;
  private final LogWriter log;

  LogReads(Connector below, LogWriter log) {
    this.below = below;
    this.log = log;
  }

  /**
   * Reads elements.
   *
   * @param dataset the dataset
   * @param read the read, which needs no conversion
   * @param region the elements
   * @return false if it would read too much from the log, or the selections are too complex
   */
  boolean read(LoggedDataset dataset, DatasetOperation.Read read, Region region) {
    List<LoggedWrite> over = dataset.overlapping(region);
    if (over.isEmpty()) {
      done(below, read);
      return true;
    }
    long bytes = over.stream().mapToLong(each -> each.place().payloadBytes()).sum();
    long wanted = region.elements() * dataset.kind().bytes();
    if (over.size() > MOST_WRITES || bytes > MOST_BYTES || wanted > MOST_BYTES) {
      return false;
    }
    PackedBuffer packed = PackedBuffer.ofTarget(read.transfer(), read.target(), region.elements());
    ReadRequest request =
        new ReadRequest(dataset.key(), ORIGIN, region, dataset.kind(), packed.bytes());
    PendingOverlap.Builder<LoggedWrite> builder = new PendingOverlap.Builder<>(request);
    for (LoggedWrite write : over) {
      if (!builder.add(write, request(dataset, write), false)) {
        return false;
      }
    }
    Optional<PendingOverlap<LoggedWrite>> overlap = builder.build();
    if (overlap.isEmpty()) {
      return false;
    }
    if (!overlap.get().isWhole()) {
      readPart(read, region, packed.bytes());
    }
    overlap.get().copies().forEach(Plan.Copy::run);
    packed.unpack(read.transfer(), read.target());
    return true;
  }

  private WriteRequest request(LoggedDataset dataset, LoggedWrite write) {
    MemorySegment elements =
        MemorySegment.ofArray(new byte[Math.toIntExact(write.place().payloadBytes())]);
    log.read(write.place(), elements);
    return new WriteRequest(dataset.key(), ORIGIN, write.region(), dataset.kind(), elements);
  }

  private void readPart(DatasetOperation.Read read, Region region, MemorySegment into) {
    Transfer transfer = packed(read.transfer().memoryType(), region);
    done(below, new DatasetOperation.Read(read.dataset(), transfer, DataBuffer.of(into)));
  }

  /** {@return the transfer of a region from or to contiguous memory} */
  static Transfer packed(Datatype type, Region region) {
    Dataspace memory =
        region.rank() == 0 ? Dataspace.scalar() : Dataspace.simple(region.elements());
    return new Transfer(type, memory, Selection.all(), region.selection(), TransferOptions.DEFAULT);
  }
}
