package org.hyperslab.spark;

import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.spark.read.TableScanBuilder;
import org.hyperslab.spark.table.TableModel;

/**
 * A table that is read. It does not say that it can be written, so that Spark passes what is
 * written to {@link HyperslabSource#createRelation}, with all modes. Its files are looked at when
 * it is scanned, because they need not exist when it is written.
 */
final class SourceTable implements SupportsRead {

  private final StructType schema;
  private final Supplier<TableModel> model;

  SourceTable(StructType schema, Supplier<TableModel> model) {
    this.schema = schema;
    this.model = model;
  }

  @Override
  public String name() {
    return "hyperslab";
  }

  @Override
  @SuppressWarnings("deprecation") // columns() says the same of this schema
  public StructType schema() {
    return schema;
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    TableModel found = model.get();
    for (StructField field : schema.fields()) {
      boolean isThere =
          Arrays.asList(found.schema().fieldNames()).contains(field.name())
              && found.schema().apply(field.name()).dataType().sameType(field.dataType());
      if (!isThere) {
        throw new InvalidUseException(
            "schema: actual="
                + field.name()
                + ":"
                + field.dataType().simpleString()
                + ", expected=columns of "
                + found.schema().simpleString()
                + ", file="
                + found.files().getFirst());
      }
    }
    return new TableScanBuilder(found, schema);
  }
}
