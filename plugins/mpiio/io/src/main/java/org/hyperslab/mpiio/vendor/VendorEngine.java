package org.hyperslab.mpiio.vendor;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.mpi.Abi;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpi.MpiCommunicator;
import org.hyperslab.mpi.MpiDatatype;
import org.hyperslab.mpi.MpiFileHandle;
import org.hyperslab.mpi.MpiFileMode;
import org.hyperslab.mpi.MpiInfo;
import org.hyperslab.mpi.MpiRequest;
import org.hyperslab.mpi.MpiSplit;
import org.hyperslab.mpi.MpiStatus;
import org.hyperslab.mpiio.collective.CollectiveIo;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.AccessRules;
import org.hyperslab.mpiio.file.AccessStatus;
import org.hyperslab.mpiio.file.DataRepresentation;
import org.hyperslab.mpiio.file.FileEngine;
import org.hyperslab.mpiio.file.FileRequest;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.file.SplitAccess;
import org.hyperslab.mpiio.file.Transfer;
import org.hyperslab.mpiio.file.Whence;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Executes the routines by the MPI library's own {@code MPI_File_*}, for comparison and for file
 * systems that it supports better. Its behaviour at the end of a file, in atomic mode and with
 * hints is the library's; it does not know representations that are registered here. Collective
 * routines begin when all ranks have come to them ({@link VendorRendezvous}).
 *
 * <p>Thread rule: one thread at a time.
 */
public final class VendorEngine implements FileEngine {

  /** ROMIO's hint about data sieving of writes. */
  private static final String SIEVED_WRITES = "romio_ds_write";

  private final Communicator comm;
  private final Communicator libraryComm;
  private final Mpi mpi;
  private final MpiFileHandle file;
  private final VendorTypes types;
  private final AccessRules rules;
  private final RomioGuard guard;
  private final VendorRendezvous contact;
  private Hints hints;
  private FileView view = FileView.bytes();
  private boolean closed;

  private VendorEngine(
      Communicator comm,
      Communicator libraryComm,
      MpiFileHandle file,
      AccessRules rules,
      Hints hints) {
    this.comm = comm;
    this.libraryComm = libraryComm;
    this.file = file;
    this.mpi = Worlds.mpi(libraryComm).orElseThrow().mpi();
    this.types = new VendorTypes(mpi);
    this.rules = rules;
    this.hints = hints;
    boolean guarded = !rules.modes().contains(AccessMode.SEQUENTIAL) && RomioGuard.isNeeded(file);
    this.guard = guarded ? new RomioGuard(comm, file) : null;
    this.contact = new VendorRendezvous(comm, hints);
  }

  /**
   * Opens a file; collective.
   *
   * @param comm the communicator, which is closed with the file
   * @param path the path of the file
   * @param modes the access modes
   * @param hints the hints
   * @return the engine of the open file
   * @throws UnsupportedFeatureException if the ranks are not processes of an MPI job
   */
  public static VendorEngine open(
      Communicator comm, Path path, Set<AccessMode> modes, Hints hints) {
    try {
      return opened(comm, path, AccessMode.checked(modes), hints);
    } catch (HyperslabException e) {
      comm.close();
      throw e;
    }
  }

  private static VendorEngine opened(
      Communicator comm, Path path, Set<AccessMode> modes, Hints hints) {
    if (Worlds.mpi(comm).isEmpty()) {
      throw new UnsupportedFeatureException(
          "hint io=vendor: actual="
              + comm.describe()
              + ", expected=ranks that are processes of an MPI job");
    }
    Communicator libraryComm = forLibrary(comm, hints);
    try {
      MpiFileHandle file = handle(libraryComm, path, modes, hints);
      AccessRules rules = new AccessRules(modes, path.toString());
      return new VendorEngine(comm, libraryComm, file, rules, hints);
    } catch (HyperslabException e) {
      libraryComm.close();
      throw e;
    }
  }

  /**
   * Returns the same ranks for the library alone: what OMPIO of Open MPI 4.1 sends when space is
   * preallocated is received by other calls if they use its communicator.
   */
  private static Communicator forLibrary(Communicator comm, Hints hints) {
    try {
      return CollectiveIo.duplicate(comm, hints.deadlineNanos());
    } finally {
      comm.limit(0);
    }
  }

  private static MpiFileHandle handle(
      Communicator comm, Path path, Set<AccessMode> modes, Hints hints) {
    MpiCommunicator theirs = Worlds.mpi(comm).orElseThrow();
    EnumSet<MpiFileMode> theirModes = EnumSet.noneOf(MpiFileMode.class);
    modes.forEach(mode -> theirModes.add(MpiFileMode.valueOf(mode.name())));
    try (MpiInfo info = theirs.mpi().newInfo(changed(hints))) {
      return MpiFileHandle.open(theirs, path.toString(), theirModes, info);
    }
  }

