package org.hyperslab.vol;

import java.util.Optional;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.StorageSizes;

/**
 * Operations on objects of any kind.
 *
 * @param <R> the type of the result
 */
public sealed interface ObjectOperation<R> extends Operation<R> {

  /**
   * Opens the object at a path under a handle.
   *
   * @param object the handle of the object
   * @param at the object's place
   */
  record Open(Handle object, Location at) implements ObjectOperation<ObjectInfo> {
    @Override
    public Handle subject() {
      return at.base();
    }
  }

  /**
   * Opens the object that a token identifies in the file of a handle.
   *
   * @param object the handle of the object
   * @param file the handle of the file
   * @param token the object's token
   */
  record OpenToken(Handle object, Handle file, ObjectToken token)
      implements ObjectOperation<ObjectInfo> {
    @Override
    public Handle subject() {
      return file;
    }
  }

  /**
   * Returns the current properties of the object.
   *
   * @param at the object's place
   */
  record Describe(Location at) implements ObjectOperation<ObjectInfo> {
    @Override
    public Handle subject() {
      return at.base();
    }
  }

  /**
   * Returns the size of the object's metadata in the file, for which all its indexes and heaps are
   * traversed.
   *
   * @param at the object's place
   */
  record Measure(Location at) implements ObjectOperation<StorageSizes> {
    @Override
    public Handle subject() {
      return at.base();
    }
  }

  /**
   * Returns a path of hard links from the root to the object, the first in the order of names;
   * empty if there is none.
   *
   * @param file the handle of the file
   * @param token the object's token
   */
  record PathOf(Handle file, ObjectToken token) implements ObjectOperation<Optional<String>> {
    @Override
    public Handle subject() {
      return file;
    }
  }

  /**
   * Copies an object, within a file or to another file of the same connector, with everything below
   * it. AlreadyExistsException if the destination exists.
   *
   * @param source the place of the object to copy
   * @param destination the place of the copy
   * @param options how the object is copied
   * @param link how the link is made
   */
  record Copy(Location source, Location destination, CopyOptions options, LinkOptions link)
      implements ObjectOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return destination.base();
    }
  }

  /**
   * Sets or removes the object's comment.
   *
   * @param at the object's place
   * @param comment the comment; empty removes it
   */
  record SetComment(Location at, Optional<String> comment) implements ObjectOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return at.base();
    }
  }

  /**
   * Adds one to the count of references to the object, or takes one away. The count is that of the
   * hard links to it, so an object with a reference added stays when its last link is deleted, and
   * one whose count becomes 0 is deleted, once no handle is open on it. Taking away more than was
   * added leaves links that lead nowhere. InvalidUseException for the root group, and if there is
   * no reference to take away.
   *
   * @param at the object's place
   * @param adds whether a reference is added; otherwise one is taken away
   */
  record CountReference(Location at, boolean adds) implements ObjectOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return at.base();
    }
  }

  /**
   * Makes what was written to the object durable, and possibly more.
   *
   * @param object the handle of the object
   */
  record Flush(Handle object) implements ObjectOperation<Void>, Flushing {
    @Override
    public Handle subject() {
      return object;
    }
  }

  /**
   * Discards what is cached of the object, so that it is read again, as a SWMR reader needs.
   *
   * @param object the handle of the object
   */
  record Refresh(Handle object) implements ObjectOperation<ObjectInfo> {
    @Override
    public Handle subject() {
      return object;
    }
  }

  /**
   * Releases a handle; the object stays. Closing a closed handle does nothing.
   *
   * @param object the handle of the object
   */
  record Close(Handle object) implements ObjectOperation<Void>, Closing {
    @Override
    public Handle subject() {
      return object;
    }
  }
}
