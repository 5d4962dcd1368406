package org.hyperslab.vol;

import java.util.List;
import java.util.Optional;

/**
 * One self-contained request on a file, group, link, dataset, attribute, type or object. It can be
 * printed, compared, queued, merged, sent and replayed; it contains no behaviour.
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
        TypeOperation {

  /** {@return the handle through which the operation reaches its file, by which it is ordered} */
  Handle subject();

  /** {@return whether the operation may change a file} */
  default boolean edits() {
    return false;
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
