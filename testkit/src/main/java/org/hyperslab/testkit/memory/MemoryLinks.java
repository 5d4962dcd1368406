package org.hyperslab.testkit.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkData;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.testkit.memory.MemoryObject.Entry;
import org.hyperslab.testkit.memory.MemoryPaths.Place;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;

/** Carries out operations on links. Guarded by the connector's lock. */
final class MemoryLinks {

  private MemoryLinks() {}

  static Object run(LinkOperation<?> operation, MemoryConnector c) {
    return switch (operation) {
      case LinkOperation.CreateHard o -> {
        MemoryObject target = c.object(o.target());
        Place place = free(c, o.link(), o.options());
        if (target.file != place.group().file) {
          throw new InvalidUseException(
              "hard link: actual=a target in "
                  + target.file.name
                  + ", expected=one in the link's own file "
                  + place.group().file.name
                  + "; make an external link");
        }
        addHard(place.group(), place.name(), o.options().charset(), target);
        yield null;
      }
      case LinkOperation.CreateSoft o -> {
        requireText("target of a soft link", o.targetPath());
        LinkInfo info = info(LinkKind.SOFT, null, o.targetPath(), 0, LinkData.NONE);
        yield add(free(c, o.link(), o.options()), info, null, o.options());
      }
      case LinkOperation.CreateExternal o -> {
        requireText("file of an external link", o.targetFile());
        requireText("target of an external link", o.targetPath());
        LinkInfo info = info(LinkKind.EXTERNAL, o.targetFile(), o.targetPath(), 0, LinkData.NONE);
        yield add(free(c, o.link(), o.options()), info, null, o.options());
      }
      case LinkOperation.CreateUserDefined o -> {
        if (o.userClass() < 64 || o.userClass() > 255) {
          throw new InvalidUseException(
              "class of a user-defined link: actual=" + o.userClass() + ", expected=64..255");
        }
        LinkInfo info = info(LinkKind.USER_DEFINED, null, null, o.userClass(), o.data());
        yield add(free(c, o.link(), o.options()), info, null, o.options());
      }
      case LinkOperation.Delete o -> {
        remove(c.editable(o.link(), LinkOptions.DEFAULT));
        yield null;
      }
      case LinkOperation.Move o -> relink(c, c.editable(o.from(), LinkOptions.DEFAULT), o);
      case LinkOperation.Copy o -> {
        Entry entry = c.place(o.from(), LinkOptions.DEFAULT).entry();
        Place to = free(c, o.to(), o.options());
        requireSameFile(entry, to);
        yield add(to, entry.info(), entry.target(), o.options());
      }
      case LinkOperation.Exists o ->
          MemoryPaths.names(o.link().path()).isEmpty()
              || c.place(o.link(), LinkOptions.DEFAULT)
                  .group()
                  .links
                  .containsKey(MemoryPaths.names(o.link().path()).getLast());
      case LinkOperation.Describe o -> c.place(o.link(), LinkOptions.DEFAULT).entry().info();
      case LinkOperation.ListLinks o -> list(c.object(o.group()), o.page());
    };
  }

  static void requireText(String what, String text) {
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw new InvalidUseException(what + ": actual=\"" + text + "\", expected=not empty, no NUL");
    }
    NameBytes.requireEncodable(text);
  }

  private static Object relink(MemoryConnector c, Place from, LinkOperation.Move o) {
    Entry entry = from.entry();
    Place to = free(c, o.to(), o.options());
    requireSameFile(entry, to);
    if (entry.isHard()
        && leadsTo(entry.target(), to.group(), null, new HashSet<>())
        && !leadsTo(to.group().file.root, to.group(), entry, new HashSet<>())) {
      throw new InvalidUseException(
          "link to move: actual=\""
              + from.name()
              + "\" to \""
              + o.to().path()
              + "\", which is inside the moved group, expected=a path outside of it");
    }
    add(to, entry.info(), entry.target(), o.options());
    remove(from);
    return null;
  }

  /** Returns whether hard links lead from an object to another, without one of the links. */
  private static boolean leadsTo(
      MemoryObject from, MemoryObject to, Entry without, Set<MemoryObject> seen) {
    return from == to
        || (seen.add(from)
            && from.links.values().stream()
                .filter(link -> link != without)
                .anyMatch(link -> link.isHard() && leadsTo(link.target(), to, without, seen)));
  }

  private static void requireSameFile(Entry entry, Place to) {
    if (entry.isHard() && entry.target().file != to.group().file) {
      throw new InvalidUseException(
          "destination of a hard link: actual=file "
              + to.group().file.name
              + ", expected=its own file "
              + entry.target().file.name);
    }
  }

  private static Place free(MemoryConnector c, Location at, LinkOptions options) {
    Place place = c.editable(at, options);
    place.requireFree();
    return place;
  }

  static void addHard(MemoryObject group, String name, CharacterSet charset, MemoryObject target) {
    LinkInfo info = info(LinkKind.HARD, null, null, 0, LinkData.NONE);
    add(new Place(group, name), info, target, LinkOptions.builder().charset(charset).build());
  }

  private static LinkInfo info(
      LinkKind kind, String file, String path, int userClass, LinkData data) {
    return new LinkInfo(
        "", kind, CharacterSet.ASCII, OptionalLong.empty(), null, file, path, userClass, data);
  }

  private static Object add(Place place, LinkInfo like, MemoryObject target, LinkOptions options) {
    MemoryObject group = place.group();
    OptionalLong order =
        group.groupOptions.creationOrderTracked()
            ? OptionalLong.of(group.nextLinkOrder++)
            : OptionalLong.empty();
    LinkInfo info =
        new LinkInfo(
            place.name(),
            like.kind(),
            options.charset(),
            order,
            target == null ? null : target.token,
            like.targetFile(),
            like.targetPath(),
            like.userClass(),
            like.userData());
    group.links.put(place.name(), new Entry(info, target));
    if (target != null) {
      target.addReference();
    }
    return null;
  }

  private static void remove(Place place) {
    Entry entry = place.entry();
    place.group().links.remove(place.name());
    if (entry.isHard()) {
      entry.target().dropReference();
    }
  }

  private static Page<LinkInfo> list(MemoryObject group, PageRequest page) {
    if (group.kind != ObjectKind.GROUP) {
      throw new InvalidUseException(
          "kind of object: actual=" + group.kind + ", expected=GROUP, at=" + group.file.name);
    }
    List<LinkInfo> all = new ArrayList<>(group.links.values().stream().map(Entry::info).toList());
    if (page.index() == IterationIndex.CREATION_ORDER) {
      if (!group.groupOptions.creationOrderTracked()) {
        throw new InvalidUseException(
            "order of links: actual=creation order, which the group does not track,"
                + " expected=by name");
      }
      all.sort(Comparator.comparingLong(info -> info.creationOrder().getAsLong()));
    }
    return paged(all, page);
  }

  static <T> Page<T> paged(List<T> all, PageRequest page) {
    if (page.descending()) {
      Collections.reverse(all);
    }
    int from = (int) Math.min(page.position(), all.size());
    int to = (int) Math.min((long) from + page.limit(), all.size());
    return new Page<>(all.subList(from, to), to == all.size());
  }

  static UnsupportedFeatureException unsupported(String what) {
    return new UnsupportedFeatureException(what + ": actual=not supported by the memory connector");
  }
}