  /**
   * Returns the hints that were set explicitly, since the library has its own defaults, and one
   * more. ROMIO sieves writes only on request, because sieving past the end of the file would write
   * stale bytes of its buffer into the holes. The workaround of {@link RomioGuard} for collective
   * writes is not possible with the shared pointer, whose position is known only within the call.
   */
  private static Map<String, String> changed(Hints hints) {
    Map<String, String> changed = new HashMap<>(hints.toMap());
    changed.entrySet().removeAll(Hints.defaults().toMap().entrySet());
    changed.keySet().removeIf(key -> key.startsWith("hyperslab_") || key.equals("io"));
    changed.putIfAbsent(SIEVED_WRITES, "disable");
    return changed;
  }

  /** The memory of a transfer in the library's terms. */
  private record Elements(MemorySegment memory, long count, MpiDatatype type) {}

  /** Prepares an access; its kind determines whether other ranks are awaited. */
  private Elements prepared(Transfer transfer, boolean waits) {
    open();
    Elements elements =
        waits ? contact.together(transfer.name(), () -> elements(transfer)) : elements(transfer);
    if (guard != null) {
      guard.prepare(transfer, view, types.of(view.etype()));
    }
    return elements;
  }

  /** Checks the next transfer. */
  private Elements elements(Transfer transfer) {
    rules.check(transfer);
    types.tidy();
    MemoryBuffer buffer = transfer.buffer();
    MemorySegment memory = buffer.memory().asSlice(buffer.originBytes());
    DerivedType type = buffer.type();
    boolean plain = type.isContiguous() && type.map().low() == 0;
    return plain && view.representation().verbatim()
        ? new Elements(memory, buffer.bytes(), types.of(DerivedType.BYTE))
        : new Elements(memory, buffer.count(), types.of(type));
  }

  /** A routine with an explicit offset. */
  @FunctionalInterface
  private interface At<R> {
    R call(long offset, MemorySegment memory, long count, MpiDatatype type);
  }

  /** A routine that uses a pointer. */
  @FunctionalInterface
  private interface On<R> {
    R call(MemorySegment memory, long count, MpiDatatype type);
  }

  /** The routines for one kind of access; the second of each pair is collective. */
  private record Routines<R>(
      At<R> at, At<R> atAll, On<R> own, On<R> ownAll, On<R> shared, On<R> sharedAll) {

    R call(Transfer t, Elements e) {
      return switch (t.pointer()) {
        case EXPLICIT -> (t.collective() ? atAll : at).call(t.offset(), e.memory, e.count, e.type);
        case INDIVIDUAL -> (t.collective() ? ownAll : own).call(e.memory, e.count, e.type);
        case SHARED -> (t.collective() ? sharedAll : shared).call(e.memory, e.count, e.type);
      };
    }
  }

  private Routines<MpiStatus> blocking(boolean write) {
    return write
        ? new Routines<>(
            file::writeAt,
            file::writeAtAll,
            file::write,
            file::writeAll,
            file.shared()::write,
            file.shared()::writeOrdered)
        : new Routines<>(
            file::readAt,
            file::readAtAll,
            file::read,
            file::readAll,
            file.shared()::read,
            file.shared()::readOrdered);
  }

  /** Returns the non-blocking routines. MPI has no non-blocking ordered accesses. */
  private Routines<MpiRequest> starting(boolean write) {
    return write
        ? new Routines<>(
            file::startWriteAt,
            file::startWriteAtAll,
            file::startWrite,
            file::startWriteAll,
            file.shared()::startWrite,
            file.shared()::startWrite)
        : new Routines<>(
            file::startReadAt,
            file::startReadAtAll,
            file::startRead,
            file::startReadAll,
            file.shared()::startRead,
            file.shared()::startRead);
  }

  /** Returns the split routines, all of which are collective. */
  private Routines<MpiSplit> splitting(boolean write) {
    return write
        ? new Routines<>(
            null,
            file::beginWriteAtAll,
            null,
            file::beginWriteAll,
            null,
            file.shared()::beginWriteOrdered)
        : new Routines<>(
            null,
            file::beginReadAtAll,
            null,
            file::beginReadAll,
            null,
            file.shared()::beginReadOrdered);
  }

  @Override
  public AccessStatus run(Transfer transfer) {
    Elements e = prepared(transfer, transfer.collective());
    return new AccessStatus(blocking(transfer.write()).call(transfer, e).bytes());
  }

  /**
   * {@inheritDoc} With ROMIO (MPICH 4.0.2), a collective access first waits for the one before. Two
   * accesses to a file that go on at a time mix up their messages, and bytes of one come to the
   * other.
   */
  @Override
  public FileRequest start(Transfer transfer) {
    contact.check();
    if (transfer.collective() && guard != null) {
      contact.settle();
    }
    Elements e = prepared(transfer, false);
    MpiRequest request = starting(transfer.write()).call(transfer, e);
    if (transfer.collective()) {
      return contact.started(transfer.name(), request);
    }
    return new FileRequest() {
      @Override
      public boolean test() {
        return request.test();
      }

      @Override
      public AccessStatus await() {
        return new AccessStatus(request.await().bytes());
      }
    };
  }

