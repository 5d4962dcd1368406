package org.hyperslab.spark.read;

import java.io.Serializable;

/**
 * What a scan reads of one file.
 *
 * @param units the units
 * @param minor of a sparse matrix, the selected indices of the dimension whose elements do not lie
 *     together; null if all are, and of datasets
 */
record ScanPart(UnitGrid units, IndexSet minor) implements Serializable {}
