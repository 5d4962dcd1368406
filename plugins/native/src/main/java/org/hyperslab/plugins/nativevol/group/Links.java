package org.hyperslab.plugins.nativevol.group;

import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.model.LinkData;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Creates, moves and removes links, and keeps the reference counts of the objects that hard links
 * lead to.
 *
 * <p>Thread rule: as {@link ObjectHeaders}; every edit under the file's write lock.
 */
public final class Links {

  private final ObjectHeaders headers;
  private final Groups groups;

  /**
   * Creates the links of a file.
   *
   * @param headers the headers of the file
   * @param groups the groups of the file
   */
  public Links(ObjectHeaders headers, Groups groups) {
    this.headers = headers;
    this.groups = groups;
  }

  /**
   * Creates a hard link to an object and increments its reference count.
   *
   * @param group the address of the group's header
   * @param name the name
   * @param encoding the character set of the link's name
   * @param target the address of the object's header
   */
  public void createHard(long group, String name, TextEncoding encoding, long target) {
    ObjectHeader header = headers.open(target);
    create(group, name, encoding, new LinkMessage.Hard(target));
    headers.references().link(header);
  }

  /**
   * Creates the first link to a new object. The reference count of 1 in its header already counts
   * this link.
   *
   * @param group the address of the group's header
   * @param name the name
   * @param encoding the character set of the link's name
   * @param target the address of the object's header
   */
  public void createFirst(long group, String name, TextEncoding encoding, long target) {
    create(group, name, encoding, new LinkMessage.Hard(target));
  }

  /**
   * Creates the first link to a new object, as above, with a name that is known to be free.
   *
   * @param at the group and the name
   * @param encoding the character set of the link's name
   * @param target the address of the object's header
   */
  public void createFirst(Groups.FreeName at, TextEncoding encoding, long target) {
    requireName(at.name());
    groups.insert(at, encoding, new LinkMessage.Hard(target));
  }

  /**
   * Creates a link other than a hard link.
   *
   * @param group the address of the group's header
   * @param name the name
   * @param encoding the character set of the link's name
   * @param target the target of the link
   */
  public void create(long group, String name, TextEncoding encoding, LinkMessage.Target target) {
    requireName(name);
    groups.insert(group, name, encoding, target);
  }

  private static void requireName(String name) {
    if (name.isEmpty() || name.equals(".") || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
      throw new InvalidUseException(
          "link name: actual=\"" + name + "\", expected=not empty, not \".\", no slash, no NUL");
    }
  }

  /**
   * Removes a link; the object is deleted if that was the last hard link to it.
   *
   * @param group the address of the group's header
   * @param name the name
   */
  public void delete(long group, String name) {
    LinkMessage link = groups.require(group, name);
    groups.remove(group, link);
    if (link.target() instanceof LinkMessage.Hard(long target)) {
      headers.unlink(target);
    }
  }

  /**
   * Moves or renames a link.
   *
   * @param from the address of the header of the group that holds the link
   * @param oldName the present name
   * @param to the address of the header of the destination group
   * @param newName the new name
   * @param encoding the character set of the link's name
   */
  public void move(long from, String oldName, long to, String newName, TextEncoding encoding) {
    LinkMessage link = groups.require(from, oldName);
    if (from == to && oldName.equals(newName)) {
      throw new AlreadyExistsException("link: actual=exists, expected=another name, at=" + newName);
    }
    create(to, newName, encoding, link.target());
    groups.remove(from, groups.require(from, oldName));
  }

  /**
   * Copies a link; the reference count of a hard link's object is incremented.
   *
   * @param from the address of the header of the group that holds the link
   * @param oldName the present name
   * @param to the address of the header of the destination group
   * @param newName the new name
   * @param encoding the character set of the link's name
   */
  public void copy(long from, String oldName, long to, String newName, TextEncoding encoding) {
    LinkMessage link = groups.require(from, oldName);
    if (link.target() instanceof LinkMessage.Hard(long target)) {
      createHard(to, newName, encoding, target);
    } else {
      create(to, newName, encoding, link.target());
    }
  }

  /**
   * {@return the character set to record for a name: UTF-8 if asked for or needed}
   *
   * @param name the name
   * @param wished the requested character set
   */
  public static TextEncoding encoding(String name, CharacterSet wished) {
    return wished == CharacterSet.UTF8 ? TextEncoding.UTF_8 : TextEncoding.of(name);
  }

  /**
   * {@return the description of a link for users}
   *
   * @param link the link
   */
  public static LinkInfo info(LinkMessage link) {
    CharacterSet charset =
        link.encoding() == TextEncoding.UTF_8 ? CharacterSet.UTF8 : CharacterSet.ASCII;
    return switch (link.target()) {
      case LinkMessage.Hard hard ->
          new LinkInfo(
              link.name(),
              LinkKind.HARD,
              charset,
              link.creationIndex(),
              new ObjectToken(hard.headerAddress()),
              null,
              null,
              0,
              LinkData.NONE);
      case LinkMessage.Soft soft ->
          new LinkInfo(
              link.name(),
              LinkKind.SOFT,
              charset,
              link.creationIndex(),
              null,
              null,
              soft.path(),
              0,
              LinkData.NONE);
      case LinkMessage.External external ->
          new LinkInfo(
              link.name(),
              LinkKind.EXTERNAL,
              charset,
              link.creationIndex(),
              null,
              external.file(),
              external.path(),
              0,
              LinkData.NONE);
      case LinkMessage.UserDefined user ->
          new LinkInfo(
              link.name(),
              LinkKind.USER_DEFINED,
              charset,
              link.creationIndex(),
              null,
              null,
              null,
              user.linkClass(),
              LinkData.of(user.value().toByteArray()));
    };
  }
}
