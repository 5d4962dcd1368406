package org.hyperslab.plugins.nativevol.virtual;

import java.util.Arrays;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.VirtualMappings;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.nativevol.storage.DatasetDescription;
import org.hyperslab.plugins.nativevol.storage.DatasetHeader;
import org.hyperslab.plugins.nativevol.storage.DatasetStorage;
import org.hyperslab.plugins.nativevol.storage.ElementMovers;
import org.hyperslab.plugins.nativevol.transfer.ContiguousTransfer;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Presents parts of other datasets as one dataset. Elements without a source read as the fill value
 * and cannot be written. Sources that do not exist provide no elements.
 *
 * <p>Reference: {@code H5Dvirtual.c}.
 */
public final class VirtualStorage implements DatasetStorage {

  private final DatasetHeader header;
  private final DatasetDescription description;
  private final VirtualSources sources;

  /** The mappings as users see them; computed on first use, any number of times. */
  private volatile Layout layout;

  /**
   * Creates the storage of a dataset.
   *
   * @param header the dataset's header
   * @param description the content of the header
   * @param sources the sources of the dataset
   */
  public VirtualStorage(
      DatasetHeader header, DatasetDescription description, VirtualSources sources) {
    this.header = header;
    this.description = description;
    this.sources = sources;
  }

  @Override
  public void read(Transfer transfer, DataBuffer target) {
    new ContiguousTransfer(header.context().resources())
        .read(
            description.fillPattern(header.context().heap()).bytes(),
            ElementMovers.elements(description, transfer, target),
            ElementMovers.reading(description, transfer, header.context().heap(), target));
    deeper(() ->
        sources.forEachPart(
            transfer.fileSelection(),
            part -> {
              Optional<Transfer> moved = through(part, transfer);
              moved.ifPresent(each -> part.source().read(each, target));
            }));
  }

  @Override
  public void write(Transfer transfer, DataBuffer source) {
    deeper(() -> {
      requireSources(transfer);
      sources.forEachPart(
          transfer.fileSelection(),
          part -> {
            Optional<Transfer> moved = through(part, transfer);
            moved.ifPresent(each -> part.source().write(each, source));
          });
    });
  }

  /** Requires that every element to be written has a source, before any is written. */
  private void requireSources(Transfer transfer) {
    long[] extent = description.space().dims();
    Selection wanted = transfer.fileSelection();
    if (wanted.elementCount(extent) == 0) {
      return;
    }
    boolean all = wanted.rank() == Selection.ANY_RANK;
    Selection[] missing = {all ? Selection.box(new long[extent.length], extent) : wanted};
    sources.forEachPart(wanted, part -> missing[0] = missing[0].andNot(part.virtual()));
    long elements = missing[0].elementCount(extent);
    if (elements != 0) {
      throw new InvalidUseException(
          "write to a virtual dataset: actual="
              + elements
              + " elements that no source has, first at "
              + Arrays.toString(missing[0].coordinateAt(extent, 0))
              + ", expected=a source for each; create the sources, or select only elements that "
              + "have a source, at="
              + header.context().file().name());
    }
  }

  private void deeper(Runnable action) {
    VirtualNesting.follow(
        header.context().file().name(),
        () -> {
          action.run();
          return null;
        });
  }

  /**
   * Returns the transfer on the source of one part; empty if the transfer does not touch the part.
   */
  private Optional<Transfer> through(VirtualSources.Part part, Transfer transfer) {
    long[] extent = description.space().dims();
    Selection wanted = transfer.fileSelection();
    Selection common = part.virtual().and(wanted);
    if (common.elementCount(extent) == 0) {
      return Optional.empty();
    }
    long[] memoryExtent = transfer.memorySpace().dims();
    Selection inMemory =
        wanted.projectIntersection(
            extent, transfer.memorySelection(), memoryExtent, part.virtual());
    Selection inSource =
        part.virtual().projectIntersection(extent, part.selection(), part.sourceExtent(), wanted);
    return Optional.of(
        new Transfer(
            transfer.memoryType(), transfer.memorySpace(), inMemory, inSource, transfer.options()));
  }

  /** Returns false, because a source may be in this file, which must then be locked for writing. */
  @Override
  public boolean writesUnderReadLock(Transfer transfer) {
    return false;
  }

  @Override
  public void allocate() {}

  @Override
  public Runnable setExtent(Dataspace newSpace) {
    for (VirtualMappings.Mapping mapping : sources.mappings()) {
      VirtualRules.requireWithin(
          "mapping of a virtual dataset", mapping.virtual(), newSpace.dims());
    }
    return () -> {};
  }

  /** Frees the block of the mappings; the sources themselves stay. */
  @Override
  public void delete() {
    sources.delete();
  }

  @Override
  public DatasetInfo.StorageInfo info(boolean counted) {
    return new DatasetInfo.StorageInfo(0, -1, "", 0, 0);
  }

  @Override
  public Layout layout(Layout stated) {
    if (layout == null) {
      layout = layout();
    }
    return layout;
  }

  private Layout layout() {
    return new Layout.Virtual(
        sources.mappings().stream()
            .map(mapping ->
                new Layout.Virtual.Mapping(
                    mapping.virtual(),
                    mapping.sourceFile(),
                    mapping.sourceDataset(),
                    enclosing(mapping.source()),
                    mapping.source()))
            .toList());
  }

  /**
   * Returns the smallest extent that contains a selection of a source. The file does not record the
   * source's own extent.
   */
  private static Dataspace enclosing(Selection selection) {
    if (selection.rank() == Selection.ANY_RANK) {
      return Dataspace.scalar();
    }
    long[] extent = new long[selection.rank()];
    if (selection instanceof RegularHyperslab regular) {
      for (int d = 0; d < extent.length; d++) {
        boolean unlimited = d == regular.unlimitedDimension();
        extent[d] =
            unlimited
                ? regular.start(d) + 1
                : regular.extentFor(d, regular.indicesWithin(d, Long.MAX_VALUE));
      }
      return Dataspace.simple(extent);
    }
    Arrays.fill(extent, Long.MAX_VALUE);
    Selection.Bounds bounds = selection.bounds(extent);
    for (int d = 0; d < extent.length; d++) {
      extent[d] = bounds.high(d) + 1;
    }
    return Dataspace.simple(extent);
  }
}
