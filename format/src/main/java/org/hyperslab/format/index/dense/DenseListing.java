package org.hyperslab.format.index.dense;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.hyperslab.format.io.NameBytes;

/**
 * The entries of dense storage at one moment, in an order for which the storage has no index. It
 * holds names and heap ids; messages are read on demand.
 *
 * <p>Positions are 0-based. Thread rule: immutable, but {@link #get} reads the storage, which must
 * not have been edited since.
 */
public final class DenseListing {

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(byte[] name, long order, DenseRecord record) {}

  private final List<Row> rows;
  private final Function<DenseRecord, DenseEntry> reader;

  private DenseListing(List<Row> rows, Function<DenseRecord, DenseEntry> reader) {
    this.rows = rows;
    this.reader = reader;
  }

  /** Gathers rows in the order in which they are found. */
  static final class Builder {

    private final List<Row> rows = new ArrayList<>();

    void add(byte[] name, long order, DenseRecord record) {
      rows.add(new Row(name, order, record));
    }

    DenseListing build(Function<DenseRecord, DenseEntry> reader) {
      return new DenseListing(rows, reader);
    }
  }

  /** {@return the same entries sorted by name, as unsigned bytes in ascending order} */
  public DenseListing sortedByName() {
    return sorted((one, other) -> Arrays.compareUnsigned(one.name, other.name));
  }

  /** {@return the same entries sorted by creation order, ascending} */
  public DenseListing sortedByCreationOrder() {
    return sorted(Comparator.comparingLong(Row::order));
  }

  private DenseListing sorted(Comparator<Row> order) {
    List<Row> sorted = new ArrayList<>(rows);
    sorted.sort(order);
    return new DenseListing(sorted, reader);
  }

  /** {@return the number of entries} */
  public int size() {
    return rows.size();
  }

  /**
   * {@return the name at a position}
   *
   * @param position the position in the listing, counted from 0
   */
  public String name(int position) {
    return NameBytes.decode(rows.get(position).name);
  }

  /**
   * {@return the creation order at a position; -1 if unknown}
   *
   * @param position the position in the listing, counted from 0
   */
  public long creationOrder(int position) {
    return rows.get(position).order;
  }

  /**
   * {@return the entry at a position, read from the storage}
   *
   * @param position the position in the listing, counted from 0
   */
  public DenseEntry get(int position) {
    return reader.apply(rows.get(position).record);
  }
}