  /** {@inheritDoc} In Open MPI and MPICH only the first half waits for other ranks. */
  @Override
  public SplitAccess begin(Transfer transfer) {
    Elements e = prepared(transfer, true);
    MpiSplit split = splitting(transfer.write()).call(transfer, e);
    return () -> new AccessStatus(split.end().bytes());
  }

  @Override
  public void setView(FileView next) {
    open();
    MpiFileHandle.View theirs =
        contact.together(
            "setView",
            () ->
                new MpiFileHandle.View(
                    next.displacement(),
                    types.of(next.etype()),
                    types.of(next.filetype()),
                    next.representation().name()));
    contact.requireSame(
        "view",
        "etypes of "
            + next.etypeBytes()
            + " bytes in the representation "
            + next.representation().name());
    file.setView(theirs, null);
    view = next;
  }

  @Override
  public void setViewHere(
      DerivedType etype, DerivedType filetype, DataRepresentation representation) {
    throw new UnsupportedFeatureException(
        "setViewHere: actual=the vendor's MPI-IO, expected=the hint io=own");
  }

  @Override
  public FileView view() {
    return view;
  }

  @Override
  public void setSize(long bytes) {
    together("setSize", bytes + " bytes");
    file.setSize(bytes);
  }

  @Override
  public DeclaredWrites declareWrites(long[] offsets, long[] lengths) {
    throw new UnsupportedFeatureException(
        "declared writes: actual=io=vendor, expected=io=own; MPI libraries do not provide "
            + "declared writes");
  }

  @Override
  public void preallocate(long bytes) {
    together("preallocate", bytes + " bytes");
    file.preallocate(bytes);
  }

  @Override
  public long size() {
    open();
    return file.size();
  }

  @Override
  public void seek(long offset, Whence whence) {
    open();
    file.seek(offset, theirs(whence));
  }

  @Override
  public void seekShared(long offset, Whence whence) {
    together("seekShared", offset + " " + whence);
    file.shared().seek(offset, theirs(whence));
  }

  private static MpiFileHandle.Whence theirs(Whence whence) {
    return switch (whence) {
      case START -> MpiFileHandle.Whence.START;
      case CURRENT -> MpiFileHandle.Whence.CURRENT;
      case END -> MpiFileHandle.Whence.END;
    };
  }

  @Override
  public long position() {
    open();
    return file.position();
  }

  @Override
  public long sharedPosition() {
    open();
    return file.shared().position();
  }

  @Override
  public void setAtomic(boolean atomic) {
    together("setAtomic", Boolean.toString(atomic));
    file.setAtomic(atomic);
  }

  @Override
  public boolean atomic() {
    return file.isAtomic();
  }

  @Override
  public void sync() {
    open();
    contact.together("sync", this::requireEnded);
    file.sync();
  }

  /** Requires that OMPIO has no transfer to end, since otherwise it syncs no file. */
  private Void requireEnded() {
    int left = isOmpio() ? mpi.startedFileTransfers() : 0;
    if (left > 0) {
      throw new InvalidUseException(
          "sync: actual="
              + left
              + " started transfers of this process have not ended, expected=all of them, of every"
              + " file, have been awaited, as "
              + mpi.libraryTitle()
              + " syncs no file before that");
    }
    return null;
  }

  private boolean isOmpio() {
    return guard == null && mpi.abi() == Abi.OPEN_MPI;
  }

  @Override
  public void setInfo(Map<String, String> info) {
    open();
    Hints changed = contact.together("setInfo", () -> hints.with(info));
    contact.requireSame("hints", changed.toMap().toString());
    hints = changed;
    contact.use(changed);
    try (MpiInfo theirs = mpi.newInfo(info)) {
      file.setInfo(theirs);
    }
  }

  @Override
  public Hints info() {
    Hints known = hints;
    try (MpiInfo info = file.info()) {
      for (Map.Entry<String, String> hint : info.toMap().entrySet()) {
        known = taken(known, hint);
      }
    }
    return known;
  }

  /** Adopts the library's value of a hint, unless it is invalid for this library. */
  private static Hints taken(Hints known, Map.Entry<String, String> hint) {
    try {
      return known.with(hint.getKey(), hint.getValue());
    } catch (InvalidUseException foreign) {
      return known;
    }
  }

  @Override
  public String explain() {
    return "the MPI-IO of "
        + mpi.libraryTitle()
        + "; "
        + contact.explain()
        + (guard != null ? "; of started collective accesses one goes on at a time" : "")
        + (isOmpio() ? "; a started read that reaches past the end of the file never ends" : "");
  }

  private void together(String routine, String argument) {
    open();
    contact.together(routine, () -> null);
    contact.requireSame(routine, argument);
  }

  private void open() {
    if (closed) {
      throw new InvalidUseException("file: actual=closed, expected=open, at=" + rules.name());
    }
  }

  /**
   * {@inheritDoc} If ranks have been given up, the library's file is left open, for its routine
   * that closes would wait for them.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (contact.isLost()) {
      closed = true;
      contact.drop();
      return;
    }
    try {
      contact.together("close", () -> null);
    } finally {
      closed = contact.isLost();
    }
    closed = true;
    file.close();
    types.close();
    libraryComm.close();
    comm.close();
  }
}
