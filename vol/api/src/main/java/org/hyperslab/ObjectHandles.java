package org.hyperslab;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.hyperslab.vol.Handle;

/**
 * The handles of the objects that a program has opened in one file. The handle of an object that
 * the program has lost without closing it is released when others are opened, so that a program
 * which opens many objects needs no more memory than one that closes them.
 *
 * <p>Thread rule: any thread.
 */
final class ObjectHandles {

  /** How many handles are released at most when an object is opened. */
  private static final int MOST_AT_ONCE = 64;

  /** The handle of an object that may still be reachable. */
  static final class Held extends PhantomReference<Object> {
    private final Handle handle;
    private final CompletableFuture<?> opened;

    private Held(
        Object object, Handle handle, CompletableFuture<?> opened, ReferenceQueue<Object> lost) {
      super(object, lost);
      this.handle = handle;
      this.opened = opened;
    }

    Handle handle() {
      return handle;
    }

    /** Returns whether the object could not be opened, which has been reported to the program. */
    boolean isUnopened() {
      return opened.isCompletedExceptionally();
    }
  }

  private final Set<Held> held = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Object> lost = new ReferenceQueue<>();
  private final Consumer<Held> release;

  /**
   * Creates the handles of a file that has just been opened.
   *
   * @param release releases the handle of a lost object; does not throw
   */
  ObjectHandles(Consumer<Held> release) {
    this.release = release;
  }

  /**
   * Adds the handle of an object, and releases some of those of objects that are lost.
   *
   * @param opened completes when the object is open
   */
  Held add(Object object, Handle handle, CompletableFuture<?> opened) {
    releaseLost();
    Held added = new Held(object, handle, opened, lost);
    held.add(added);
    return added;
  }

  /** Removes the handle of an object that is being closed. */
  void remove(Held closed) {
    held.remove(closed);
    closed.clear();
  }

  private void releaseLost() {
    for (int i = 0; i < MOST_AT_ONCE; i++) {
      Reference<?> reference = lost.poll();
      if (reference == null) {
        return;
      }
      Held unreachable = (Held) reference;
      if (held.remove(unreachable)) {
        release.accept(unreachable);
      }
    }
  }
}
