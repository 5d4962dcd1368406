package org.hyperslab.plugins.nativevol.storage;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.header.ExternalFileListMessage;
import org.hyperslab.format.heap.LocalHeap;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.file.RawData;
import org.hyperslab.plugins.nativevol.store.LocalFiles;
import org.hyperslab.plugins.nativevol.transfer.RawBytes;

/**
 * Presents the external files that hold a dataset's elements as one array of bytes. Files are
 * opened when they are first needed. Bytes beyond the end of a file read as zeros, as in the HDF5
 * library; a file that does not exist cannot be read, and is created when it is written.
 *
 * <p>Files are searched for at the prefix of {@code HDF5_EXTFILE_PREFIX}, at that of the property
 * {@code externalFilePrefix}, beside the HDF5 file, and in the working directory; {@link
 * SourcePlaces} adds the properties of the dataset.
 *
 * <p>Thread rule: any thread.
 */
public final class ExternalSegments implements RawBytes, AutoCloseable {

  private final SourcePlaces places;
  private final NativeFile file;
  private final List<Segment> segments = new ArrayList<>();

  /**
   * Finds the external files of a dataset.
   *
   * @param places where the files are
   * @param message their names and the parts of them that are used
   */
  public ExternalSegments(SourcePlaces places, ExternalFileListMessage message) {
    this.places = places;
    this.file = places.file();
    LocalHeap names = LocalHeap.open(file.metadata(), message.heapAddress());
    long start = 0;
    for (ExternalFileListMessage.Slot slot : message.slots()) {
      boolean unlimited = slot.sizeBytes() == ExternalFileListMessage.UNLIMITED;
      long end = unlimited ? Long.MAX_VALUE : Math.addExact(start, slot.sizeBytes());
      segments.add(new Segment(names.text(slot.nameOffset()), slot.fileOffset(), start, end));
      start = end;
    }
  }

  /** A part of the array, from start to end, that is in one file from an offset on. */
  private final class Segment {
    private final String name;
    private final long offset;
    private final long start;
    private final long end;
    private ByteStore store;

    /** The greatest size of the store that was seen. */
    private long seenBytes;

    Segment(String name, long offset, long start, long end) {
      this.name = name;
      this.offset = offset;
      this.start = start;
      this.end = end;
    }

    synchronized ByteStore open(boolean forWriting) {
      if (store == null || (forWriting && store.readOnly())) {
        if (store != null) {
          store.close();
        }
        store = openStore(forWriting);
      }
      return store;
    }

    synchronized boolean exists() {
      return store != null || find().isPresent();
    }

    private List<Path> places() {
      return places.ofExternal(name);
    }

    private Optional<Path> find() {
      LocalFiles files = LocalFiles.of(file.options());
      return places().stream().filter(files::exists).findFirst();
    }

    private ByteStore openStore(boolean forWriting) {
      LocalFiles files = LocalFiles.of(file.options());
      Optional<Path> found = find();
      if (forWriting) {
        return files.open(found.orElseGet(() -> places().getFirst()), FileAccess.CREATE);
      }
      return files.open(
          found.orElseThrow(() ->
              new NotFoundException(
                  "external raw file: actual=not found, expected=" + name + ", at=" + file.name())),
          FileAccess.READ);
    }

    /**
     * Returns how many bytes of a range of the file exist. A file that never had the others reads
     * as zeros, one that another program has cut does not.
     */
    synchronized long heldBytes(long from, long length) {
      long size = open(false).size();
      if (size < seenBytes && from + length > size && from < seenBytes) {
        throw RawData.cut(name, size, seenBytes);
      }
      seenBytes = Math.max(seenBytes, size);
      return Math.clamp(size - from, 0, length);
    }

    synchronized void close() {
      if (store != null) {
        store.close();
      }
    }
  }

  @Override
  public void read(long at, MemorySegment target) {
    forEachPart(at, target, ExternalSegments::readPart);
  }

  private static void readPart(Segment segment, long from, MemorySegment part) {
    long held = segment.heldBytes(from, part.byteSize());
    if (held > 0) {
      segment.open(false).read(from, part.asSlice(0, held));
    }
    part.asSlice(held).fill((byte) 0);
  }

  @Override
  public void write(long at, MemorySegment source) {
    forEachPart(at, source, (segment, from, part) -> segment.open(true).write(from, part));
  }

  /**
   * Returns the same bytes for a transfer that writes. It also reads what lies between the elements
   * that it writes: zeros where a file does not exist yet.
   */
  RawBytes forWriting() {
    return new RawBytes() {
      @Override
      public void read(long at, MemorySegment target) {
        forEachPart(
            at,
            target,
            (segment, from, part) -> {
              if (segment.exists()) {
                readPart(segment, from, part);
              } else {
                part.fill((byte) 0);
              }
            });
      }

      @Override
      public void write(long at, MemorySegment source) {
        ExternalSegments.this.write(at, source);
      }
    };
  }

  private interface PartAction {
    void run(Segment segment, long fileOffset, MemorySegment part);
  }

  private void forEachPart(long at, MemorySegment bytes, PartAction action) {
    long done = 0;
    for (Segment segment : segments) {
      long from = at + done;
      if (done < bytes.byteSize() && from >= segment.start && from < segment.end) {
        long length = Math.min(bytes.byteSize() - done, segment.end - from);
        long offset = Math.addExact(segment.offset, from - segment.start);
        action.run(segment, offset, bytes.asSlice(done, length));
        done += length;
      }
    }
    if (done < bytes.byteSize()) {
      throw new StorageException(
          "external raw files: actual=room for "
              + segments.getLast().end
              + " bytes, expected=at least "
              + (at + bytes.byteSize())
              + ", at="
              + file.name());
    }
  }

  /** Returns the names, offsets and sizes as a user states them. */
  List<Layout.External.Segment> described() {
    return segments.stream()
        .map(each ->
            new Layout.External.Segment(
                each.name, each.offset, each.end == Long.MAX_VALUE ? -1 : each.end - each.start))
        .toList();
  }

  /** Returns the number of bytes that the segments can hold. */
  long capacity() {
    return segments.isEmpty() ? 0 : segments.getLast().end;
  }

  @Override
  public void close() {
    segments.forEach(Segment::close);
  }
}
