package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.hyperslab.error.InvalidUseException;

/**
 * The first half of a split collective file transfer. The memory belongs to MPI until {@link #end}.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class MpiSplit {

  /** The functions of one kind of split transfer. */
  record Kind(Call begin, Call end) {}

  static final Kind READ_AT_ALL = new Kind(Call.FILE_READ_AT_ALL_BEGIN, Call.FILE_READ_AT_ALL_END);
  static final Kind WRITE_AT_ALL =
      new Kind(Call.FILE_WRITE_AT_ALL_BEGIN, Call.FILE_WRITE_AT_ALL_END);
  static final Kind READ_ALL = new Kind(Call.FILE_READ_ALL_BEGIN, Call.FILE_READ_ALL_END);
  static final Kind WRITE_ALL = new Kind(Call.FILE_WRITE_ALL_BEGIN, Call.FILE_WRITE_ALL_END);
  static final Kind READ_ORDERED =
      new Kind(Call.FILE_READ_ORDERED_BEGIN, Call.FILE_READ_ORDERED_END);
  static final Kind WRITE_ORDERED =
      new Kind(Call.FILE_WRITE_ORDERED_BEGIN, Call.FILE_WRITE_ORDERED_END);

  private final MpiFileHandle file;
  private final Kind kind;
  private final FileTransfer elements;
  private final HeapStaging.Staged memory;
  private boolean ended;

  private MpiSplit(MpiFileHandle file, Kind kind, FileTransfer elements) {
    this.file = file;
    this.kind = kind;
    this.elements = elements;
    this.memory = elements.stage(file.library(), FileTransfer.reads(kind.begin));
  }

  static MpiSplit beginAt(MpiFileHandle file, Kind kind, long offset, FileTransfer elements) {
    FileTransfer.requireOffset(kind.begin, offset);
    MpiSplit split = new MpiSplit(file, kind, elements);
    MemorySegment memory = split.memory.memory();
    split.begin(n ->
        file.library()
            .call(
                kind.begin,
                value(file.handle()),
                value(offset),
                memory,
                value(n.count()),
                value(n.type())));
    return split;
  }

  static MpiSplit begin(MpiFileHandle file, Kind kind, FileTransfer elements) {
    MpiSplit split = new MpiSplit(file, kind, elements);
    MemorySegment memory = split.memory.memory();
    split.begin(n ->
        file.library()
            .call(kind.begin, value(file.handle()), memory, value(n.count()), value(n.type())));
    return split;
  }

  private void begin(Consumer<LargeCount> call) {
    try (LargeCount n = LargeCount.of(file.library(), elements.count(), elements.type().handle())) {
      call.accept(n);
      file.library().startedFileTransfers().add(this);
    } catch (RuntimeException e) {
      ended = true;
      memory.close();
      throw e;
    }
  }

  /**
   * Ends the transfer: the second half of the split collective.
   *
   * @return the status of the transfer
   * @throws InvalidUseException if the transfer has been ended
   */
  public MpiStatus end() {
    if (ended) {
      throw new InvalidUseException(
          kind.end.symbol() + ": actual=already ended, expected=one end for each begin");
    }
    ended = true;
    Library library = file.library();
    library.startedFileTransfers().remove(this);
    try (Arena arena = Arena.ofConfined();
        memory) {
      MemorySegment result = library.newStatus(arena);
      library.call(kind.end, value(file.handle()), memory.memory(), result);
      MpiStatus status = library.status(result);
      if (FileTransfer.reads(kind.begin)) {
        elements.copyOut(memory, status);
      }
      return new MpiStatus(-1, -1, status.bytes());
    }
  }
}
