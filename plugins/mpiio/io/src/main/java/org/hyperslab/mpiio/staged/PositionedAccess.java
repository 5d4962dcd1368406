package org.hyperslab.mpiio.staged;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.file.RepresentationConversion;

/**
 * A data access with a known position.
 *
 * @param offset the offset in etypes of the view
 * @param write whether the file is written
 * @param view the view
 * @param buffer the memory of the elements
 */
public record PositionedAccess(boolean write, FileView view, long offset, MemoryBuffer buffer) {

  /**
   * {@return a write of bytes that have already been converted to the view's representation}
   *
   * @param view the view
   * @param offset the offset in the view, in etypes
   * @param bytes the number of bytes
   */
  public static PositionedAccess ofConverted(FileView view, long offset, MemorySegment bytes) {
    return new PositionedAccess(true, view.ofConvertedBytes(), offset, MemoryBuffer.of(bytes));
  }

  /** Returns the number of bytes of the file that it covers. */
  long fileBytes() {
    return view.representation().verbatim() ? buffer.bytes() : conversion().fileBytes();
  }

  /** {@return the number of etypes that it covers} */
  public long etypes() {
    long bytes = fileBytes();
    if (bytes % view.etypeBytes() != 0) {
      throw new InvalidUseException(
          "access: actual="
              + bytes
              + " bytes, expected=a multiple of the etype's "
              + view.etypeBytes()
              + "; read and write whole etypes");
    }
    return bytes / view.etypeBytes();
  }

  RepresentationConversion conversion() {
    return new RepresentationConversion(buffer.signature(), view.representation());
  }

  /** {@return the extents of the access in the file} */
  public ExtentList extents() {
    return AccessExtents.inFile(view, offset, etypes() * view.etypeBytes());
  }
}
