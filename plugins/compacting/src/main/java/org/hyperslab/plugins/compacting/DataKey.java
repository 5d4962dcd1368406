package org.hyperslab.plugins.compacting;

/**
 * Identifies the dataset that a request is about, by numbers that the user of the compactor
 * chooses: whatever way a dataset was reached by, it must have one key.
 *
 * @param file the file; a number per open file, such as {@code ObjectInfo.fileNumber}
 * @param dataset the dataset within it, such as its token; never Long.MIN_VALUE
 */
public record DataKey(long file, long dataset) {}
