package org.hyperslab.plugins.mpiio.transfer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.mpiio.report.NoCollectiveCause;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.plugins.nativevol.transfer.ChunkShape;
import org.hyperslab.plugins.nativevol.transfer.FillPattern;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;

/**
 * A rank's description of a dataset: type, extent, layout, and places of the bytes. Rank 0 gets it
 * from its engine, all ranks decode the same bytes, and every collective call that changes the
 * storage changes all views in the same way.
 *
 * <p>Thread rule: immutable except for the table of chunks.
 */
public final class DatasetView {

  private static final DatasetOperation.Describe ANY = new DatasetOperation.Describe(new Handle(0));

  private final DatasetInfo info;
  private final long contiguousOffset;
  private final byte[] compact;
  private final ChunkShape shape;
  private final ChunkTable chunks;
  private final FillPattern fill;

  private DatasetView(DatasetInfo info, long contiguousOffset, byte[] compact, DataInputStream in)
      throws IOException {
    this.info = info;
    this.contiguousOffset = contiguousOffset;
    this.compact = compact;
    this.fill = fillOf(info);
    if (info.options().layout() instanceof Layout.Chunked chunked) {
      this.shape = shapeOf(info, chunked, fill);
      this.chunks = ChunkTable.decode(grid(info, chunked), in);
    } else {
      this.shape = null;
      this.chunks = null;
    }
  }

  /** Returns the description of a dataset in rank 0's engine, as bytes. */
  static byte[] snapshot(DatasetInfo info, RawStorage storage) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      EncodedMessage encoded = OperationCodec.encodeResult(ANY, info);
      write(out, encoded.control());
      write(out, joined(encoded.payload()));
      out.writeLong(storage.contiguousOffset());
      write(out, storage.compactBytes());
      if (info.options().layout() instanceof Layout.Chunked chunked) {
        List<ChunkPlace> places = storage.chunks();
        ChunkTable.of(grid(info, chunked), places).encode(out);
      }
      out.flush();
      return bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Returns the view that a snapshot describes. */
  public static DatasetView of(byte[] snapshot) {
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(snapshot));
      byte[] control = read(in);
      MemorySegment payload = MemorySegment.ofArray(read(in));
      DatasetInfo info =
          OperationCodec.decodeResult(ANY, new EncodedMessage(control, List.of(payload)));
      return new DatasetView(info, in.readLong(), read(in), in);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] read(DataInputStream in) throws IOException {
    return in.readNBytes(in.readInt());
  }

  private static byte[] joined(List<MemorySegment> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(part -> all.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)));
    return all.toByteArray();
  }

  private static long[] grid(DatasetInfo info, Layout.Chunked layout) {
    long[] grid = info.space().dims();
    for (int d = 0; d < grid.length; d++) {
      grid[d] = Math.ceilDiv(grid[d], layout.dims().get(d));
    }
    return grid;
  }

  private static FillPattern fillOf(DatasetInfo info) {
    boolean given =
        info.options().fill() instanceof FillValue.Value value
            && value.value().elements().byteSize() == info.type().size()
            && !info.type().hasOutOfLineParts();
    return given
        ? FillPattern.of(
            ((FillValue.Value) info.options().fill())
                .value()
                .elements()
                .toArray(ValueLayout.JAVA_BYTE))
        : FillPattern.zeros();
  }

  private static ChunkShape shapeOf(DatasetInfo info, Layout.Chunked layout, FillPattern fill) {
    List<FilterStage> stages = new ArrayList<>();
    for (FilterSpec filter : info.options().filters()) {
      stages.add(
          new FilterStage(filter.id(), filter.optional(), filter.name(), filter.parameters()));
    }
    return new ChunkShape(
        layout.dimsArray(),
        info.type().size(),
        FilterPipeline.of(stages),
        layout.filterPartialEdgeChunks(),
        fill);
  }

  /**
   * Returns the current properties of the dataset; the size of the index is that of the last
   * snapshot.
   */
  public DatasetInfo info() {
    if (chunks == null) {
      return info;
    }
    DatasetInfo.StorageInfo then = info.storage();
    return new DatasetInfo(
        info.type(),
        info.committedType(),
        info.space(),
        info.options(),
        new DatasetInfo.StorageInfo(
            chunks.storedBytes(),
            then.offset(),
            then.chunkIndex(),
            chunks.count(),
            then.indexBytes()));
  }

  /** Returns the type of the elements in file form. */
  public Datatype type() {
    return info.type();
  }

  Dataspace space() {
    return info.space();
  }

  /** Returns the extent of the dataset. */
  public long[] extent() {
    return info.space().dims();
  }

  /** Returns how elements are laid out. */
  public Layout layout() {
    return info.options().layout();
  }

  FillPattern fill() {
    return fill;
  }

  /** Returns the offset of the first byte of a contiguous dataset, -1 if it has no place yet. */
  public long contiguousOffset() {
    return contiguousOffset;
  }

  /** Returns the elements of a compact dataset. */
  byte[] compact() {
    return compact;
  }

  /** Returns whether the dataset has chunks. */
  public boolean isChunked() {
    return chunks != null;
  }

  /** Returns whether chunks pass filters. */
  public boolean isFiltered() {
    return shape != null && !shape.pipeline().isEmpty();
  }

  /** Returns the chunk shape; chunked layout only. */
  public ChunkShape shape() {
    return shape;
  }

  /** Returns the places of the chunks; chunked layout only. */
  public ChunkTable chunks() {
    return chunks;
  }

  /** Returns the reasons why ranks cannot move its elements by themselves; empty if they can. */
  Set<NoCollectiveCause> obstacles() {
    Set<NoCollectiveCause> causes = EnumSet.noneOf(NoCollectiveCause.class);
    if (info.type().hasOutOfLineParts()) {
      causes.add(NoCollectiveCause.OUT_OF_LINE_ELEMENTS);
    }
    switch (layout()) {
      case Layout.Compact _ -> causes.add(NoCollectiveCause.COMPACT_LAYOUT);
      case Layout.External _ -> causes.add(NoCollectiveCause.EXTERNAL_LAYOUT);
      case Layout.Virtual _ -> causes.add(NoCollectiveCause.VIRTUAL_LAYOUT);
      case Layout.Auto _, Layout.Contiguous _, Layout.Chunked _ -> {}
    }
    return causes;
  }
}
