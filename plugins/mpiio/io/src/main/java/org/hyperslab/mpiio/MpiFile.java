package org.hyperslab.mpiio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.collective.CollectiveIo;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.engine.CollectiveOpen;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.AccessStatus;
import org.hyperslab.mpiio.file.DataRepresentation;
import org.hyperslab.mpiio.file.FileEngine;
import org.hyperslab.mpiio.file.FileRequest;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.file.RepresentationConversion;
import org.hyperslab.mpiio.file.SplitAccess;
import org.hyperslab.mpiio.file.Transfer;
import org.hyperslab.mpiio.file.Whence;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.vendor.VendorEngine;

/**
 * A file that the ranks of a communicator have opened together, with every data access routine of
 * MPI-IO (MPI 4.1, chapter 14), in Java. The package's description has the table of routines.
 *
 * <p>Names: {@code At} takes an explicit offset; {@code Shared} and {@code Ordered} use the shared
 * file pointer, other routines the rank's individual one. {@code All} and {@code Ordered} are
 * collective. {@code start…} returns a request, {@code begin…} the first half of a split collective
 * access, of which a file has one at a time. Offsets and pointers count etypes of the {@linkplain
 * #setView view}; after opening these are bytes. An access moves a pointer by the requested amount,
 * even if a read met the end of the file; the status has the amount transferred.
 *
 * <p>Collective routines are called by all ranks in the same order; a failure on one is thrown on
 * all, and names the rank. If arguments that must agree differ, an {@link
 * org.hyperslab.error.InvalidUseException} is thrown on all ranks, which names the first rank that
 * differs.
 *
 * <p>Closing is collective too: a rank that leaves a try-with-resources statement with an exception
 * waits there for the others. Use {@link Communicator#abort} to end the whole job.
 *
 * <p>Overlapping accesses are consistent as MPI defines (section 14.6): a rank reads its own
 * writes; it reads those of others after a collective access, after {@link #sync}, or in
 * {@linkplain #setAtomic atomic mode}.
 *
 * <p>Hints are those of {@link Hints}, and: {@code io} = {@code own} or {@code vendor} (the MPI
 * library's own MPI-IO, where the communicator is MPI's), {@code sharedfp} = {@code auto}, {@code
 * sm} (memory of one JVM), {@code lockedfile} or {@code individual}, {@code progress} = {@code
 * thread} (a thread of the file advances started accesses), {@code engine} (one thread for all such
 * files of the process) or {@code wait} (only the rank's calls to start, test and wait; also used
 * if MPI allows no other thread to call it).
 *
 * <p>Several started collective accesses, reads and writes, may be in progress; any other
 * collective call first waits for them.
 *
 * <p>Thread rule: one thread at a time, the rank's. Memory of a confined arena can be used by that
 * thread only: accesses started with it advance only when it tests or waits.
 */
public final class MpiFile implements AutoCloseable {

  private final Communicator comm;
  private final Set<AccessMode> modes;
  private final FileEngine engine;

  /** Unregisters the file from the resources that are open when the process ends. */
  private final Runnable unwatch;

  private MpiFile(Communicator comm, Set<AccessMode> modes, FileEngine engine, String name) {
    this.comm = comm;
    this.modes = modes;
    this.engine = engine;
    this.unwatch =
        Worlds.mpi(comm)
            .filter(ranks -> ranks.size() > 1)
            .map(ranks -> ranks.mpi().watchOpen(() -> List.of(name)))
            .orElse(() -> {});
  }

