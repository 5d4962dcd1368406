package org.hyperslab.spark.table;

import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenHeap;

/**
 * Reads elements of a dataset, and copies them or their fields into vectors. The memory of one
 * reading is that of the largest part that was read.
 *
 * <p>Thread rule: one thread.
 */
public final class Reading {

  private final Dataset dataset;
  private final Filler filler;
  private final int elementBytes;
  private ReadElements elements = ReadElements.of(new byte[0], VlenHeap.none());

  private Reading(Dataset dataset, Filler filler) {
    this.dataset = dataset;
    this.filler = filler;
    this.elementBytes = filler.memoryType().memorySize();
  }

  /**
   * {@return the reading of whole elements}
   *
   * @param dataset the dataset, which stays open
   * @param decode whether numbers are decoded
   * @param file the name of the file, for errors
   */
  public static Reading whole(Dataset dataset, boolean decode, String file) {
    return new Reading(dataset, TableVariable.filler(dataset, decode, file));
  }

  /**
   * {@return the reading of some fields of compounds}
   *
   * @param dataset the dataset, which stays open
   * @param fields the fields, in this order
   * @param file the name of the file, for errors
   */
  public static Reading fields(Dataset dataset, StructType fields, String file) {
    String place = ", variable=" + dataset.path() + ", file=" + file;
    return new Reading(dataset, Filler.compound((CompoundType) dataset.type(), fields, place));
  }

  /** {@return the column of the elements} */
  public Filler filler() {
    return filler;
  }

  /** {@return the bytes of an element in memory} */
  public int elementBytes() {
    return elementBytes;
  }

  /**
   * Reads the elements that are selected.
   *
   * @param selection the selection
   * @param count the number of elements
   */
  public void read(Selection selection, int count) {
    long bytes = (long) count * elementBytes;
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new InvalidUseException(
          "chunk: actual="
              + bytes
              + " bytes, expected<=2147483639; rewrite the dataset with smaller chunks, variable="
              + dataset.path());
    }
    boolean isOutOfLine = filler.memoryType().hasOutOfLineParts();
    byte[] room = elements.bytes();
    if (isOutOfLine || room.length < bytes) {
      room = new byte[(int) bytes];
    }
    elements = ReadElements.of(room, isOutOfLine ? new VlenHeap() : VlenHeap.none());
    DataBuffer buffer = new DataBuffer(elements.segment().asSlice(0, bytes), elements.heap());
    dataset.readInto(
        selection,
        new Memory(filler.memoryType(), Dataspace.simple(count), Selection.all(), buffer));
  }

  /**
   * Copies elements that were read into a vector.
   *
   * @param first the number of the first one, from 0
   * @param count how many
   * @param to the vector, which has room
   * @param row the row of the first one
   */
  public void fill(int first, int count, WritableColumnVector to, int row) {
    filler.fill(elements, first * elementBytes, elementBytes, count, to, row);
  }

  /**
   * Copies a field of elements that were read into a vector.
   *
   * @param field the number of the field, from 0
   * @param first the number of the first element, from 0
   * @param count how many
   * @param to the vector, which has room
   * @param row the row of the first one
   */
  public void fillField(int field, int first, int count, WritableColumnVector to, int row) {
    RecordFiller records = (RecordFiller) filler;
    records
        .field(field)
        .fill(elements, first * elementBytes + records.offset(field), elementBytes, count, to, row);
  }
}
