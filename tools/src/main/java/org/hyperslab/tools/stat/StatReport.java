package org.hyperslab.tools.stat;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.hyperslab.H5File;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.tools.stat.StatOptions.Part;

/**
 * Prints the statistics of a file in the format of {@code h5stat}. Sizes that the connector does
 * not know, and the numbers of free sections that it cannot list, are printed as "not known".
 */
final class StatReport {

  private static final String[] FILTERS = {
    "NO", "GZIP", "SHUFFLE", "FLETCHER32", "SZIP", "NBIT", "SCALEOFFSET", "USER-DEFINED"
  };
  private static final int SMALL_SECTION_BYTES = 10;
  private static final String[] LAYOUTS = {"COMPACT", "CONTIG", "CHUNKED", "VIRTUAL"};

  private final StatPage page;
  private final StatOptions options;
  private final FileStatistics s;
  private final FileInfo info;
  private final CreateOptions creation;
  private final SpaceTotals totals;

  private StatReport(PrintStream out, StatOptions options, FileStatistics s, FileInfo info) {
    this.page = new StatPage(out);
    this.options = options;
    this.s = s;
    this.info = info;
    this.creation = info.creation();
    this.totals = new SpaceTotals(s, info);
  }

  /**
   * Walks over a file and prints statistics.
   *
   * @param file the file
   * @param options what to print
   * @param out receives the report
   * @param progress is called with the number of objects counted so far
   */
  public static void print(
      H5File file, StatOptions options, PrintStream out, LongConsumer progress) {
    FileStatistics statistics = new FileStatistics(file, progress);
    statistics.gather();
    new StatReport(out, options, statistics, file.info()).print();
  }

  private void print() {
    for (Part part : Part.values()) {
      if (options.shows(part)) {
        switch (part) {
          case FILE -> file();
          case FILE_METADATA -> fileMetadata();
          case GROUPS -> groups();
          case GROUP_METADATA -> groupMetadata();
          case DATASETS -> datasets();
          case DATASET_METADATA -> {}
          case DATATYPES -> {
            datatypes();
            if (options.shows(Part.DATASET_METADATA)) {
              datasetMetadata();
            }
          }
          case ATTRIBUTES -> attributes();
          case FREE_SPACE -> freeSpace();
          case SUMMARY -> summary();
        }
      }
    }
    if (options.shows(Part.DATASET_METADATA) && !options.shows(Part.DATATYPES)) {
      datasetMetadata();
    }
  }

  private void file() {
    page.line("File information");
    page.number("\t# of unique groups", s.groups);
    page.number("\t# of unique datasets", s.datasets);
    page.number("\t# of unique named datatypes", s.types);
    page.number("\t# of unique links", s.links);
    page.number("\t# of unique other", s.others);
    page.number("\tMax. # of links to object", s.mostLinksToObject);
    page.number("\tMax. # of objects in group", s.linkCounts.largest());
  }

  private static String pair(FileStatistics.Headers headers) {
    return headers.total + "/" + headers.free;
  }

  private void fileMetadata() {
    page.line("File space information for file metadata (in bytes):");
    page.number("\tSuperblock", info.superblockBytes());
    page.number("\tSuperblock extension", s.wholeFile.extensionBytes());
    page.number("\tUser block", creation.userBlockBytes());
    page.line("\tObject headers: (total/unused)");
    page.line("\t\tGroups: " + pair(s.groupHeaders));
    page.line("\t\tDatasets(exclude compact data): " + pair(s.datasetHeaders));
    page.line("\t\tDatatypes: " + pair(s.typeHeaders));
    page.line("\tGroups:");
    treeAndHeap("\t\t", s.groupStructures);
    page.line("\tAttributes:");
    treeAndHeap("\t\t", s.attributeStructures);
    page.line("\tChunked datasets:");
    page.number("\t\tIndex", s.chunkIndexes);
    page.line("\tDatasets:");
    page.number("\t\tHeap", s.datasetHeaps);
    page.line("\tShared Messages:");
    page.number("\t\tHeader", s.wholeFile.sharedHeaderBytes());
    treeAndHeap("\t\t", s.sharedStructures);
    page.line("\tFree-space managers:");
    page.number("\t\tHeader", s.wholeFile.freeSpaceBytes());
    page.number("\t\tAmount of free space", totals.freeBytes());
  }

  private void treeAndHeap(String indent, FileStatistics.Structures bytes) {
    page.number(indent + "B-tree/List", bytes.index);
    page.number(indent + "Heap", bytes.heap);
  }

  private void groups() {
    page.line("Small groups (with 0 to " + (options.smallGroup - 1) + " links):");
    s.linkCounts.small(
        page,
        0,
        options.smallGroup - 1,
        "\t# of groups with %s link(s)",
        "\tTotal # of small groups");
    page.line("Group bins:");
    s.linkCounts.powers(
        page, "\t# of groups with 0 link", "\t# of groups with %s links", "\tTotal # of groups");
  }

  private void groupMetadata() {
    page.line("File space information for groups' metadata (in bytes):");
    page.line("\tObject headers (total/unused): " + pair(s.groupHeaders));
    treeAndHeap("\t", s.groupStructures);
  }

