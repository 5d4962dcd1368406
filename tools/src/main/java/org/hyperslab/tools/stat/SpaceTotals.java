package org.hyperslab.tools.stat;

import org.hyperslab.model.FileInfo;

/**
 * The use of a file's space, in bytes.
 *
 * @param statistics what the walk through the file has counted
 * @param info what the connector knows of the whole file
 */
record SpaceTotals(FileStatistics statistics, FileInfo info) {

  long freeBytes() {
    return info.freeBytes() + Math.max(0, statistics.wholeFile.freeBytes());
  }

  /** Returns whether the connector knows the sizes of all metadata. */
  boolean isMeasured() {
    return statistics.groupStructures.index >= 0;
  }

  /** Returns the bytes of the metadata, or of what is known of it. */
  long metadataBytes() {
    long known =
        info.superblockBytes()
            + info.creation().userBlockBytes()
            + statistics.headerBytes()
            + statistics.chunkIndexes;
    return isMeasured() ? known + measuredBytes() : known;
  }

  private long measuredBytes() {
    return statistics.wholeFile.extensionBytes()
        + statistics.groupStructures.total()
        + statistics.attributeStructures.total()
        + statistics.datasetHeaps
        + statistics.wholeFile.sharedHeaderBytes()
        + statistics.sharedStructures.total()
        + statistics.wholeFile.freeSpaceBytes();
  }

  /** Returns the bytes of the file that are none of these; negative if parts overlap. */
  long restBytes() {
    return info.sizeBytes() - metadataBytes() - statistics.rawBytes - freeBytes();
  }
}
