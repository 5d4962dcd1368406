package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;

/**
 * A file that the ranks of a communicator have opened together through the MPI library's own
 * MPI-IO, with every data access routine of the standard.
 *
 * <p>Names: {@code At} takes an explicit offset; other routines use the rank's individual file
 * pointer. {@code All} are collective; {@link #shared} has the routines for the shared file
 * pointer. {@code start…} returns a request; {@code begin…} returns the first half of a split
 * collective, of which a file has at most one at a time. Offsets count etypes of the current view;
 * with no view set, bytes. The status has the number of bytes moved, which at the end of a file is
 * less than requested.
 *
 * <p>Libraries differ: OMPIO (Open MPI's default) may give a rank stale bytes when it reads back
 * what it has just written collectively, unless the ranks make a barrier first; it executes
 * non-blocking collectives one rank at a time and has no atomic mode; in {@code io romio321} of
 * Open MPI 4.1 {@link #startWriteAtAll} crashes.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class MpiFileHandle implements AutoCloseable {

  private static final int NAME_BYTES = 256;

  private final Mpi mpi;
  private final Library library;
  private final long handle;
  private boolean closed;

  /** The origin of a movement of a file pointer. */
  public enum Whence {
    /** The beginning of the view. */
    START(Constant.SEEK_SET),
    /** The current position. */
    CURRENT(Constant.SEEK_CUR),
    /** The end of the file. */
    END(Constant.SEEK_END);

    private final Constant constant;

    Whence(Constant constant) {
      this.constant = constant;
    }
  }

  /**
   * The view of a file: the part that a rank accesses.
   *
   * @param displacementBytes the offset in the file at which the view begins, in bytes
   * @param elementary the etype, the unit of offsets; to be closed by the caller that set the view
   * @param file the filetype, which selects the visible bytes and repeats; to be closed likewise
   * @param representation {@code native}, {@code internal}, {@code external32} or a registered one
   */
  public record View(
      long displacementBytes, MpiDatatype elementary, MpiDatatype file, String representation) {}

  private MpiFileHandle(Mpi mpi, long handle) {
    this.mpi = mpi;
    this.library = mpi.library();
    this.handle = handle;
    long returning = library.handle(Predefined.ERRORS_RETURN);
    library.call(Call.FILE_SET_ERRHANDLER, value(handle), value(returning));
  }

  /**
   * Opens a file; collective.
   *
   * @param communicator the ranks
   * @param name the path of the file
   * @param modes how to open it
   * @param info hints, or null for none
   * @return the open file, to be closed by the caller
   * @throws org.hyperslab.error.MpiException if it cannot be opened
   */
  public static MpiFileHandle open(
      MpiCommunicator communicator, String name, Set<MpiFileMode> modes, MpiInfo info) {
    Library library = communicator.mpi().library();
    int bits = 0;
    for (MpiFileMode mode : modes) {
      bits |= library.constant(mode.constant);
    }
    int mode = bits;
    long hints = MpiInfo.handleOf(library, info);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(name);
      MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
      library.call(
          Call.FILE_OPEN, value(communicator.handle()), path, value(mode), value(hints), place);
      return new MpiFileHandle(communicator.mpi(), place.get(ValueLayout.JAVA_LONG, 0));
    }
  }

  /**
   * Deletes a file that is not open. One rank calls this.
   *
   * @param mpi MPI
   * @param name the path of the file
   * @param info hints, or null for none
   * @throws org.hyperslab.error.MpiException if the file does not exist
   */
  public static void delete(Mpi mpi, String name, MpiInfo info) {
    Library library = mpi.library();
    long hints = MpiInfo.handleOf(library, info);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(name);
      library.call(Call.FILE_DELETE, path, value(hints));
    }
  }

  /**
   * Sets the length, cutting or extending the file; collective.
   *
   * @param bytes the length in bytes
   */
  public void setSize(long bytes) {
    library.call(Call.FILE_SET_SIZE, value(handle()), value(bytes));
  }

  /**
   * Allocates storage for at least {@code bytes} bytes; collective. The file is never shortened.
   *
   * @param bytes the length in bytes
   */
  public void preallocate(long bytes) {
    library.call(Call.FILE_PREALLOCATE, value(handle()), value(bytes));
  }

  /** {@return the length in bytes} */
  public long size() {
    return aLong(Call.FILE_GET_SIZE);
  }

  /** {@return the modes with which the file was opened} */
  public Set<MpiFileMode> modes() {
    int bits = anInt(Call.FILE_GET_AMODE);
    Set<MpiFileMode> modes = EnumSet.noneOf(MpiFileMode.class);
    for (MpiFileMode mode : MpiFileMode.values()) {
      if ((bits & library.constant(mode.constant)) != 0) {
        modes.add(mode);
      }
    }
    return modes;
  }

  /** {@return the ranks, in the world, that opened the file} */
  public int[] ranks() {
    long mine = library.newHandle(Call.FILE_GET_GROUP, value(handle()));
    long world = mpi.world().group();
    try {
      return MpiGroups.translate(library, mine, world);
    } finally {
      library.free(Call.GROUP_FREE, mine);
      library.free(Call.GROUP_FREE, world);
    }
  }

  /**
   * Sets hints; collective. The library ignores hints that it cannot change after opening.
   *
   * @param info the hints
   */
  public void setInfo(MpiInfo info) {
    long hints = MpiInfo.handleOf(library, info);
    library.call(Call.FILE_SET_INFO, value(handle()), value(hints));
  }

  /** {@return the hints in use, to be closed by the caller} */
  public MpiInfo info() {
    return MpiInfo.owning(library, library.newHandle(Call.FILE_GET_INFO, value(handle())));
  }

  /**
   * Sets this rank's view of the file, and both file pointers to its beginning; collective.
   *
   * @param view the view
   * @param info hints, or null for none
   */
  public void setView(View view, MpiInfo info) {
    long displacement = view.displacementBytes();
    long elementary = view.elementary().handle();
    long filetype = view.file().handle();
    long hints = MpiInfo.handleOf(library, info);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(view.representation());
      library.call(
          Call.FILE_SET_VIEW,
          value(handle()),
          value(displacement),
          value(elementary),
          value(filetype),
          name,
          value(hints));
    }
  }

  /** {@return this rank's view of the file; its datatypes are to be closed by the caller} */
  public View view() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment displacement = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment elementary = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment filetype = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment name = arena.allocate(NAME_BYTES);
      library.call(Call.FILE_GET_VIEW, value(handle()), displacement, elementary, filetype, name);
      return new View(
          displacement.get(ValueLayout.JAVA_LONG, 0),
          MpiDatatype.returned(library, library.handleAt(elementary, 0)),
          MpiDatatype.returned(library, library.handleAt(filetype, 0)),
          name.getString(0));
    }
  }

  /**
   * {@return the extent in bytes of an element in the file, in the current view's representation}
   *
   * @param type the datatype of an element
   */
  public long typeExtentBytes(MpiDatatype type) {
    return library.aLong(Call.FILE_GET_TYPE_EXTENT, value(handle()), value(type.handle()));
  }

  /**
   * Sets atomic mode, in which overlapping accesses take effect one after the other; collective.
   *
   * @param atomic whether accesses are to be atomic
   */
  public void setAtomic(boolean atomic) {
    int flag = atomic ? 1 : 0;
    library.call(Call.FILE_SET_ATOMICITY, value(handle()), value(flag));
  }

  /** {@return whether the file is in atomic mode} */
  public boolean isAtomic() {
    return anInt(Call.FILE_GET_ATOMICITY) != 0;
  }

  /**
   * Flushes this rank's writes to the device, and makes the writes that others have flushed visible
   * to this rank; collective.
   */
  public void sync() {
    library.call(Call.FILE_SYNC, value(handle()));
  }

  /**
   * Moves this rank's individual file pointer.
   *
   * @param offset the offset, in etypes of the view
   * @param whence the origin of the offset
   */
  public void seek(long offset, Whence whence) {
    seek(Call.FILE_SEEK, offset, whence);
  }

  void seek(Call call, long offset, Whence whence) {
    int from = library.constant(whence.constant);
    library.call(call, value(handle()), value(offset), value(from));
  }

  /** {@return this rank's individual file pointer, in etypes of the view} */
  public long position() {
    return aLong(Call.FILE_GET_POSITION);
  }

  /**
   * {@return the byte offset in the file of an offset in the view}
   *
   * @param offset the offset, in etypes of the view
   */
  public long byteOffset(long offset) {
    return library.aLong(Call.FILE_GET_BYTE_OFFSET, value(handle()), value(offset));
  }

  /**
   * Reads at an offset.
   *
   * @param offset the offset, in etypes of the view
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes read
   */
  public MpiStatus readAt(long offset, MemorySegment into, long count, MpiDatatype type) {
    return at(Call.FILE_READ_AT, offset, new FileTransfer(into, count, type));
  }

  /**
   * Reads at an offset; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes read
   */
  public MpiStatus readAtAll(long offset, MemorySegment into, long count, MpiDatatype type) {
    return at(Call.FILE_READ_AT_ALL, offset, new FileTransfer(into, count, type));
  }

  /**
   * Writes at an offset.
   *
   * @param offset the offset, in etypes of the view
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes written
   */
  public MpiStatus writeAt(long offset, MemorySegment data, long count, MpiDatatype type) {
    return at(Call.FILE_WRITE_AT, offset, new FileTransfer(data, count, type));
  }

  /**
   * Writes at an offset; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes written
   */
  public MpiStatus writeAtAll(long offset, MemorySegment data, long count, MpiDatatype type) {
    return at(Call.FILE_WRITE_AT_ALL, offset, new FileTransfer(data, count, type));
  }

  /**
   * Starts to read at an offset.
   *
   * @param offset the offset, in etypes of the view
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startReadAt(long offset, MemorySegment into, long count, MpiDatatype type) {
    return startAt(Call.FILE_IREAD_AT, offset, new FileTransfer(into, count, type));
  }

  /**
   * Starts to read at an offset; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startReadAtAll(long offset, MemorySegment into, long count, MpiDatatype type) {
    return startAt(Call.FILE_IREAD_AT_ALL, offset, new FileTransfer(into, count, type));
  }

  /**
   * Starts to write at an offset.
   *
   * @param offset the offset, in etypes of the view
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startWriteAt(long offset, MemorySegment data, long count, MpiDatatype type) {
    return startAt(Call.FILE_IWRITE_AT, offset, new FileTransfer(data, count, type));
  }

  /**
   * Starts to write at an offset; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startWriteAtAll(long offset, MemorySegment data, long count, MpiDatatype type) {
    return startAt(Call.FILE_IWRITE_AT_ALL, offset, new FileTransfer(data, count, type));
  }

  /**
   * Reads at this rank's individual file pointer.
   *
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes read
   */
  public MpiStatus read(MemorySegment into, long count, MpiDatatype type) {
    return here(Call.FILE_READ, new FileTransfer(into, count, type));
  }

  /**
   * Reads at each rank's individual file pointer; collective.
   *
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes read
   */
  public MpiStatus readAll(MemorySegment into, long count, MpiDatatype type) {
    return here(Call.FILE_READ_ALL, new FileTransfer(into, count, type));
  }

  /**
   * Writes at this rank's individual file pointer.
   *
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes written
   */
  public MpiStatus write(MemorySegment data, long count, MpiDatatype type) {
    return here(Call.FILE_WRITE, new FileTransfer(data, count, type));
  }

  /**
   * Writes at each rank's individual file pointer; collective.
   *
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the status of the transfer, with the number of bytes written
   */
  public MpiStatus writeAll(MemorySegment data, long count, MpiDatatype type) {
    return here(Call.FILE_WRITE_ALL, new FileTransfer(data, count, type));
  }

  /**
   * Starts to read at this rank's individual file pointer, which moves at once.
   *
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startRead(MemorySegment into, long count, MpiDatatype type) {
    return startHere(Call.FILE_IREAD, new FileTransfer(into, count, type));
  }

  /**
   * Starts to read at each rank's individual file pointer; collective.
   *
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startReadAll(MemorySegment into, long count, MpiDatatype type) {
    return startHere(Call.FILE_IREAD_ALL, new FileTransfer(into, count, type));
  }

  /**
   * Starts to write at this rank's individual file pointer, which moves at once.
   *
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startWrite(MemorySegment data, long count, MpiDatatype type) {
    return startHere(Call.FILE_IWRITE, new FileTransfer(data, count, type));
  }

  /** {@return the shared file pointer and the accesses at it} */
  public MpiSharedPointer shared() {
    return new MpiSharedPointer(this);
  }

  /**
   * Starts to write at each rank's individual file pointer; collective.
   *
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startWriteAll(MemorySegment data, long count, MpiDatatype type) {
    return startHere(Call.FILE_IWRITE_ALL, new FileTransfer(data, count, type));
  }

  /**
   * Begins the split collective {@link #readAtAll}.
   *
   * @param offset the offset, in etypes of the view
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginReadAtAll(long offset, MemorySegment into, long count, MpiDatatype type) {
    return MpiSplit.beginAt(
        this, MpiSplit.READ_AT_ALL, offset, new FileTransfer(into, count, type));
  }

  /**
   * Begins the split collective {@link #writeAtAll}.
   *
   * @param offset the offset, in etypes of the view
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginWriteAtAll(long offset, MemorySegment data, long count, MpiDatatype type) {
    return MpiSplit.beginAt(
        this, MpiSplit.WRITE_AT_ALL, offset, new FileTransfer(data, count, type));
  }

  /**
   * Begins the split collective {@link #readAll}.
   *
   * @param into the memory that receives the elements
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginReadAll(MemorySegment into, long count, MpiDatatype type) {
    return MpiSplit.begin(this, MpiSplit.READ_ALL, new FileTransfer(into, count, type));
  }

  /**
   * Begins the split collective {@link #writeAll}.
   *
   * @param data the elements to write
   * @param count the number of elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginWriteAll(MemorySegment data, long count, MpiDatatype type) {
    return MpiSplit.begin(this, MpiSplit.WRITE_ALL, new FileTransfer(data, count, type));
  }

  private MpiStatus at(Call call, long offset, FileTransfer elements) {
    FileTransfer.requireOffset(call, offset);
    return elements.run(library, call, value(handle()), value(offset));
  }

  MpiStatus here(Call call, FileTransfer elements) {
    return elements.run(library, call, value(handle()));
  }

  private MpiRequest startAt(Call call, long offset, FileTransfer elements) {
    FileTransfer.requireOffset(call, offset);
    return elements.start(library, call, value(handle()), value(offset));
  }

  MpiRequest startHere(Call call, FileTransfer elements) {
    return elements.start(library, call, value(handle()));
  }

  long aLong(Call call) {
    return library.aLong(call, value(handle()));
  }

  private int anInt(Call call) {
    return library.anInt(call, value(handle()));
  }

  Library library() {
    return library;
  }

  long handle() {
    if (closed) {
      throw new InvalidUseException("MPI file: actual=a closed one, expected=an open one");
    }
    return handle;
  }

  /** Closes the file; collective. Closing it again does nothing. */
  @Override
  public void close() {
    if (!closed && !library.isFinished()) {
      closed = true;
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment place = arena.allocateFrom(ValueLayout.JAVA_LONG, handle);
        library.call(Call.FILE_CLOSE, place);
      }
    }
  }
}
