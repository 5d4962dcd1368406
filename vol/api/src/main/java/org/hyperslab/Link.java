package org.hyperslab;

import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;

/**
 * A link as it was when its group was listed. It keeps nothing open.
 *
 * <p>Thread rule: any thread.
 */
public final class Link {

  private final Group group;
  private final String path;
  private final LinkInfo info;

  Link(Group group, String path, LinkInfo info) {
    this.group = group;
    this.path = path;
    this.info = info;
  }

  /** {@return its name within the group that holds it} */
  public String name() {
    return info.name();
  }

  /** {@return how it names its target} */
  public LinkKind kind() {
    return info.kind();
  }

  /** {@return all its properties} */
  public LinkInfo info() {
    return info;
  }

  /** {@return its creation order in its group, if the group tracks it} */
  public OptionalLong creationOrder() {
    return info.creationOrder();
  }

  /** {@return the path that a soft or external link holds} */
  public Optional<String> targetPath() {
    return Optional.ofNullable(info.targetPath());
  }

  /** {@return the file that an external link holds} */
  public Optional<String> targetFile() {
    return Optional.ofNullable(info.targetFile());
  }

  /** {@return the bytes of a user-defined link} */
  public byte[] userData() {
    return info.userData().toByteArray();
  }

  /**
   * Opens the object that the link leads to.
   *
   * @return the open object, which the caller closes
   * @throws org.hyperslab.error.NotFoundException if it leads nowhere
   * @throws InvalidUseException if it is a user-defined link
   */
  public H5Object open() {
    if (kind() == LinkKind.USER_DEFINED) {
      throw new InvalidUseException(
          "user-defined link: actual=class "
              + info.userClass()
              + ", expected=a hard, soft or external link, at="
              + group.pathOf(path));
    }
    return group.get(path);
  }

  /** Returns name and target. */
  @Override
  public String toString() {
    return switch (kind()) {
      case HARD -> name() + " = object " + info.token().address();
      case SOFT -> name() + " -> " + info.targetPath();
      case EXTERNAL -> name() + " -> " + info.targetFile() + ":" + info.targetPath();
      case USER_DEFINED -> name() + " -> class " + info.userClass();
    };
  }
}
