package org.hyperslab.mpiio.file;

import java.util.Map;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.hint.Hints;

/** Executes the routines of an open file: this library's engine, or the MPI library's. */
public interface FileEngine {

  /**
   * Executes an access.
   *
   * @param transfer the access
   * @return how many bytes were moved
   */
  AccessStatus run(Transfer transfer);

  /**
   * Starts an access.
   *
   * @param transfer the access
   * @return the request, which the caller waits for or tests until it has ended
   */
  FileRequest start(Transfer transfer);

  /**
   * Starts a collective access of which a file has at most one at a time.
   *
   * @param transfer the access
   * @return the access, which the caller ends
   */
  SplitAccess begin(Transfer transfer);

  /**
   * Declares the writes of every rank, by offset and length in bytes.
   *
   * @param offsets the offset of each, in bytes
   * @param lengths the length of each, in bytes
   * @return the declared writes, which the caller then makes one by one
   */
  DeclaredWrites declareWrites(long[] offsets, long[] lengths);

  /**
   * Sets the view; collective.
   *
   * @param view the view
   */
  void setView(FileView view);

  /**
   * Does the same as {@link #setView}, from the position of the shared pointer.
   *
   * @param etype the etype, the unit of offsets
   * @param filetype the filetype, which selects the visible bytes of each tile
   * @param representation the representation of elements in the file
   */
  void setViewHere(DerivedType etype, DerivedType filetype, DataRepresentation representation);

  /** {@return this rank's current view of the file} */
  FileView view();

  /**
   * Sets the size of the file; collective.
   *
   * @param bytes the number of bytes
   */
  void setSize(long bytes);

  /**
   * Reserves room for the file; collective.
   *
   * @param bytes the number of bytes
   */
  void preallocate(long bytes);

  /** {@return the size of the file in bytes} */
  long size();

  /**
   * Moves the rank's own file pointer.
   *
   * @param offset the offset in the view, in etypes
   * @param whence what the offset is relative to
   */
  void seek(long offset, Whence whence);

  /**
   * Moves the shared file pointer; collective.
   *
   * @param offset the offset in the view, in etypes
   * @param whence what the offset is relative to
   */
  void seekShared(long offset, Whence whence);

  /** {@return the rank's own file pointer, in etypes} */
  long position();

  /** {@return the shared file pointer, in etypes} */
  long sharedPosition();

  /**
   * Switches atomic mode; collective.
   *
   * @param atomic whether accesses are atomic
   */
  void setAtomic(boolean atomic);

  /** {@return whether accesses are atomic} */
  boolean atomic();

  /** Makes written bytes durable and visible; collective. */
  void sync();

  /**
   * Changes hints; collective.
   *
   * @param info keys and values
   */
  void setInfo(Map<String, String> info);

  /** {@return the hints in use} */
  Hints info();

  /** {@return the choices of the last collective access, for display} */
  String explain();

  /** Closes the file; collective. */
  void close();
}
