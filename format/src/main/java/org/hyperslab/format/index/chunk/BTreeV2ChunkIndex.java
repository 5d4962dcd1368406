package org.hyperslab.format.index.chunk;

import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.index.array.ChunkChecks;
import org.hyperslab.format.index.btree.BTreeParameters;
import org.hyperslab.format.index.btree.BTreeV2;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.index.grid.ChunkVisitor;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The index of a dataset with two or more unlimited dimensions: a version 2 B-tree of {@link
 * ChunkRecord}s.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.E "Version 2 B-tree Index";
 * H5Dbtree2.c.
 */
final class BTreeV2ChunkIndex extends RootedChunkIndex<ChunkIndexSpec.BTreeV2> {

  private static final String STRUCTURE = "version 2 B-tree of chunks";

  private final ChunkRecord.Layout layout;

  /**
   * Views of the tree at the root; plain fields, because any view that a racing reader sees is
   * valid.
   */
  private BTreeV2<ChunkLocation> lookup;

  private BTreeV2<ChunkRecord> tree;

  BTreeV2ChunkIndex(
      MetadataSpace space, ChunkGrid grid, ChunkIndexSpec.BTreeV2 spec, long rootAddress) {
    super(space, grid, spec, rootAddress);
    if (!ChunkChecks.plausible(space.geometry(), rootAddress)) {
      throw ChunkChecks.corrupt(
          space, STRUCTURE, rootAddress, "root address actual=" + rootAddress);
    }
    layout = ChunkRecord.Layout.of(space.geometry(), grid);
  }

  @Override
  public ChunkLocation find(long[] scaled) {
    ChunkChecks.coordinates(scaled, grid.rank());
    if (root == FileGeometry.UNDEFINED) {
      return ChunkLocation.NONE;
    }
    BTreeV2<ChunkLocation> view = lookup;
    if (view == null) {
      view = BTreeV2.open(space, root, new ChunkRecord.LocationCodec(layout));
      lookup = view;
    }
    Optional<ChunkLocation> found = view.find(layout.key(scaled));
    return found.isPresent() ? checked(found.get()) : ChunkLocation.NONE;
  }

  private ChunkLocation checked(ChunkLocation location) {
    if (!space.geometry().isAddress(location.address()) || location.storedBytes() < 0) {
      throw ChunkChecks.corrupt(space, STRUCTURE, root, "record actual=" + location);
    }
    return location;
  }

  @Override
  public boolean put(long[] scaled, ChunkLocation location) {
    ChunkChecks.coordinates(scaled, grid);
    ChunkChecks.location(location, grid);
    if (grid.filtered()) {
      ChunkChecks.fits(location.storedBytes(), layout.format().sizeFieldBytes());
    }
    boolean changed = create();
    ChunkRecord record = new ChunkRecord(scaled, location);
    if (!tree().insert(record)) {
      tree().replace(layout.key(scaled), record);
    }
    if (space.movesEdited()) {
      space.beforeFlush(root, () -> tree().moveEdited());
    }
    return changed;
  }

  @Override
  public ChunkLocation remove(long[] scaled) {
    ChunkChecks.coordinates(scaled, grid.rank());
    if (root == FileGeometry.UNDEFINED) {
      return ChunkLocation.NONE;
    }
    return tree()
        .remove(layout.key(scaled))
        .map(record -> checked(record.location()))
        .orElse(ChunkLocation.NONE);
  }

  @Override
  public void forEach(ChunkVisitor visitor) {
    if (root == FileGeometry.UNDEFINED) {
      return;
    }
    tree().forEach(0, record -> visit(record, visitor));
  }

  private boolean visit(ChunkRecord record, ChunkVisitor visitor) {
    for (long coordinate : record.scaled()) {
      if (coordinate < 0) {
        throw ChunkChecks.corrupt(
            space,
            STRUCTURE,
            root,
            "scaled offset actual=" + Long.toUnsignedString(coordinate) + ", expected=below 2^63");
      }
    }
    return visitor.visit(record.scaled(), checked(record.location()));
  }

  @Override
  public boolean create() {
    if (root != FileGeometry.UNDEFINED) {
      return false;
    }
    BTreeParameters parameters =
        new BTreeParameters(spec.nodeBytes(), spec.splitPercent(), spec.mergePercent());
    tree = BTreeV2.create(space, new ChunkRecord.Codec(layout), parameters);
    root = tree.address();
    return true;
  }

  @Override
  public void delete() {
    if (root != FileGeometry.UNDEFINED) {
      tree().delete();
      root = FileGeometry.UNDEFINED;
      tree = null;
      lookup = null;
    }
  }

  @Override
  public long metadataBytes() {
    return root == FileGeometry.UNDEFINED ? 0 : tree().metadataBytes();
  }

  /**
   * Returns the tree.
   *
   * @throws CorruptFileException if there is no tree of this kind at the root
   */
  private BTreeV2<ChunkRecord> tree() {
    BTreeV2<ChunkRecord> view = tree;
    if (view == null) {
      view = BTreeV2.open(space, root, new ChunkRecord.Codec(layout));
      tree = view;
    }
    return view;
  }
}