  /**
   * Opens a file as {@code MPI_File_open} does; collective.
   *
   * @param comm the ranks; the caller still owns it
   * @param path the path of the file, the same on every rank
   * @param modes the modes of opening, the same on every rank
   * @param hints the hints, the same on every rank
   * @return the file; to be closed by all ranks together
   * @throws org.hyperslab.error.HyperslabException on every rank, if it does not open on any
   */
  public static MpiFile open(Communicator comm, Path path, Set<AccessMode> modes, Hints hints) {
    String io = hints.others().getOrDefault("io", "own");
    FileEngine engine =
        switch (io) {
          case "own" -> new CollectiveOpen(ranks(comm, hints), modes, hints).file(path);
          case "vendor" -> VendorEngine.open(ranks(comm, hints), path, modes, hints);
          default ->
              throw new InvalidUseException("hint: actual=io=" + io + ", expected=own or vendor");
        };
    return new MpiFile(comm, Set.copyOf(modes), engine, path.toString());
  }

  /**
   * Opens a file that each rank has opened as a store; collective. The stores of all ranks must
   * hold the same bytes.
   *
   * @param comm the ranks
   * @param store the store, which is closed with the file
   * @param modes the modes of opening
   * @param hints the hints for accesses to the file
   * @return the file; to be closed by all ranks together
   */
  public static MpiFile over(
      Communicator comm, ByteStore store, Set<AccessMode> modes, Hints hints) {
    return new MpiFile(
        comm,
        Set.copyOf(modes),
        new CollectiveOpen(ranks(comm, hints), modes, hints).store(store),
        store.name());
  }

  /** Returns the same ranks for a file alone, when all of them have come to open one. */
  private static Communicator ranks(Communicator comm, Hints hints) {
    comm.meet("open", hints.deadlineNanos());
    try {
      return CollectiveIo.duplicate(comm, hints.deadlineNanos());
    } finally {
      comm.limit(0);
    }
  }

  /**
   * {@code MPI_File_delete}: deletes a file; called by one rank.
   *
   * @param path the path of the file
   * @throws NotFoundException if there is none
   */
  public static void delete(Path path) {
    try {
      Files.delete(path);
    } catch (NoSuchFileException e) {
      throw new NotFoundException("delete: actual=no such file, expected=a file, at=" + path, e);
    } catch (IOException e) {
      throw new StorageException("delete failed: actual=" + e + ", at=" + path, e);
    }
  }

  /**
   * {@code MPI_File_set_size}: cuts off or extends with zeros; collective, the same on all.
   *
   * @param bytes the size in bytes
   */
  public void setSize(long bytes) {
    engine.setSize(bytes);
  }

  /**
   * {@code MPI_File_preallocate}: allocates storage for the first bytes of the file; collective,
   * the same on all.
   *
   * @param bytes the size in bytes
   */
  public void preallocate(long bytes) {
    engine.preallocate(bytes);
  }

  /** {@return the size in bytes} This is {@code MPI_File_get_size}. */
  public long size() {
    return engine.size();
  }

  /** {@return the ranks that have opened the file} This is {@code MPI_File_get_group}. */
  public Communicator group() {
    return comm;
  }

  /** {@return the modes with which the file was opened} This is {@code MPI_File_get_amode}. */
  public Set<AccessMode> modes() {
    return modes;
  }

  /**
   * {@code MPI_File_set_info}: changes hints; collective, the same on all.
   *
   * @param info hints by name
   */
  public void setInfo(Map<String, String> info) {
    engine.setInfo(info);
  }

  /** {@return the hints in use} This is {@code MPI_File_get_info}. */
  public Hints info() {
    return engine.info();
  }

  /**
   * {@code MPI_File_set_view}: sets this rank's view, and all pointers to its beginning;
   * collective. The etype's size in the file and the representation are the same on all ranks.
   *
   * @param view the view
   */
  public void setView(FileView view) {
    engine.setView(view);
  }

  /**
   * Sets the view as {@link #setView} does, with {@code MPI_DISPLACEMENT_CURRENT}; for sequential
   * files only.
   *
   * @param etype the etype, the unit of offsets
   * @param filetype the filetype, which selects the visible bytes of each tile
   * @param representation the representation of elements in the file
   */
  public void setViewHere(
      DerivedType etype, DerivedType filetype, DataRepresentation representation) {
    engine.setViewHere(etype, filetype, representation);
  }

