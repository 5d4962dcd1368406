package org.hyperslab.vol;

import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectInfo;

/**
 * Operations on committed (named) datatypes.
 *
 * @param <R> the type of the result
 */
public sealed interface TypeOperation<R> extends Operation<R> {

  /**
   * Commits a datatype with a link to it, and opens it under the handle {@code type}. An empty path
   * commits it without a link. Fails with AlreadyExistsException if the link exists.
   *
   * @param type the handle of the committed type
   * @param at the object's place
   * @param spec the datatype and its creation options
   * @param link the creation options of the link
   */
  record Commit(Handle type, Location at, Spec spec, LinkOptions link)
      implements TypeOperation<ObjectInfo>, Edit {
    @Override
    public Handle subject() {
      return at.base();
    }
  }

  /**
   * Returns the datatype and how it is kept.
   *
   * @param type the handle of the committed type
   */
  record Describe(Handle type) implements TypeOperation<Spec> {
    @Override
    public Handle subject() {
      return type;
    }
  }

  /**
   * Options for committing a datatype.
   *
   * @param datatype the datatype
   * @param trackTimes whether modification times are recorded
   * @param attributes how attributes are kept
   */
  record Spec(Datatype datatype, boolean trackTimes, AttributeStorage attributes) {

    /**
     * Makes the default: no times, and the defaults of the C library for attributes.
     *
     * @param datatype the datatype
     * @return the specification
     */
    public static Spec of(Datatype datatype) {
      return new Spec(datatype, false, AttributeStorage.DEFAULT);
    }
  }
}
