package org.hyperslab.mpiio.file;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.staged.AccessExtents;

/**
 * A sequential model of a file and its pointers after each step. The byte that a step writes at an
 * offset depends only on the step and the offset, so that ranks that write the same offset in a
 * collective access write the same value.
 */
final class FileModel {

  private byte[] bytes = new byte[1 << 16];
  private int size;
  final FileView[] views;
  final long[] pointers;
  long shared;

  FileModel(int ranks) {
    views = new FileView[ranks];
    pointers = new long[ranks];
    Arrays.fill(views, FileView.bytes());
  }

  int size() {
    return size;
  }

  byte[] content() {
    return Arrays.copyOf(bytes, size);
  }

  void resize(int newSize) {
    if (newSize < size) {
      Arrays.fill(bytes, newSize, size, (byte) 0);
    }
    size = newSize;
  }

  static byte value(int step, long place) {
    long mixed = (place * 0x9E3779B97F4A7C15L) ^ (step * 0xC2B2AE3D27D4EB4FL);
    return (byte) (mixed >>> 29);
  }

  /** The places of an access, in packed order. */
  static List<Long> places(FileView view, long offset, long bytes) {
    List<Long> places = new ArrayList<>();
    for (ExtentList.Cursor cursor = AccessExtents.inFile(view, offset, bytes).cursor();
        cursor.next(); ) {
      for (long i = 0; i < cursor.length(); i++) {
        places.add(cursor.offset() + i);
      }
    }
    return places;
  }

  /** Returns the bytes that a step writes. */
  static byte[] data(int step, List<Long> places) {
    byte[] data = new byte[places.size()];
    for (int i = 0; i < data.length; i++) {
      data[i] = value(step, places.get(i));
    }
    return data;
  }

  void write(int step, List<Long> places) {
    for (long place : places) {
      while (place >= bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * bytes.length);
      }
      bytes[(int) place] = value(step, place);
      size = Math.max(size, (int) place + 1);
    }
  }

  /** Returns the result of a read, which is shorter at the end of the file. */
  byte[] read(List<Long> places) {
    int n = 0;
    while (n < places.size() && places.get(n) < size) {
      n++;
    }
    byte[] data = new byte[n];
    for (int i = 0; i < n; i++) {
      data[i] = bytes[(int) (long) places.get(i)];
    }
    return data;
  }
}
