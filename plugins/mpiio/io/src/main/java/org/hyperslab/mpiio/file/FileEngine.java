package org.hyperslab.mpiio.file;

import java.util.Map;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.hint.Hints;

/** Executes the routines of an open file: this library's engine, or the MPI library's. */
interface FileEngine {

  /** Executes an access. */
  AccessStatus run(Transfer transfer);

  /** Starts an access. */
  FileRequest start(Transfer transfer);

  /** Starts a collective access of which a file has at most one at a time. */
  SplitAccess begin(Transfer transfer);

  /** Declares the writes of every rank, by offset and length in bytes. */
  DeclaredWrites declareWrites(long[] offsets, long[] lengths);

  void setView(FileView view);

  /** Does the same as {@link #setView}, from the position of the shared pointer. */
  void setViewHere(DerivedType etype, DerivedType filetype, DataRepresentation representation);

  FileView view();

  void setSize(long bytes);

  void preallocate(long bytes);

  long size();

  void seek(long offset, Whence whence);

  void seekShared(long offset, Whence whence);

  long position();

  long sharedPosition();

  void setAtomic(boolean atomic);

  boolean atomic();

  void sync();

  void setInfo(Map<String, String> info);

  Hints info();

  String explain();

  void close();
}
