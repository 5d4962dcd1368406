package org.hyperslab.plugins.nativevol;

import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.group.Links;
import org.hyperslab.plugins.nativevol.group.PathResult;
import org.hyperslab.plugins.nativevol.group.Paths;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;

/**
 * Carries out operations on links.
 *
 * <p>Thread rule: any thread.
 */
final class LinkHandler {

  private static final int FIRST_USER_CLASS = 64;
  private static final int LAST_USER_CLASS = 255;

  private final HandleTable handles;
  private final Locator locator;

  LinkHandler(HandleTable handles, Locator locator) {
    this.handles = handles;
    this.locator = locator;
  }

  /** Carries out an operation and returns its result, or null if it has none. */
  Object execute(LinkOperation<?> operation) {
    return switch (operation) {
      case LinkOperation.CreateHard create -> createHard(create);
      case LinkOperation.CreateSoft create -> {
        requireText("path of a soft link", create.targetPath());
        yield make(create.link(), create.options(), new LinkMessage.Soft(create.targetPath()));
      }
      case LinkOperation.CreateExternal create -> {
        requireText("file of an external link", create.targetFile());
        requireText("path of an external link", create.targetPath());
        yield make(
            create.link(),
            create.options(),
            new LinkMessage.External(0, create.targetFile(), create.targetPath()));
      }
      case LinkOperation.CreateUserDefined create -> createUserDefined(create);
      case LinkOperation.Delete delete ->
          locator.editName(
              delete.link(),
              false,
              (objects, place) -> {
                objects.links().delete(place.group(), place.name());
                return null;
              });
      case LinkOperation.Move move -> move(move.from(), move.to(), move.options(), false);
      case LinkOperation.Copy copy -> move(copy.from(), copy.to(), copy.options(), true);
      case LinkOperation.Exists exists -> exists(exists.link());
      case LinkOperation.Describe describe ->
          locator.readName(
              describe.link(),
              (objects, place) ->
                  Links.info(objects.groups().require(place.group(), place.name())));
      case LinkOperation.ListLinks list ->
          locator.read(list.group(), (objects, group) -> list(objects, group, list.page()));
    };
  }

  private static void requireText(String what, String text) {
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw new InvalidUseException(
          what + ": actual=\"" + text + "\", expected=not empty, no NUL, which would end it");
    }
    NameBytes.requireEncodable(text);
  }

  private Object make(Location link, LinkOptions options, LinkMessage.Target target) {
    return locator.editName(
        link,
        options.createIntermediate(),
        (objects, place) -> {
          objects
              .links()
              .create(
                  place.group(),
                  place.name(),
                  Links.encoding(place.name(), options.charset()),
                  target);
          return null;
        });
  }

  private Object createHard(LinkOperation.CreateHard create) {
    Found target = locator.read(create.target(), Found::new);
    return locator.editName(
        create.link(),
        create.options().createIntermediate(),
        (objects, place) -> {
          requireSameFile(target.objects, objects);
          objects
              .links()
              .createHard(
                  place.group(),
                  place.name(),
                  Links.encoding(place.name(), create.options().charset()),
                  target.address);
          return null;
        });
  }

  private Object createUserDefined(LinkOperation.CreateUserDefined create) {
    int userClass = create.userClass();
    if (userClass < FIRST_USER_CLASS || userClass > LAST_USER_CLASS) {
      throw new InvalidUseException(
          "class of user-defined link: actual=" + userClass + ", expected=64..255");
    }
    Bytes data = Bytes.of(create.data().toByteArray());
    return make(create.link(), create.options(), new LinkMessage.UserDefined(userClass, data));
  }

  private record Found(FileObjects objects, long address) {}

  private Object move(Location from, Location to, LinkOptions options, boolean copy) {
    Locator.requireWritable(handles.require(from.base()));
    Locator.MovedLink old =
        locator.readName(
            from,
            (objects, place) -> {
              objects.groups().require(place.group(), place.name());
              return new Locator.MovedLink(objects, place);
            });
    if (copy) {
      return locator.editName(
          to,
          options.createIntermediate(),
          (objects, place) -> relink(old, objects, place, options, true));
    }
    return locator.editName(
        to,
        options.createIntermediate(),
        old,
        (objects, place) -> relink(old, objects, place, options, false));
  }

  private static Object relink(
      Locator.MovedLink old,
      FileObjects objects,
      PathResult.Name place,
      LinkOptions options,
      boolean copy) {
    requireSameFile(old.objects(), objects);
    var encoding = Links.encoding(place.name(), options.charset());
    long group = old.name().group();
    String name = old.name().name();
    if (copy) {
      objects.links().copy(group, name, place.group(), place.name(), encoding);
    } else {
      objects.links().move(group, name, place.group(), place.name(), encoding);
    }
    return null;
  }

  private static void requireSameFile(FileObjects a, FileObjects b) {
    if (a != b) {
      throw new InvalidUseException(
          "link: actual=from file "
              + b.file().name()
              + " to "
              + a.file().name()
              + ", expected=within one file; make an external link");
    }
  }

  private boolean exists(Location link) {
    if (isRootOrBase(link)) {
      handles.require(link.base());
      return true;
    }
    return locator.readName(
        link, (objects, place) -> objects.groups().find(place.group(), place.name()).isPresent());
  }

  /** Returns whether a path denotes the root or the base itself, and so ends in no link name. */
  private static boolean isRootOrBase(Location link) {
    return Paths.names(link.path()).isEmpty();
  }

  private static Page<LinkInfo> list(FileObjects objects, long group, PageRequest page) {
    PageRequest oneMore =
        page.limit() == Integer.MAX_VALUE
            ? page
            : new PageRequest(page.index(), page.descending(), page.position(), page.limit() + 1);
    List<LinkMessage> links = objects.groups().list(group, oneMore);
    boolean last = links.size() <= page.limit();
    return new Page<>(links.stream().limit(page.limit()).map(Links::info).toList(), last);
  }
}