  /** {@return this rank's view} This is {@code MPI_File_get_view}. */
  public FileView view() {
    return engine.view();
  }

  /**
   * {@code MPI_File_seek}: moves this rank's pointer.
   *
   * @param offset the offset, in etypes of the view
   * @param whence the origin of the offset
   */
  public void seek(long offset, Whence whence) {
    engine.seek(offset, whence);
  }

  /** {@return this rank's pointer, in etypes of the view} This is {@code MPI_File_get_position}. */
  public long position() {
    return engine.position();
  }

  /**
   * {@return the byte offset in the file of an offset in the view} This is {@code
   * MPI_File_get_byte_offset}.
   *
   * @param offset the offset, in etypes of the view
   */
  public long byteOffset(long offset) {
    return engine.view().byteOffset(offset);
  }

  /**
   * {@code MPI_File_seek_shared}: moves the shared pointer; collective, the same on all.
   *
   * @param offset the offset, in etypes of the view
   * @param whence the origin of the offset
   */
  public void seekShared(long offset, Whence whence) {
    engine.seekShared(offset, whence);
  }

  /**
   * {@return the shared pointer, in etypes of the view} This is {@code
   * MPI_File_get_position_shared}.
   */
  public long sharedPosition() {
    return engine.sharedPosition();
  }

  /**
   * {@return the extent of a type in the view's representation, in bytes} This is {@code
   * MPI_File_get_type_extent}.
   *
   * @param type the datatype
   */
  public long typeExtent(DerivedType type) {
    return RepresentationConversion.inFile(type, engine.view().representation()).extent();
  }

  /**
   * {@code MPI_File_set_atomicity}; collective, the same on all.
   *
   * @param atomic whether accesses are atomic
   */
  public void setAtomic(boolean atomic) {
    engine.setAtomic(atomic);
  }

  /** {@return whether accesses are atomic} This is {@code MPI_File_get_atomicity}. */
  public boolean isAtomic() {
    return engine.atomic();
  }

  /** {@code MPI_File_sync}: makes writes durable, and visible to all ranks; collective. */
  public void sync() {
    engine.sync();
  }

  /**
   * {@code MPI_File_read_at}: reads at an offset of the view.
   *
   * @param offset the offset, in etypes of the view
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus readAt(long offset, MemoryBuffer buffer) {
    return engine.run(Transfer.at(false, false, offset, buffer));
  }

  /**
   * {@code MPI_File_read_at_all}: reads at an offset of each rank's view; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus readAtAll(long offset, MemoryBuffer buffer) {
    return engine.run(Transfer.at(false, true, offset, buffer));
  }

  /**
   * {@code MPI_File_read}: reads at this rank's pointer, and moves it on.
   *
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus read(MemoryBuffer buffer) {
    return engine.run(Transfer.here(false, false, buffer));
  }

  /**
   * {@code MPI_File_read_all}: reads at each rank's pointer; collective.
   *
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus readAll(MemoryBuffer buffer) {
    return engine.run(Transfer.here(false, true, buffer));
  }

  /**
   * {@code MPI_File_read_shared}: reads at the shared pointer; the order of the ranks is undefined.
   *
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus readShared(MemoryBuffer buffer) {
    return engine.run(Transfer.shared(false, false, buffer));
  }

  /**
   * {@code MPI_File_read_ordered}: reads at the shared pointer in rank order; collective.
   *
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus readOrdered(MemoryBuffer buffer) {
    return engine.run(Transfer.shared(false, true, buffer));
  }

  /**
   * {@code MPI_File_iread_at}: starts {@link #readAt}.
   *
   * @param offset the offset, in etypes of the view
   * @param buffer the memory, with count and datatype
   * @return the started access
   */
  public FileRequest startReadAt(long offset, MemoryBuffer buffer) {
    return engine.start(Transfer.at(false, false, offset, buffer));
  }

