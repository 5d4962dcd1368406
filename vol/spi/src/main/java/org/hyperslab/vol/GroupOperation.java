package org.hyperslab.vol;

import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectInfo;

/**
 * Operations on groups; their links are in {@link LinkOperation}.
 *
 * @param <R> the type of the result
 */
public sealed interface GroupOperation<R> extends Operation<R> {

  /**
   * Creates a group and the link to it, and opens it under the handle {@code group}. An empty path
   * creates it without a link. AlreadyExistsException if the link exists.
   *
   * @param group the handle of the group
   * @param at the object's place
   * @param options how the group is created
   * @param link how the link is made
   */
  record Create(Handle group, Location at, GroupOptions options, LinkOptions link)
      implements GroupOperation<ObjectInfo>, Edit {
    @Override
    public Handle subject() {
      return at.base();
    }
  }

  /**
   * Returns the current properties of the group. InvalidUseException if the object is not a group.
   *
   * @param at the object's place
   */
  record Describe(Location at) implements GroupOperation<GroupInfo> {
    @Override
    public Handle subject() {
      return at.base();
    }
  }
}
