package org.hyperslab.spark;

import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.hyperslab.spark.read.TableScanBuilder;
import org.hyperslab.spark.table.SourceOptions;
import org.hyperslab.spark.table.TableModel;

/** A table that is read. */
final class SourceTable implements SupportsRead {

  private final TableModel model;

  SourceTable(TableModel model) {
    this.model = model;
  }

  @Override
  public String name() {
    List<String> variables = model.variables().stream().map(SourceOptions.Variable::path).toList();
    List<String> files = model.files();
    String more = files.size() > 1 ? " and " + (files.size() - 1) + " more" : "";
    return "hyperslab " + files.getFirst() + more + " " + variables;
  }

  @Override
  @SuppressWarnings("deprecation") // columns() says the same of this schema
  public StructType schema() {
    return model.schema();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new TableScanBuilder(model);
  }
}
