package org.hyperslab.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.hyperslab.spark.table.SourceOptions;
import org.hyperslab.spark.table.TableModel;

/**
 * The data source {@code hyperslab}: HDF5 and netCDF files and Zarr stores as tables.
 *
 * <p>{@code spark.read().format("hyperslab").option("variables", "/t2m").load("era5.nc")}. The
 * guide docs/spark.md lists the options and how datasets become tables.
 *
 * <p>Errors in what a query asks for are exceptions of {@code org.hyperslab.error}, some of which
 * Spark wraps.
 *
 * <p>Thread rule: Spark creates one for each query.
 */
public final class HyperslabSource implements TableProvider, DataSourceRegister {

  private TableModel model;

  /** Creates the source; called by Spark. */
  public HyperslabSource() {}

  @Override
  public String shortName() {
    return "hyperslab";
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return model(options.asCaseSensitiveMap()).schema();
  }

  private TableModel model(Map<String, String> options) {
    SourceOptions asked = SourceOptions.of(options);
    if (model == null || !model.options().equals(asked)) {
      model = TableModel.of(asked);
    }
    return model;
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new SourceTable(model(properties));
  }
}
