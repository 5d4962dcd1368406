package org.hyperslab.plugins.nativevol.dataset;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.ChunkIndexing;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.LibraryVersion;
import org.hyperslab.format.index.chunk.ChunkIndex;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.nativevol.chunk.ChunkAllocation;
import org.hyperslab.plugins.nativevol.storage.DatasetContext;

/** Chooses chunk shapes and indexes for new datasets. */
final class ChunkedCreation {

  private static final long LARGEST_CHUNK_BYTES = 0xFFFF_FFFFL;

  private final DatasetContext context;

  ChunkedCreation(DatasetContext context) {
    this.context = context;
  }

  /** Returns the layout message of a new dataset, without the address of an index. */
  DataLayoutMessage message(
      Layout.Chunked layout,
      Dataspace space,
      Datatype fileType,
      boolean filtered,
      DatasetOptions options) {
    int elementSize = fileType.size();
    long[] chunk = layout.dimsArray();
    check(chunk, space, elementSize);
    LibraryVersion low = context.settings().low();
    if (!layout.filterPartialEdgeChunks()) {
      context
          .settings()
          .bounds()
          .require("chunks at the edge that are not filtered", LibraryVersion.V110);
    }
    boolean modern = low.atLeast(LibraryVersion.V110) || !layout.filterPartialEdgeChunks();
    int version = modern ? Math.max(4, low.dataLayout()) : 3;
    ChunkGrid grid =
        new ChunkGrid(space.dims(), space.maxDims(), chunk, elementSize, filtered, version);
    // An implicit index cannot record the new places of chunks that move.
    boolean early = DatasetCreation.allocatesEarly(options) && !fileType.hasOutOfLineParts();
    boolean tooMuch = options.fill() instanceof FillValue.Value && !ChunkAllocation.mayFill(grid);
    ChunkIndexKind kind = ChunkIndexKind.choose(grid, early && !tooMuch, modern);
    ChunkIndexSpec spec =
        kind == ChunkIndexKind.BTREE_V1
            ? new ChunkIndexSpec.BTreeV1(context.settings().chunkInternalK())
            : ChunkIndexSpec.standard(kind);
    DataLayoutMessage blank =
        new DataLayoutMessage(
            version,
            DataLayoutMessage.Chunked.of(
                    version,
                    new ChunkIndexing.BTreeV1(),
                    FileGeometry.UNDEFINED,
                    chunk,
                    elementSize)
                .withPartialUnfiltered(!layout.filterPartialEdgeChunks()));
    return ChunkIndex.open(context.space(), grid, spec, FileGeometry.UNDEFINED).updated(blank);
  }

  private static void check(long[] chunk, Dataspace space, int elementSize) {
    if (space.kind() != Dataspace.Kind.SIMPLE) {
      throw new InvalidUseException(
          "chunked layout: actual=" + space + ", expected=an extent of rank 1 or more");
    }
    List<String> problems = new ArrayList<>();
    if (chunk.length != space.rank()) {
      problems.add("rank actual=" + chunk.length + ", expected=" + space.rank());
    }
    for (int d = 0; d < Math.min(chunk.length, space.rank()); d++) {
      // As in the HDF5 library, chunks may be larger than a dimension that is empty now.
      long maximum = space.dims()[d] == 0 ? Dataspace.UNLIMITED : space.maxDims()[d];
      if (chunk[d] < 1 || (maximum != Dataspace.UNLIMITED && chunk[d] > maximum)) {
        problems.add(
            "dimension "
                + d
                + " actual="
                + chunk[d]
                + ", expected=1.."
                + (maximum == Dataspace.UNLIMITED ? "2^32-1" : maximum));
      }
    }
    if (problems.isEmpty() && Dataspace.bytes(elementSize, chunk) > LARGEST_CHUNK_BYTES) {
      problems.add(
          "bytes actual=" + Dataspace.bytes(elementSize, chunk) + ", expected=at most 4294967295");
    }
    if (!problems.isEmpty()) {
      throw new InvalidUseException("chunk shape: " + String.join("; ", problems));
    }
  }
}
