package org.hyperslab.plugins.forwarding.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * Tracks the files and objects that a session has open, and the memory that they may use. A handle
 * of a file counts as {@value #FILE_BYTES} bytes, any other handle as {@value #OBJECT_BYTES} bytes.
 * The caches of a file, which its handles share, count too. They get a quarter of what is left of
 * the first half of the memory, and the minimum when that is used up, so that a session can open
 * many files.
 *
 * <p>Thread rule: any thread.
 */
final class SessionHoldings {

  /** The largest number of files that a session may have open. */
  static final int MAX_FILES = 256;

  /** The bytes counted for a handle of a file. */
  static final long FILE_BYTES = 8 << 10;

  /** The bytes counted for an open object that is not a file. */
  static final long OBJECT_BYTES = 256;

  /** The least memory for the caches of a file, in bytes. */
  static final long MIN_CACHE_BYTES = 64 << 10;

  /** The largest number of unopened handles that keep their failure. */
  static final int MAX_FAILED = 256;

  private static final int CACHE_SHARE = 4;

  private final long budgetBytes;
  private final OpenFileLimit fileLimit;

  // Guarded by this.
  private final Map<Handle, OpenFile> files = new HashMap<>();

  /** The memory for caches by path. */
  private final Map<String, Caches> caches = new HashMap<>();

  /** The file through which each object was opened. */
  private final Map<Handle, Handle> objects = new HashMap<>();

  private final Deque<Handle> failed = new ArrayDeque<>();
  private long usedBytes;

  /**
   * An open file.
   *
   * @param name the client's name for it
   * @param path its path
   */
  private record OpenFile(String name, String path) {}

  /**
   * The caches of a file, shared by its handles.
   *
   * @param cacheBytes the memory for chunks and metadata
   * @param pageBufferBytes the memory for the page buffer
   * @param handles the number of the session's handles of the file
   */
  private record Caches(long cacheBytes, long pageBufferBytes, int handles) {
    long bytes() {
      return cacheBytes + pageBufferBytes;
    }

    Caches withHandles(int changed) {
      return new Caches(cacheBytes, pageBufferBytes, changed);
    }
  }

  /**
   * Creates the holdings of a new session.
   *
   * @param budgetBytes the memory that open files and objects may use
   * @param fileLimit bounds the open files of all sessions
   */
  SessionHoldings(long budgetBytes, OpenFileLimit fileLimit) {
    this.budgetBytes = budgetBytes;
    this.fileLimit = fileLimit;
  }

  /**
   * Counts a file that is about to be opened.
   *
   * @param file its handle
   * @param name the client's name for it
   * @param path its path
   * @param options the client's options
   * @param pageBufferBytes the size of the page buffer that the client requests
   * @return the options with the memory for caches that the session can afford
   * @throws InvalidUseException if the session has too many files or too little memory left
   * @throws org.hyperslab.error.StorageException if all sessions together have too many files
   */
  synchronized OpenOptions openFile(
      Handle file, String name, String path, OpenOptions options, long pageBufferBytes) {
    if (files.size() >= MAX_FILES) {
      throw new InvalidUseException(
          "open files: actual="
              + files.size()
              + ", expected=at most "
              + MAX_FILES
              + " of a session; close some first");
    }
    if (files.containsKey(file)) {
      throw new InvalidUseException("handle: actual=" + file + " in use, expected=a fresh one");
    }
    Caches shared = caches.get(path);
    Caches its = shared != null ? shared : newCaches(options.cacheBytes(), pageBufferBytes);
    requireLeft(budgetBytes - usedBytes - FILE_BYTES - (shared == null ? its.bytes() : 0), "file");
    fileLimit.acquire();
    usedBytes += FILE_BYTES + (shared == null ? its.bytes() : 0);
    caches.put(path, its.withHandles(its.handles + 1));
    files.put(file, new OpenFile(name, path));
    return options.withCacheBytes(its.cacheBytes);
  }

  private Caches newCaches(long wished, long pageBufferBytes) {
    long left = budgetBytes / 2 - usedBytes - FILE_BYTES - pageBufferBytes;
    long share = Math.max(MIN_CACHE_BYTES, left / CACHE_SHARE);
    long most = wished == 0 ? ConfinedNames.MAX_CACHE_BYTES : wished;
    return new Caches(Math.min(most, share), pageBufferBytes, 0);
  }

  private void requireLeft(long left, String what) {
    if (left < 0) {
      throw new InvalidUseException(
          "memory for open files and objects: actual="
              + usedBytes
              + " of "
              + budgetBytes
              + " bytes in use, expected=room for another "
              + what
              + "; close some, or give the session a larger window");
    }
  }

  /**
   * Requires that there is memory for the object that an operation opens; files are checked
   * elsewhere.
   *
   * @param operation the operation
   * @throws InvalidUseException if there is not enough memory
   */
  void checkRoom(Operation<?> operation) {
    boolean opensFile =
        operation instanceof FileOperation.Open || operation instanceof FileOperation.Create;
    if (!opensFile && !isTransfer(operation) && operation.opens().isPresent()) {
      synchronized (this) {
        requireLeft(budgetBytes - usedBytes - OBJECT_BYTES, "object");
      }
    }
  }

  /** Counts the handle that an operation has opened or closed. */
  void succeeded(Operation<?> operation) {
    if (!isTransfer(operation)) {
      count(operation);
    }
  }

  private static boolean isTransfer(Operation<?> operation) {
    return operation instanceof DatasetOperation.Write
        || operation instanceof DatasetOperation.Read
        || operation instanceof DatasetOperation.Multi;
  }

  private synchronized void count(Operation<?> operation) {
    if (operation instanceof FileOperation.Close close) {
      closeFile(close.file());
    } else if (operation instanceof ObjectOperation.Close close) {
      closeObject(close.object());
    } else {
      operation
          .opens()
          .filter(opened -> !files.containsKey(opened))
          .ifPresent(opened -> openObject(opened, operation.subject()));
    }
  }

  private void openObject(Handle opened, Handle base) {
    Handle file = files.containsKey(base) ? base : objects.get(base);
    if (file != null && objects.put(opened, file) == null) {
      usedBytes += OBJECT_BYTES;
    }
  }

  private void closeObject(Handle object) {
    failed.remove(object);
    if (objects.remove(object) != null) {
      usedBytes -= OBJECT_BYTES;
    }
  }

  private void closeFile(Handle file) {
    OpenFile closed = files.remove(file);
    if (closed != null) {
      Caches left = caches.get(closed.path);
      left = left.withHandles(left.handles - 1);
      usedBytes -= FILE_BYTES + (left.handles == 0 ? left.bytes() : 0);
      if (left.handles == 0) {
        caches.remove(closed.path);
      } else {
        caches.put(closed.path, left);
      }
      fileLimit.release();
      int before = objects.size();
      objects.values().removeIf(file::equals);
      usedBytes -= OBJECT_BYTES * (before - objects.size());
    }
  }

  /**
   * Records that an operation has failed. Its handle keeps the failure for later operations; when
   * there are too many such handles, the oldest one is to be closed.
   *
   * @param operation the operation
   * @return a handle to close, if any
   */
  synchronized Optional<Handle> failed(Operation<?> operation) {
    if (operation instanceof FileOperation.Open open) {
      closeFile(open.file());
    } else if (operation instanceof FileOperation.Create create) {
      closeFile(create.file());
    }
    operation.opens().ifPresent(failed::add);
    return failed.size() > MAX_FAILED ? Optional.of(failed.removeFirst()) : Optional.empty();
  }

  /** {@return the client's name for an open file; empty if it is not open} */
  synchronized String nameOf(Handle file) {
    OpenFile open = files.get(file);
    return open == null ? "" : open.name;
  }

  /** {@return the number of open files} */
  synchronized int files() {
    return files.size();
  }

  /** {@return the number of open objects that are not files} */
  synchronized int objects() {
    return objects.size();
  }

  /** {@return the handles of the open files} */
  synchronized List<Handle> fileHandles() {
    return new ArrayList<>(files.keySet());
  }

  /** Forgets all handles because the session has ended; returns the handles that have failed. */
  synchronized Collection<Handle> clear() {
    List.copyOf(files.keySet()).forEach(this::closeFile);
    List<Handle> rest = List.copyOf(failed);
    failed.clear();
    return rest;
  }
}