  /**
   * {@code MPI_File_iread_at_all}: starts {@link #readAtAll}; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param buffer the memory, with count and datatype
   * @return the started access
   */
  public FileRequest startReadAtAll(long offset, MemoryBuffer buffer) {
    return engine.start(Transfer.at(false, true, offset, buffer));
  }

  /**
   * {@code MPI_File_iread}: starts {@link #read}; the pointer moves at once.
   *
   * @param buffer the memory, with count and datatype
   * @return the started access
   */
  public FileRequest startRead(MemoryBuffer buffer) {
    return engine.start(Transfer.here(false, false, buffer));
  }

  /**
   * {@code MPI_File_iread_all}: starts {@link #readAll}; collective.
   *
   * @param buffer the memory, with count and datatype
   * @return the started access
   */
  public FileRequest startReadAll(MemoryBuffer buffer) {
    return engine.start(Transfer.here(false, true, buffer));
  }

  /**
   * {@code MPI_File_iread_shared}: starts {@link #readShared}; the pointer moves at once.
   *
   * @param buffer the memory, with count and datatype
   * @return the started access
   */
  public FileRequest startReadShared(MemoryBuffer buffer) {
    return engine.start(Transfer.shared(false, false, buffer));
  }

  /**
   * {@code MPI_File_read_at_all_begin}: first half of {@link #readAtAll}.
   *
   * @param offset the offset, in etypes of the view
   * @param buffer the memory, with count and datatype
   * @return the first half; {@link SplitAccess#end} is the second
   */
  public SplitAccess beginReadAtAll(long offset, MemoryBuffer buffer) {
    return engine.begin(Transfer.at(false, true, offset, buffer));
  }

  /**
   * {@code MPI_File_read_all_begin}: first half of {@link #readAll}.
   *
   * @param buffer the memory, with count and datatype
   * @return the first half; {@link SplitAccess#end} is the second
   */
  public SplitAccess beginReadAll(MemoryBuffer buffer) {
    return engine.begin(Transfer.here(false, true, buffer));
  }

  /**
   * {@code MPI_File_read_ordered_begin}: first half of {@link #readOrdered}.
   *
   * @param buffer the memory, with count and datatype
   * @return the first half; {@link SplitAccess#end} is the second
   */
  public SplitAccess beginReadOrdered(MemoryBuffer buffer) {
    return engine.begin(Transfer.shared(false, true, buffer));
  }

  /**
   * {@code MPI_File_write_at}: writes at an offset of the view.
   *
   * @param offset the offset, in etypes of the view
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus writeAt(long offset, MemoryBuffer buffer) {
    return engine.run(Transfer.at(true, false, offset, buffer));
  }

  /**
   * {@code MPI_File_write_at_all}: writes at an offset of each rank's view; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus writeAtAll(long offset, MemoryBuffer buffer) {
    return engine.run(Transfer.at(true, true, offset, buffer));
  }

  /**
   * {@code MPI_File_write}: writes at this rank's pointer, and advances it.
   *
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus write(MemoryBuffer buffer) {
    return engine.run(Transfer.here(true, false, buffer));
  }

  /**
   * {@code MPI_File_write_all}: writes at each rank's pointer; collective.
   *
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus writeAll(MemoryBuffer buffer) {
    return engine.run(Transfer.here(true, true, buffer));
  }

  /**
   * {@code MPI_File_write_shared}: writes at the shared pointer; the order of the ranks is
   * undefined.
   *
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus writeShared(MemoryBuffer buffer) {
    return engine.run(Transfer.shared(true, false, buffer));
  }

  /**
   * {@code MPI_File_write_ordered}: writes at the shared pointer in rank order; collective.
   *
   * @param buffer the memory, with count and datatype
   * @return the status of the access
   */
  public AccessStatus writeOrdered(MemoryBuffer buffer) {
    return engine.run(Transfer.shared(true, true, buffer));
  }

