package org.hyperslab.mpi;

import java.lang.foreign.MemorySegment;

/**
 * The shared file pointer of a file, and the routines that access the file at it. Those named
 * {@code Ordered} are collective.
 *
 * <p>Thread rule: one thread at a time, together with the {@link MpiFileHandle}.
 */
public final class MpiSharedPointer {

  private final MpiFileHandle file;

  MpiSharedPointer(MpiFileHandle file) {
    this.file = file;
  }

  /**
   * Moves the shared pointer; collective, with the same arguments on all ranks.
   *
   * @param offset the offset, in etypes of the view
   * @param whence the origin of the offset
   */
  public void seek(long offset, MpiFileHandle.Whence whence) {
    file.seek(Call.FILE_SEEK_SHARED, offset, whence);
  }

  /** {@return the shared pointer, in etypes of the view} */
  public long position() {
    return file.aLong(Call.FILE_GET_POSITION_SHARED);
  }

  /**
   * Reads at the shared pointer; the order of the ranks is undefined.
   *
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes read
   */
  public MpiStatus read(MemorySegment into, long count, MpiDatatype type) {
    return file.here(Call.FILE_READ_SHARED, new FileTransfer(into, count, type));
  }

  /**
   * Writes at the shared pointer; the order of the ranks is undefined.
   *
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes written
   */
  public MpiStatus write(MemorySegment data, long count, MpiDatatype type) {
    return file.here(Call.FILE_WRITE_SHARED, new FileTransfer(data, count, type));
  }

  /**
   * Starts to read at the shared pointer.
   *
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startRead(MemorySegment into, long count, MpiDatatype type) {
    return file.startHere(Call.FILE_IREAD_SHARED, new FileTransfer(into, count, type));
  }

  /**
   * Starts to write at the shared pointer.
   *
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startWrite(MemorySegment data, long count, MpiDatatype type) {
    return file.startHere(Call.FILE_IWRITE_SHARED, new FileTransfer(data, count, type));
  }

  /**
   * Reads at the shared pointer in rank order; collective.
   *
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes read
   */
  public MpiStatus readOrdered(MemorySegment into, long count, MpiDatatype type) {
    return file.here(Call.FILE_READ_ORDERED, new FileTransfer(into, count, type));
  }

  /**
   * Writes at the shared pointer in rank order; collective.
   *
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes written
   */
  public MpiStatus writeOrdered(MemorySegment data, long count, MpiDatatype type) {
    return file.here(Call.FILE_WRITE_ORDERED, new FileTransfer(data, count, type));
  }

  /**
   * Begins the split collective {@link #readOrdered}.
   *
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginReadOrdered(MemorySegment into, long count, MpiDatatype type) {
    return MpiSplit.begin(file, MpiSplit.READ_ORDERED, new FileTransfer(into, count, type));
  }

  /**
   * Begins the split collective {@link #writeOrdered}.
   *
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginWriteOrdered(MemorySegment data, long count, MpiDatatype type) {
    return MpiSplit.begin(file, MpiSplit.WRITE_ORDERED, new FileTransfer(data, count, type));
  }
}
