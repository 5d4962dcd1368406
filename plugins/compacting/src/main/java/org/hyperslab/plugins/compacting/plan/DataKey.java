package org.hyperslab.plugins.compacting.plan;

/**
 * Identifies a dataset by numbers that the user of the compactor chooses. A dataset must have one
 * key, by whatever path it was opened.
 *
 * @param file a number of the open file, such as {@code ObjectInfo.fileNumber}
 * @param dataset a number of the dataset within the file, such as the address in its token; never
 *     {@code Long.MIN_VALUE}
 */
public record DataKey(long file, long dataset) {}
