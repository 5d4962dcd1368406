package org.hyperslab.vol;

import java.util.List;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;

/**
 * Operations on links. Paths are followed through soft and external links but for their last name.
 */
public sealed interface LinkOperation<R> extends Operation<R> {

  /**
   * Creates a hard link to an object of the same file. AlreadyExistsException if {@code link}
   * exists.
   */
  record CreateHard(Location target, Location link, LinkOptions options)
      implements LinkOperation<Void> {
    @Override
    public Handle subject() {
      return link.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /** Creates a soft link; the target need not exist. */
  record CreateSoft(String targetPath, Location link, LinkOptions options)
      implements LinkOperation<Void> {
    @Override
    public Handle subject() {
      return link.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /** Creates an external link; neither file nor target need exist. */
  record CreateExternal(String targetFile, String targetPath, Location link, LinkOptions options)
      implements LinkOperation<Void> {
    @Override
    public Handle subject() {
      return link.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /** Creates a link of class 65 to 255 that holds {@code data}. */
  record CreateUserDefined(int userClass, List<Byte> data, Location link, LinkOptions options)
      implements LinkOperation<Void> {
    @Override
    public Handle subject() {
      return link.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /** Removes a link; an object whose last hard link it was is deleted and its space reused. */
  record Delete(Location link) implements LinkOperation<Void> {
    @Override
    public Handle subject() {
      return link.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /** Renames or moves a link within its file. */
  record Move(Location from, Location to, LinkOptions options) implements LinkOperation<Void> {
    @Override
    public Handle subject() {
      return from.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /** Makes the same link elsewhere in the file; what it leads to is not copied. */
  record Copy(Location from, Location to, LinkOptions options) implements LinkOperation<Void> {
    @Override
    public Handle subject() {
      return from.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /** Whether the link exists; the groups on the way must. True for "/" and for the base itself. */
  record Exists(Location link) implements LinkOperation<Boolean> {
    @Override
    public Handle subject() {
      return link.base();
    }
  }

  /** The link itself, not what it leads to. */
  record Describe(Location link) implements LinkOperation<LinkInfo> {
    @Override
    public Handle subject() {
      return link.base();
    }
  }

  /**
   * A page of a group's links. InvalidUseException if creation order is asked for and not tracked.
   */
  record ListLinks(Location group, PageRequest page) implements LinkOperation<Page<LinkInfo>> {
    @Override
    public Handle subject() {
      return group.base();
    }
  }
}
