package org.hyperslab.spark.read;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.spark.table.SourceOptions;
import org.hyperslab.spark.table.TableColumn;

/**
 * What all tasks of a scan share.
 *
 * @param schema the columns to read
 * @param columns where they come from
 * @param variables the datasets of the table
 * @param parts the files
 * @param decode whether numbers are decoded
 * @param skipDamaged whether what cannot be read is left out
 * @param offHeap whether vectors are outside the Java heap
 * @param properties settings for opening files
 */
record ScanTask(
    StructType schema,
    List<TableColumn> columns,
    List<SourceOptions.Variable> variables,
    List<ScanPart> parts,
    boolean decode,
    boolean skipDamaged,
    boolean offHeap,
    Map<String, String> properties)
    implements Serializable {}