  private void datasets() {
    if (s.datasets == 0) {
      return;
    }
    page.line("Dataset dimension information:");
    int most = 0;
    for (int rank = 0; rank < s.ranks.length; rank++) {
      most = s.ranks[rank] > 0 ? rank : most;
    }
    page.number("\tMax. rank of datasets", most);
    page.line("\tDataset ranks:");
    for (int rank = 0; rank < Dataspace.MAX_RANK; rank++) {
      if (s.ranks[rank] > 0) {
        page.number("\t\t# of dataset with rank " + rank, s.ranks[rank]);
      }
    }
    lengths();
    page.line("Dataset storage information:");
    page.number("\tTotal raw data size", s.rawBytes);
    page.number("\tTotal external raw data size", s.externalBytes);
    page.line("Dataset layout information:");
    for (int layout = 0; layout < LAYOUTS.length; layout++) {
      page.number("\tDataset layout counts[" + LAYOUTS[layout] + "]", s.layouts[layout]);
    }
    page.number("\tNumber of external files ", s.externalFiles);
    page.line("Dataset filters information:");
    page.line("\tNumber of datasets with:");
    for (int filter = 0; filter < FILTERS.length; filter++) {
      page.number("\t\t" + FILTERS[filter] + " filter", s.filters[filter]);
    }
  }

  private void lengths() {
    page.line("1-D Dataset information:");
    page.number("\tMax. dimension size of 1-D datasets", s.lengths.largest());
    int most = options.smallDataset - 1;
    page.line("\tSmall 1-D datasets (with dimension sizes 0 to " + most + "):");
    s.lengths.small(
        page,
        0,
        most,
        "\t\t# of datasets with dimension sizes %s",
        "\t\tTotal # of small datasets");
    if (!s.lengths.isEmpty()) {
      page.line("\t1-D Dataset dimension bins:");
      s.lengths.powers(
          page,
          "\t\t# of datasets with dimension size 0",
          "\t\t# of datasets with dimension size %s",
          "\t\tTotal # of datasets");
    }
  }

  private void datatypes() {
    if (s.typeUses.isEmpty()) {
      return;
    }
    page.line("Dataset datatype information:");
    page.number("\t# of unique datatypes used by datasets", s.typeUses.size());
    int number = 0;
    for (FileStatistics.TypeUse use : s.typeUses) {
      page.line("\tDataset datatype #" + number++ + ":");
      page.line("\t\tCount (total/named) = (" + use.count + "/" + use.committed + ")");
      String size = StatPage.known(TypeSizes.encoded(use)) + "/" + TypeSizes.memory(use.type);
      page.line("\t\tSize (desc./elmt) = (" + size + ")");
    }
    page.number("\tTotal dataset datatype count", s.datasets);
  }

  private void datasetMetadata() {
    page.line("File space information for datasets' metadata (in bytes):");
    page.line("\tObject headers (total/unused): " + pair(s.datasetHeaders));
    page.number("\tIndex for Chunked datasets", s.chunkIndexes);
    page.number("\tHeap", s.datasetHeaps);
  }

  private void attributes() {
    int few = options.fewAttributes;
    page.line("Small # of attributes (objects with 1 to " + few + " attributes):");
    s.attributeCounts.small(
        page,
        1,
        few,
        "\t# of objects with %s attributes",
        "\tTotal # of objects with small # of attributes");
    page.line("Attribute bins:");
    s.attributeCounts.powers(
        page, null, "\t# of objects with %s attributes", "\tTotal # of objects with attributes");
    page.number("\tMax. # of attributes to objects", s.attributeCounts.largest());
  }

  private void freeSpace() {
    SpaceStrategy space = creation.space();
    page.line("Free-space persist: " + (space.persist() ? "TRUE" : "FALSE"));
    page.line("Free-space section threshold: " + space.thresholdBytes() + " bytes");
    SizeHistogram sections = new SizeHistogram();
    long listedBytes = 0;
    for (long bytes : s.wholeFile.freeSections()) {
      sections.add(bytes);
      listedBytes += bytes;
    }
    boolean isKnown = listedBytes == totals.freeBytes();
    page.line("Small size free-space sections (< " + SMALL_SECTION_BYTES + " bytes):");
    if (isKnown) {
      sections.small(
          page,
          0,
          SMALL_SECTION_BYTES - 1,
          "\t# of sections of size %s",
          "\tTotal # of small size sections");
    } else {
      page.number("\tTotal # of small size sections", -1);
    }
    page.line("Free-space section bins:");
    if (isKnown) {
      sections.powers(
          page, "\t# of sections of size 0", "\t# of sections of size %s", "\tTotal # of sections");
    } else {
      page.number("\tTotal # of sections", -1);
    }
  }

  private void summary() {
    SpaceStrategy space = creation.space();
    String strategy =
        switch (space.kind()) {
          case FREE_SPACE -> "FSM_AGGR";
          case PAGE -> "PAGE";
          case AGGREGATION -> "AGGR";
          case NONE -> "NONE";
        };
    page.line("File space management strategy: H5F_FSPACE_STRATEGY_" + strategy);
    page.line("File space page size: " + space.pageBytes() + " bytes");
    page.line("Summary of file space information:");
    long metadata = totals.metadataBytes();
    page.line("  File metadata: " + (totals.isMeasured() ? "" : "at least ") + metadata + " bytes");
    page.line("  Raw data: " + s.rawBytes + " bytes");
    double percent = 100.0 * totals.freeBytes() / Math.max(1, info.sizeBytes());
    page.line(
        "  Amount/Percent of tracked free space: "
            + totals.freeBytes()
            + " bytes/"
            + String.format(Locale.ROOT, "%3.1f", percent)
            + "%");
    long rest = totals.restBytes();
    if (rest < 0) {
      page.line("  ??? File has " + -rest + " more bytes accounted for than its size! ???");
    } else {
      page.line(
          "  Unaccounted space: " + (totals.isMeasured() ? "" : "at most ") + rest + " bytes");
    }
    page.line("Total space: " + (info.sizeBytes() + Math.max(0, -2 * rest)) + " bytes");
    if (s.externalFiles > 0) {
      page.line("External raw data: " + s.externalBytes + " bytes");
    }
  }
}
