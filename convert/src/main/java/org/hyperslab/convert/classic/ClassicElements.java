package org.hyperslab.convert.classic;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hyperslab.convert.bytes.InputBytes;
import org.hyperslab.convert.model.BoxBytes;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;

/**
 * Reads the elements of a variable. The records of several variables are interleaved in the file;
 * if a variable has few bytes in each record, whole records are read and its part is extracted.
 *
 * @param file the file
 * @param header its header
 * @param array the variable
 * @param dims its shape, records first
 */
record ClassicElements(
    InputBytes file, ClassicHeader header, ClassicHeader.Array array, long[] dims)
    implements ElementReader {

  private static final int SPAN_BYTES = 1 << 18;
  private static final int SMALL_PART_BYTES = 4096;
  private static final int SMALL_RECORD_BYTES = 1 << 16;

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    MemorySegment elements = target.elements();
    int size = array.type().size();
    if (!header.isRecord(array)) {
      new BoxBytes(dims, array.begin(), size).read(file, start, count, elements);
    } else {
      readRecords(start, count, elements);
    }
    array.type().swap(elements, Dataspace.product(count));
  }

  private void readRecords(long[] start, long[] count, MemorySegment elements) {
    long recordBytes = header.recordBytes();
    long innerBytes = header.innerBytes(array);
    if (recordBytes == innerBytes) { // records are contiguous
      new BoxBytes(dims, array.begin(), array.type().size()).read(file, start, count, elements);
      return;
    }
    long[] innerStart = Arrays.copyOfRange(start, 1, start.length);
    long[] innerCount = Arrays.copyOfRange(count, 1, count.length);
    long partBytes = Dataspace.product(innerCount) * array.type().size();
    boolean whole = partBytes == innerBytes;
    if (whole && innerBytes <= SMALL_PART_BYTES && recordBytes <= SMALL_RECORD_BYTES) {
      readSpans(start[0], count[0], elements, recordBytes, innerBytes);
      return;
    }
    long[] inner = header.innerShape(array);
    for (long r = 0; r < count[0]; r++) {
      long at = array.begin() + (start[0] + r) * recordBytes;
      new BoxBytes(inner, at, array.type().size())
          .read(file, innerStart, innerCount, elements.asSlice(r * partBytes, partBytes));
    }
  }

  private void readSpans(
      long first, long count, MemorySegment elements, long recordBytes, long innerBytes) {
    long most = Math.max(1, SPAN_BYTES / recordBytes);
    MemorySegment span =
        MemorySegment.ofArray(new byte[(int) (Math.min(most, count) * recordBytes)]);
    for (long r = 0; r < count; r += most) {
      long records = Math.min(most, count - r);
      long bytes = (records - 1) * recordBytes + innerBytes;
      file.read(array.begin() + (first + r) * recordBytes, span.asSlice(0, bytes));
      for (long i = 0; i < records; i++) {
        MemorySegment.copy(span, i * recordBytes, elements, (r + i) * innerBytes, innerBytes);
      }
    }
  }
}
