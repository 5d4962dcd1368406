package org.hyperslab.spark.write;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The side of Spark to which tasks write parts of arrays. Programs write with the source {@code
 * hyperslab}, which prepares the rows and then uses this one.
 *
 * <p>Thread rule: Spark creates one for each write.
 */
public final class ArrayParts implements TableProvider {

  /** The option with the plan. */
  static final String PLAN = "plan";

  /** Creates the source; called by Spark. */
  public ArrayParts() {}

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return new StructType();
  }

  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new PartsTable(schema);
  }

  /** The parts as a table that is only written. */
  private record PartsTable(StructType given) implements SupportsWrite {
    @Override
    public String name() {
      return "parts of arrays";
    }

    @Override
    @SuppressWarnings("deprecation") // columns() says the same of this schema
    public StructType schema() {
      return given;
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_WRITE);
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
      ArrayPlan plan = ArrayPlan.decoded(info.options().get(PLAN));
      return new WriteBuilder() {
        @Override
        public Write build() {
          return new Write() {
            @Override
            public BatchWrite toBatch() {
              return new PartsWrite(plan, info.schema());
            }
          };
        }
      };
    }
  }

  /** The write of all parts. What they become is up to who started it. */
  private record PartsWrite(ArrayPlan plan, StructType schema) implements BatchWrite {
    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
      return new Writers(plan, schema);
    }

    @Override
    public void commit(WriterCommitMessage[] messages) {
      ArrayPublication.assemble(
          plan,
          Arrays.stream(messages)
              .map(message -> ((ArrayPartWriter.Written) message).part())
              .filter(part -> part != null)
              .toList());
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
      // The folder is deleted by who started the write.
    }
  }

  /** Makes the writers of tasks. */
  private record Writers(ArrayPlan plan, StructType schema) implements DataWriterFactory {
    @Override
    public DataWriter<InternalRow> createWriter(int partition, long task) {
      return new ArrayPartWriter(plan, schema, partition, task);
    }
  }
}
