package org.hyperslab.vol;

import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.LinkOptions;

/**
 * Operations on committed (named) datatypes.
 *
 * @param <R> the type of the result
 */
public sealed interface TypeOperation<R> extends Operation<R> {

  /**
   * Commits a datatype with a link to it, and opens it under the handle {@code type}. An empty path
   * commits it without a link. AlreadyExistsException if the link exists.
   *
   * @param type the handle of the committed type
   * @param at the object's place
   * @param datatype the datatype
   * @param link how the link is made
   */
  record Commit(Handle type, Location at, Datatype datatype, LinkOptions link)
      implements TypeOperation<org.hyperslab.model.ObjectInfo> {
    @Override
    public Handle subject() {
      return at.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /**
   * Returns the datatype.
   *
   * @param type the handle of the committed type
   */
  record Describe(Handle type) implements TypeOperation<Datatype> {
    @Override
    public Handle subject() {
      return type;
    }
  }
}