  /**
   * {@code MPI_File_iwrite_at}: starts {@link #writeAt}.
   *
   * @param offset the offset, in etypes of the view
   * @param buffer the memory, with count and datatype
   * @return the started access
   */
  public FileRequest startWriteAt(long offset, MemoryBuffer buffer) {
    return engine.start(Transfer.at(true, false, offset, buffer));
  }

  /**
   * {@code MPI_File_iwrite_at_all}: starts {@link #writeAtAll}; collective.
   *
   * @param offset the offset, in etypes of the view
   * @param buffer the memory, with count and datatype
   * @return the started access
   */
  public FileRequest startWriteAtAll(long offset, MemoryBuffer buffer) {
    return engine.start(Transfer.at(true, true, offset, buffer));
  }

  /**
   * {@code MPI_File_iwrite}: starts {@link #write}; the pointer moves at once.
   *
   * @param buffer the memory, with count and datatype
   * @return the started access
   */
  public FileRequest startWrite(MemoryBuffer buffer) {
    return engine.start(Transfer.here(true, false, buffer));
  }

  /**
   * {@code MPI_File_iwrite_all}: starts {@link #writeAll}; collective.
   *
   * @param buffer the memory, with count and datatype
   * @return the started access
   */
  public FileRequest startWriteAll(MemoryBuffer buffer) {
    return engine.start(Transfer.here(true, true, buffer));
  }

  /**
   * {@code MPI_File_iwrite_shared}: starts {@link #writeShared}; the pointer moves at once.
   *
   * @param buffer the memory, with count and datatype
   * @return the started access
   */
  public FileRequest startWriteShared(MemoryBuffer buffer) {
    return engine.start(Transfer.shared(true, false, buffer));
  }

  /**
   * {@code MPI_File_write_at_all_begin}: first half of {@link #writeAtAll}.
   *
   * @param offset the offset, in etypes of the view
   * @param buffer the memory, with count and datatype
   * @return the first half; {@link SplitAccess#end} is the second
   */
  public SplitAccess beginWriteAtAll(long offset, MemoryBuffer buffer) {
    return engine.begin(Transfer.at(true, true, offset, buffer));
  }

  /**
   * {@code MPI_File_write_all_begin}: first half of {@link #writeAll}.
   *
   * @param buffer the memory, with count and datatype
   * @return the first half; {@link SplitAccess#end} is the second
   */
  public SplitAccess beginWriteAll(MemoryBuffer buffer) {
    return engine.begin(Transfer.here(true, true, buffer));
  }

  /**
   * {@code MPI_File_write_ordered_begin}: first half of {@link #writeOrdered}.
   *
   * @param buffer the memory, with count and datatype
   * @return the first half; {@link SplitAccess#end} is the second
   */
  public SplitAccess beginWriteOrdered(MemoryBuffer buffer) {
    return engine.begin(Transfer.shared(true, true, buffer));
  }

  /**
   * Declares the writes of every rank, so that aggregators fill their buffers over many calls;
   * collective. {@code cb_buffer_size} is the memory of an aggregator, {@code cb_nodes} the
   * greatest number of aggregators. Offsets are bytes from the start of the file, whatever the
   * view; no pointer moves. No other collective routine may be called until the writes have been
   * closed.
   *
   * @param offsets the file offset of each of this rank's writes, in order, in bytes
   * @param lengths the length of each, in bytes
   * @return the writes, to be made and closed by every rank
   * @throws UnsupportedFeatureException with {@code io=vendor}
   */
  public DeclaredWrites declareWrites(long[] offsets, long[] lengths) {
    return engine.declareWrites(offsets, lengths);
  }

  /**
   * {@return a description for display of the components in use and those of the last accesses,
   * with the reasons}
   */
  public String explain() {
    return engine.explain();
  }

  /** Closes the file as {@code MPI_File_close} does; collective. Closing again does nothing. */
  @Override
  public void close() {
    engine.close();
    unwatch.run();
  }
}
