package org.hyperslab.spark;

import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.CreatableRelationProvider;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.hyperslab.spark.table.SourceOptions;
import org.hyperslab.spark.table.TableModel;
import org.hyperslab.spark.write.ArrayWrite;
import scala.jdk.javaapi.CollectionConverters;

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
public final class HyperslabSource
    implements TableProvider, CreatableRelationProvider, DataSourceRegister {

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

  /** Spark passes the columns of what is written, or those that a query names. */
  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new SourceTable(schema, () -> model(properties));
  }

  @Override
  public BaseRelation createRelation(
      SQLContext context,
      SaveMode mode,
      scala.collection.immutable.Map<String, String> parameters,
      Dataset<Row> data) {
    ArrayWrite.save(mode, CollectionConverters.asJava(parameters), data);
    StructType schema = data.schema();
    return new BaseRelation() {
      @Override
      public SQLContext sqlContext() {
        return context;
      }

      @Override
      public StructType schema() {
        return schema;
      }
    };
  }
}
