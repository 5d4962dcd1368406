package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;

/**
 * A file that the ranks of a communicator have opened together, as the library's own MPI-IO offers
 * it: every data access routine of the standard.
 *
 * <p>Names: {@code At} takes an explicit offset; without it the rank's own file pointer is used,
 * and with {@code Shared} or {@code Ordered} the one that all ranks share. {@code All} and {@code
 * Ordered} are collective. {@code start…} returns a request; {@code begin…} returns the first half
 * of a split collective, of which a file has at most one at a time. Offsets count elementary types
 * of the present view, and with no view set, bytes. The status says how many bytes were moved,
 * which at the end of a file is less than asked.
 *
 * <p>Libraries differ: OMPIO (Open MPI's default) may give a rank stale bytes when it reads back
 * what it has just written collectively, unless the ranks meet in a barrier first; it carries out
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

  /** How a file is opened. Exactly one of the first three is given. */
  public enum Mode {
    /** Only to be read. */
    READ_ONLY(Constant.MODE_RDONLY),
    /** Only to be written. */
    WRITE_ONLY(Constant.MODE_WRONLY),
    /** To be read and written. */
    READ_WRITE(Constant.MODE_RDWR),
    /** Made if it does not exist. */
    CREATE(Constant.MODE_CREATE),
    /** With {@link #CREATE}: must not exist. */
    EXCLUSIVE(Constant.MODE_EXCL),
    /** Deleted when closed. */
    DELETE_ON_CLOSE(Constant.MODE_DELETE_ON_CLOSE),
    /** Opened by nobody else meanwhile. */
    UNIQUE_OPEN(Constant.MODE_UNIQUE_OPEN),
    /** Pointers begin at its end. */
    APPEND(Constant.MODE_APPEND),
    /** Only read or written in order. */
    SEQUENTIAL(Constant.MODE_SEQUENTIAL);

    private final Constant constant;

    Mode(Constant constant) {
      this.constant = constant;
    }
  }

  /** From where a pointer is moved. */
  public enum Whence {
    /** From the beginning of the view. */
    START(Constant.SEEK_SET),
    /** From where it is. */
    CURRENT(Constant.SEEK_CUR),
    /** From the end of the file. */
    END(Constant.SEEK_END);

    private final Constant constant;

    Whence(Constant constant) {
      this.constant = constant;
    }
  }

  /**
   * What a rank sees of a file.
   *
   * @param displacementBytes where the view begins
   * @param elementary what offsets count; to be closed by whoever asked for the view
   * @param file which bytes are seen, again and again; to be closed likewise
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
   * @return the file; to be closed by the caller
   * @throws org.hyperslab.error.MpiException if it cannot be opened
   */
  public static MpiFileHandle open(
      MpiCommunicator communicator, String name, Set<Mode> modes, MpiInfo info) {
    Library library = communicator.mpi().library();
    int bits = 0;
    for (Mode mode : modes) {
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
   * Deletes a file that is not open; called by one rank.
   *
   * @param mpi MPI
   * @param name the path of the file
   * @param info hints, or null for none
   * @throws org.hyperslab.error.MpiException if there is none
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
   * @param bytes the size in bytes
   */
  public void setSize(long bytes) {
    library.call(Call.FILE_SET_SIZE, value(handle()), value(bytes));
  }

  /**
   * Takes storage for so many bytes; collective. The file does not become shorter.
   *
   * @param bytes the size in bytes
   */
  public void preallocate(long bytes) {
    library.call(Call.FILE_PREALLOCATE, value(handle()), value(bytes));
  }

  /** {@return the length in bytes} */
  public long size() {
    return aLong(Call.FILE_GET_SIZE);
  }

  /** {@return how it was opened} */
  public Set<Mode> modes() {
    int bits = anInt(Call.FILE_GET_AMODE);
    Set<Mode> modes = EnumSet.noneOf(Mode.class);
    for (Mode mode : Mode.values()) {
      if ((bits & library.constant(mode.constant)) != 0) {
        modes.add(mode);
      }
    }
    return modes;
  }

  /** {@return the numbers in the world of the ranks that opened it} */
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
   * Sets hints; collective. What cannot be changed any more is ignored.
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
   * Sets what this rank sees of the file, and both pointers to its beginning; collective.
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

  /** {@return what this rank sees of the file} */
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
   * {@return bytes that an element takes in the file, in the present view's representation}
   *
   * @param type the datatype of an element
   */
  public long typeExtentBytes(MpiDatatype type) {
    return library.aLong(Call.FILE_GET_TYPE_EXTENT, value(handle()), value(type.handle()));
  }

  /**
   * Whether accesses that overlap take effect one after the other; collective.
   *
   * @param atomic whether accesses are atomic
   */
  public void setAtomic(boolean atomic) {
    int flag = atomic ? 1 : 0;
    library.call(Call.FILE_SET_ATOMICITY, value(handle()), value(flag));
  }

  /** {@return whether accesses that overlap take effect one after the other} */
  public boolean isAtomic() {
    return anInt(Call.FILE_GET_ATOMICITY) != 0;
  }

  /** Sends what was written to the device, and lets this rank see what others have; collective. */
  public void sync() {
    library.call(Call.FILE_SYNC, value(handle()));
  }

  /**
   * Moves this rank's pointer.
   *
   * @param offset the offset, in etypes of the view
   * @param whence what the offset counts from
   */
  public void seek(long offset, Whence whence) {
    int from = library.constant(whence.constant);
    library.call(Call.FILE_SEEK, value(handle()), value(offset), value(from));
  }

  /**
   * Moves the shared pointer; collective, with the same arguments on all ranks.
   *
   * @param offset the offset, in etypes of the view
   * @param whence what the offset counts from
   */
  public void seekShared(long offset, Whence whence) {
    int from = library.constant(whence.constant);
    library.call(Call.FILE_SEEK_SHARED, value(handle()), value(offset), value(from));
  }

  /** {@return where this rank's pointer is} */
  public long position() {
    return aLong(Call.FILE_GET_POSITION);
  }

  /** {@return where the shared pointer is} */
  public long sharedPosition() {
    return aLong(Call.FILE_GET_POSITION_SHARED);
  }

  /**
   * {@return the byte of the file at which an offset of the view lies}
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
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was read
   */
  public MpiStatus readAt(long offset, MemorySegment into, long count, MpiDatatype type) {
    return at(Call.FILE_READ_AT, offset, new Elements(into, count, type));
  }

  /**
   * Reads at an offset; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was read
   */
  public MpiStatus readAtAll(long offset, MemorySegment into, long count, MpiDatatype type) {
    return at(Call.FILE_READ_AT_ALL, offset, new Elements(into, count, type));
  }

  /**
   * Writes at an offset.
   *
   * @param offset the offset, in etypes of the view
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was written
   */
  public MpiStatus writeAt(long offset, MemorySegment data, long count, MpiDatatype type) {
    return at(Call.FILE_WRITE_AT, offset, new Elements(data, count, type));
  }

  /**
   * Writes at an offset; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was written
   */
  public MpiStatus writeAtAll(long offset, MemorySegment data, long count, MpiDatatype type) {
    return at(Call.FILE_WRITE_AT_ALL, offset, new Elements(data, count, type));
  }

  /**
   * Starts to read at an offset.
   *
   * @param offset the offset, in etypes of the view
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startReadAt(long offset, MemorySegment into, long count, MpiDatatype type) {
    return startAt(Call.FILE_IREAD_AT, offset, new Elements(into, count, type));
  }

  /**
   * Starts to read at an offset; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startReadAtAll(long offset, MemorySegment into, long count, MpiDatatype type) {
    return startAt(Call.FILE_IREAD_AT_ALL, offset, new Elements(into, count, type));
  }

  /**
   * Starts to write at an offset.
   *
   * @param offset the offset, in etypes of the view
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startWriteAt(long offset, MemorySegment data, long count, MpiDatatype type) {
    return startAt(Call.FILE_IWRITE_AT, offset, new Elements(data, count, type));
  }

  /**
   * Starts to write at an offset; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startWriteAtAll(long offset, MemorySegment data, long count, MpiDatatype type) {
    return startAt(Call.FILE_IWRITE_AT_ALL, offset, new Elements(data, count, type));
  }

  /**
   * Reads at this rank's pointer.
   *
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was read
   */
  public MpiStatus read(MemorySegment into, long count, MpiDatatype type) {
    return here(Call.FILE_READ, new Elements(into, count, type));
  }

  /**
   * Reads at each rank's pointer; collective.
   *
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was read
   */
  public MpiStatus readAll(MemorySegment into, long count, MpiDatatype type) {
    return here(Call.FILE_READ_ALL, new Elements(into, count, type));
  }

  /**
   * Writes at this rank's pointer.
   *
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was written
   */
  public MpiStatus write(MemorySegment data, long count, MpiDatatype type) {
    return here(Call.FILE_WRITE, new Elements(data, count, type));
  }

  /**
   * Writes at each rank's pointer; collective.
   *
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was written
   */
  public MpiStatus writeAll(MemorySegment data, long count, MpiDatatype type) {
    return here(Call.FILE_WRITE_ALL, new Elements(data, count, type));
  }

  /**
   * Starts to read at this rank's pointer, which moves at once.
   *
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startRead(MemorySegment into, long count, MpiDatatype type) {
    return startHere(Call.FILE_IREAD, new Elements(into, count, type));
  }

  /**
   * Starts to read at each rank's pointer; collective.
   *
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startReadAll(MemorySegment into, long count, MpiDatatype type) {
    return startHere(Call.FILE_IREAD_ALL, new Elements(into, count, type));
  }

  /**
   * Starts to write at this rank's pointer, which moves at once.
   *
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startWrite(MemorySegment data, long count, MpiDatatype type) {
    return startHere(Call.FILE_IWRITE, new Elements(data, count, type));
  }

  /**
   * Starts to write at each rank's pointer; collective.
   *
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startWriteAll(MemorySegment data, long count, MpiDatatype type) {
    return startHere(Call.FILE_IWRITE_ALL, new Elements(data, count, type));
  }

  /**
   * Reads at the shared pointer; ranks come in no order.
   *
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was read
   */
  public MpiStatus readShared(MemorySegment into, long count, MpiDatatype type) {
    return here(Call.FILE_READ_SHARED, new Elements(into, count, type));
  }

  /**
   * Writes at the shared pointer; ranks come in no order.
   *
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was written
   */
  public MpiStatus writeShared(MemorySegment data, long count, MpiDatatype type) {
    return here(Call.FILE_WRITE_SHARED, new Elements(data, count, type));
  }

  /**
   * Starts to read at the shared pointer.
   *
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startReadShared(MemorySegment into, long count, MpiDatatype type) {
    return startHere(Call.FILE_IREAD_SHARED, new Elements(into, count, type));
  }

  /**
   * Starts to write at the shared pointer.
   *
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return the request; memory that it uses must stay untouched until it has completed
   */
  public MpiRequest startWriteShared(MemorySegment data, long count, MpiDatatype type) {
    return startHere(Call.FILE_IWRITE_SHARED, new Elements(data, count, type));
  }

  /**
   * Reads at the shared pointer as if the ranks came in order; collective.
   *
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was read
   */
  public MpiStatus readOrdered(MemorySegment into, long count, MpiDatatype type) {
    return here(Call.FILE_READ_ORDERED, new Elements(into, count, type));
  }

  /**
   * Writes at the shared pointer as if the ranks came in order; collective.
   *
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return what was written
   */
  public MpiStatus writeOrdered(MemorySegment data, long count, MpiDatatype type) {
    return here(Call.FILE_WRITE_ORDERED, new Elements(data, count, type));
  }

  /**
   * First half of {@link #readAtAll}.
   *
   * @param offset the offset, in etypes of the view
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginReadAtAll(long offset, MemorySegment into, long count, MpiDatatype type) {
    return MpiSplit.beginAt(this, MpiSplit.READ_AT_ALL, offset, new Elements(into, count, type));
  }

  /**
   * First half of {@link #writeAtAll}.
   *
   * @param offset the offset, in etypes of the view
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginWriteAtAll(long offset, MemorySegment data, long count, MpiDatatype type) {
    return MpiSplit.beginAt(this, MpiSplit.WRITE_AT_ALL, offset, new Elements(data, count, type));
  }

  /**
   * First half of {@link #readAll}.
   *
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginReadAll(MemorySegment into, long count, MpiDatatype type) {
    return MpiSplit.begin(this, MpiSplit.READ_ALL, new Elements(into, count, type));
  }

  /**
   * First half of {@link #writeAll}.
   *
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginWriteAll(MemorySegment data, long count, MpiDatatype type) {
    return MpiSplit.begin(this, MpiSplit.WRITE_ALL, new Elements(data, count, type));
  }

  /**
   * First half of {@link #readOrdered}.
   *
   * @param into where the elements go
   * @param count how many elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginReadOrdered(MemorySegment into, long count, MpiDatatype type) {
    return MpiSplit.begin(this, MpiSplit.READ_ORDERED, new Elements(into, count, type));
  }

  /**
   * First half of {@link #writeOrdered}.
   *
   * @param data the elements to write
   * @param count how many elements
   * @param type the datatype of an element
   * @return the access; its second half must be called
   */
  public MpiSplit beginWriteOrdered(MemorySegment data, long count, MpiDatatype type) {
    return MpiSplit.begin(this, MpiSplit.WRITE_ORDERED, new Elements(data, count, type));
  }

  /** Memory that a transfer reads or writes. */
  record Elements(MemorySegment memory, long count, MpiDatatype type) {
    Elements {
      type.requireRoom(memory, count);
    }

    /** Reading into gaps leaves them alone, so a stand-in must hold what is there. */
    HeapStaging.Staged stage(Library library, boolean reads) {
      return reads && type.isDense()
          ? library.buffers().empty(memory)
          : library.buffers().filled(memory);
    }

    void copyOut(HeapStaging.Staged staged, MpiStatus status) {
      staged.copyOut(0, type.isDense() ? status.bytes() : memory.byteSize());
    }

    MpiRequest.Return back(boolean reads) {
      if (!reads) {
        return MpiRequest.Return.NOTHING;
      }
      return type.isDense() ? MpiRequest.Return.RECEIVED : MpiRequest.Return.ALL;
    }
  }

  static boolean reads(Call call) {
    return call.name().contains("READ");
  }

  /** OMPIO itself takes a negative offset for a success. */
  static void requireOffset(Call call, long offset) {
    if (offset < 0) {
      throw new InvalidUseException(
          call.symbol() + ": actual=" + offset + ", expected=an offset of at least 0");
    }
  }

  private MpiStatus at(Call call, long offset, Elements elements) {
    requireOffset(call, offset);
    return transfer(call, elements, value(handle()), value(offset));
  }

  private MpiStatus here(Call call, Elements elements) {
    return transfer(call, elements, value(handle()));
  }

  /** The arguments of a transfer: {@code where} it is, then what it moves. */
  private static MemorySegment[] arguments(
      MemorySegment[] where, HeapStaging.Staged memory, LargeCount n, MemorySegment... last) {
    MemorySegment[] what = n.arguments(memory.memory(), last);
    MemorySegment[] all = Arrays.copyOf(where, where.length + what.length);
    System.arraycopy(what, 0, all, where.length, what.length);
    return all;
  }

  private MpiStatus transfer(Call call, Elements elements, MemorySegment... where) {
    boolean reads = reads(call);
    try (Arena arena = Arena.ofConfined();
        HeapStaging.Staged memory = elements.stage(library, reads);
        LargeCount n = LargeCount.of(library, elements.count, elements.type.handle())) {
      MemorySegment result = library.newStatus(arena);
      library.call(call, arguments(where, memory, n, result));
      MpiStatus status = library.status(result);
      if (reads) {
        elements.copyOut(memory, status);
      }
      return new MpiStatus(-1, -1, status.bytes());
    }
  }

  private MpiRequest startAt(Call call, long offset, Elements elements) {
    requireOffset(call, offset);
    return start(call, elements, value(handle()), value(offset));
  }

  private MpiRequest startHere(Call call, Elements elements) {
    return start(call, elements, value(handle()));
  }

  private MpiRequest start(Call call, Elements elements, MemorySegment... where) {
    boolean reads = reads(call);
    try (LargeCount n = LargeCount.of(library, elements.count, elements.type.handle())) {
      HeapStaging.Staged memory = elements.stage(library, reads);
      return MpiRequest.start(
          library, call, memory, elements.back(reads), arguments(where, memory, n));
    }
  }

  private long aLong(Call call) {
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

  /** Closes it; collective. Closing again does nothing. */
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
