package org.hyperslab.vol;

import org.hyperslab.model.LinkData;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;

/**
 * Operations on links. Soft and external links in a path are followed, except in its last name.
 *
 * @param <R> the type of the result
 */
public sealed interface LinkOperation<R> extends Operation<R> {

  /**
   * Creates a hard link to an object of the same file. AlreadyExistsException if {@code link}
   * exists.
   *
   * @param target the place of the object that the link leads to
   * @param link the place of the link
   * @param options how the link is made
   */
  record CreateHard(Location target, Location link, LinkOptions options)
      implements LinkOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return link.base();
    }
  }

  /**
   * Creates a soft link; the target need not exist.
   *
   * @param targetPath the path that the link leads to
   * @param link the place of the link
   * @param options how the link is made
   */
  record CreateSoft(String targetPath, Location link, LinkOptions options)
      implements LinkOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return link.base();
    }
  }

  /**
   * Creates an external link; neither file nor target need exist.
   *
   * @param targetFile the name of the file that the link leads to
   * @param targetPath the path that the link leads to
   * @param link the place of the link
   * @param options how the link is made
   */
  record CreateExternal(String targetFile, String targetPath, Location link, LinkOptions options)
      implements LinkOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return link.base();
    }
  }

  /**
   * Creates a link of class 64 to 255 that holds {@code data}. 64 is the class of external links:
   * with data that are not those of one, the link leads nowhere.
   *
   * @param userClass the class of the link, 64 to 255
   * @param data the data of the link
   * @param link the place of the link
   * @param options how the link is made
   */
  record CreateUserDefined(int userClass, LinkData data, Location link, LinkOptions options)
      implements LinkOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return link.base();
    }
  }

  /**
   * Removes a link. If it was the last hard link to an object, the object is deleted and its space
   * reused.
   *
   * @param link the place of the link
   */
  record Delete(Location link) implements LinkOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return link.base();
    }
  }

  /**
   * Renames or moves a link within its file.
   *
   * @param from the present place
   * @param to the new place
   * @param options how the link is made
   */
  record Move(Location from, Location to, LinkOptions options)
      implements LinkOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return from.base();
    }
  }

  /**
   * Copies a link within its file, not the object it leads to.
   *
   * @param from the present place
   * @param to the new place
   * @param options how the link is made
   */
  record Copy(Location from, Location to, LinkOptions options)
      implements LinkOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return from.base();
    }
  }

  /**
   * Returns whether the link exists; its parent groups must exist. True for "/" and for the base
   * itself.
   *
   * @param link the place of the link
   */
  record Exists(Location link) implements LinkOperation<Boolean> {
    @Override
    public Handle subject() {
      return link.base();
    }
  }

  /**
   * Returns the properties of the link, not of its target.
   *
   * @param link the place of the link
   */
  record Describe(Location link) implements LinkOperation<LinkInfo> {
    @Override
    public Handle subject() {
      return link.base();
    }
  }

  /**
   * Lists a page of a group's links. InvalidUseException if creation order is asked for and not
   * tracked.
   *
   * @param group the place of the group
   * @param page the page to list
   */
  record ListLinks(Location group, PageRequest page) implements LinkOperation<Page<LinkInfo>> {
    @Override
    public Handle subject() {
      return group.base();
    }
  }
}
