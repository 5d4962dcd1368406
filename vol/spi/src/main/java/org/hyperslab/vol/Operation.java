package org.hyperslab.vol;

import java.util.List;
import java.util.Optional;

/**
 * One self-contained request on a file, group, link, dataset, attribute, type, object or step. It
 * can be printed, compared, queued, merged, sent and replayed; it contains no behaviour.
 *
 * <p>Every operation documents its result and the errors with which its stage fails. Common to all:
 * a handle that is closed or unknown is an {@link org.hyperslab.error.InvalidUseException}; a path
 * of which a part does not exist, a {@link org.hyperslab.error.NotFoundException}; an edit of a
 * file opened for reading, an {@link org.hyperslab.error.InvalidUseException}; an operation that
 * the connector cannot carry out, an {@link org.hyperslab.error.UnsupportedFeatureException}.
 *
 * @param <R> the result; {@link Void} where there is none, and then the stage completes with null
 */
public sealed interface Operation<R>
    permits FileOperation,
        GroupOperation,
        LinkOperation,
        ObjectOperation,
        DatasetOperation,
        AttributeOperation,
        TypeOperation,
        StepOperation {

  /** {@return the handle through which the operation reaches its file, by which it is ordered} */
  Handle subject();

  /**
   * Marks the operations that may change what a file contains. Opening, flushing and closing are
   * none, although a connector may write to storage when it carries them out.
   */
  interface Edit {}

  /**
   * Marks the operations that make earlier edits durable, as far as the options of the file say,
   * and that report failures of edits that no one has observed: flushing, and closing a file.
   */
  interface Flushing {}

  /** Marks the operations after which a handle names nothing. */
  interface Closing {}

  /** {@return whether it may change what a file contains: whether it is an {@link Edit}} */
  default boolean edits() {
    return this instanceof Edit;
  }

  /**
   * {@return whether it makes earlier edits durable and reports their failures: whether it is
   * {@link Flushing}}
   */
  default boolean flushes() {
    return this instanceof Flushing;
  }

  /** {@return whether its subject names nothing afterwards: whether it is {@link Closing}} */
  default boolean closes() {
    return this instanceof Closing;
  }

  /** {@return the handle under which it opens or creates a file or an object, if it does} */
  default Optional<Handle> opens() {
    return OperationHandles.opened(this);
  }

  /**
   * {@return the open handles that it names: the subject, and any other, such as the source of a
   * copy}
   */
  default List<Handle> uses() {
    return OperationHandles.used(this);
  }
}
