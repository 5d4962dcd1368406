package org.hyperslab.tools.stat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.StorageSizes;
import org.hyperslab.tools.walk.TypeIdentity;

/**
 * Counts objects, sizes and types on a walk over all objects of a file. Sizes that the connector
 * does not know are negative. Groups are walked with an explicit stack, so that nesting may have
 * any depth.
 */
final class FileStatistics {

  /** Bytes of object headers. */
  static final class Headers {
    long total;
    long free;

    private void add(ObjectInfo.HeaderInfo header) {
      total += header.totalBytes();
      free += header.freeBytes();
    }
  }

  /** Bytes of B-trees and lists, and of heaps. */
  static final class Structures {
    long index;
    long heap;

    private void add(long indexBytes, long heapBytes) {
      index += indexBytes;
      heap += heapBytes;
    }

    long total() {
      return index + heap;
    }
  }

  /**
   * A datatype of datasets: the number of datasets that have it, and how many of them share a
   * committed one.
   */
  static final class TypeUse {
    final Datatype type;

    /** The size of its encoding in the file; not positive if that is not known. */
    final long storedBytes;

    private final Datatype identity;
    long count;
    long committed;

    private TypeUse(Datatype type, long storedBytes, Datatype identity) {
      this.type = type;
      this.storedBytes = storedBytes;
      this.identity = identity;
    }
  }

  long groups;
  long datasets;
  long types;
  long links;
  long others;
  long mostLinksToObject;
  final SizeHistogram linkCounts = new SizeHistogram();
  final SizeHistogram attributeCounts = new SizeHistogram();
  final SizeHistogram lengths = new SizeHistogram();
  final Headers groupHeaders = new Headers();
  final Headers datasetHeaders = new Headers();
  final Headers typeHeaders = new Headers();
  final Structures groupStructures = new Structures();
  final Structures attributeStructures = new Structures();
  final Structures sharedStructures = new Structures();
  long chunkIndexes;
  long datasetHeaps;
  StorageSizes.File wholeFile = StorageSizes.File.NONE;
  long rawBytes;
  long externalBytes;
  long externalFiles;
  final long[] ranks = new long[Dataspace.MAX_RANK + 1];
  final long[] layouts = new long[4];
  final long[] filters = new long[8];
  final List<TypeUse> typeUses = new ArrayList<>();

  private final H5File file;
  private final Set<Long> seen = new HashSet<>();
  private final LongConsumer progress;

  FileStatistics(H5File file, LongConsumer progress) {
    this.file = file;
    this.progress = progress;
  }

  private record Level(Group group, Iterator<Link> links) {}

  /** Returns the number of bytes of all object headers. */
  long headerBytes() {
    return groupHeaders.total + datasetHeaders.total + typeHeaders.total;
  }

  /** Counts every object that is reachable by hard links. */
  void gather() {
    Deque<Level> levels = new ArrayDeque<>();
    enter(levels, file.root());
    try {
      while (!levels.isEmpty()) {
        Level level = levels.peek();
        if (!level.links.hasNext()) {
          levels.pop().group.close();
          continue;
        }
        link(levels, level.links.next());
      }
    } finally {
      levels.forEach(level -> level.group.close());
    }
  }

  private void enter(Deque<Level> levels, Group group) {
    seen.add(group.token().address());
    object(group);
    levels.push(new Level(group, group.links().iterator()));
  }

  private void link(Deque<Level> levels, Link link) {
    switch (link.kind()) {
      case SOFT, EXTERNAL -> links++;
      case USER_DEFINED -> others++;
      case HARD -> hardLink(levels, link);
    }
  }

  private void hardLink(Deque<Level> levels, Link link) {
    assert link.kind() == LinkKind.HARD;
    if (!seen.add(link.info().token().address())) {
      return;
    }
    H5Object object = file.objectOf(link.info().token());
    if (object instanceof Group group) {
      enter(levels, group);
      return;
    }
    try (object) {
      object(object);
    }
  }

  private void object(H5Object object) {
    ObjectInfo info = object.opened().join();
    mostLinksToObject = Math.max(mostLinksToObject, info.referenceCount());
    attributeCounts.add(info.attributeCount());
    StorageSizes sizes = object.storageSizes();
    attributeStructures.add(sizes.attributeIndexBytes(), sizes.attributeHeapBytes());
    switch (object) {
      case Group group -> group(group, info, sizes);
      case Dataset dataset -> dataset(dataset, info, sizes);
      case CommittedType type -> {
        types++;
        typeHeaders.add(info.header());
      }
    }
    progress.accept(groups + datasets + types);
  }

  private void group(Group group, ObjectInfo info, StorageSizes sizes) {
    groups++;
    groupHeaders.add(info.header());
    linkCounts.add(group.groupInfo().linkCount());
    groupStructures.add(sizes.indexBytes(), sizes.heapBytes());
    if (!sizes.file().equals(StorageSizes.File.NONE)) {
      wholeFile = sizes.file();
      sharedStructures.add(wholeFile.sharedIndexBytes(), wholeFile.sharedHeapBytes());
    }
  }

  private void dataset(Dataset dataset, ObjectInfo info, StorageSizes sizes) {
    datasets++;
    datasetHeaders.add(info.header());
    datasetHeaps += sizes.heapBytes();
    DatasetInfo about = dataset.datasetInfo();
    chunkIndexes += about.storage().indexBytes();
    long bytes = about.storage().allocatedBytes();
    switch (about.options().layout()) {
      case Layout.Compact compact -> {
        layouts[0]++;
        datasetHeaders.total -= bytes;
        rawBytes += bytes;
      }
      case Layout.External external -> {
        layouts[1]++;
        externalFiles += external.segments().size();
        externalBytes += bytes;
      }
      case Layout.Contiguous contiguous -> plain(1, bytes);
      case Layout.Auto unknown -> plain(1, bytes);
      case Layout.Chunked chunked -> plain(2, bytes);
      case Layout.Virtual virtual -> plain(3, bytes);
    }
    extent(about.space());
    type(about, sizes.typeBytes());
    filters(about.options().filters());
  }

  private void plain(int layout, long bytes) {
    layouts[layout]++;
    rawBytes += bytes;
  }

  private void extent(Dataspace space) {
    ranks[space.rank()]++;
    if (space.rank() == 1) {
      lengths.add(space.dim(0));
    }
  }

  private void type(DatasetInfo about, long storedBytes) {
    Datatype identity = TypeIdentity.of(about.type());
    TypeUse use = null;
    for (TypeUse known : typeUses) {
      if (known.identity.equals(identity)) {
        use = known;
        break;
      }
    }
    if (use == null) {
      use = new TypeUse(about.type(), storedBytes, identity);
      typeUses.add(use);
    }
    use.count++;
    use.committed += about.committedType().isPresent() ? 1 : 0;
  }

  private void filters(List<FilterSpec> pipeline) {
    if (pipeline.isEmpty()) {
      filters[0]++;
    }
    for (FilterSpec filter : pipeline) {
      filters[Math.min(filter.id(), filters.length - 1)]++;
    }
  }
}
