package org.hyperslab.testkit.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.StorageSizes;
import org.hyperslab.testkit.memory.MemoryConnector.Opened;
import org.hyperslab.testkit.memory.MemoryObject.Entry;
import org.hyperslab.testkit.memory.MemoryObject.StoredAttribute;
import org.hyperslab.testkit.memory.MemoryPaths.Place;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;

/** Carries out operations on objects of any kind. Guarded by the connector's lock. */
final class Objects {

  private Objects() {}

  static Object run(ObjectOperation<?> operation, MemoryConnector c) {
    return switch (operation) {
      case ObjectOperation.Open o -> {
        MemoryObject object = c.object(o.at());
        yield open(c, o.object(), c.opened(o.at().base()), object);
      }
      case ObjectOperation.OpenToken o ->
          open(c, o.object(), c.opened(o.file()), byToken(c.opened(o.file()), o.token()));
      case ObjectOperation.Describe o -> describe(c.object(o.at()));
      case ObjectOperation.Measure o -> {
        c.object(o.at());
        yield StorageSizes.NONE;
      }
      case ObjectOperation.PathOf o -> pathOf(c.opened(o.file()).object().file, o.token());
      case ObjectOperation.Copy o -> copy(c, o);
      case ObjectOperation.SetComment o -> {
        o.comment()
            .filter(text -> !text.isEmpty())
            .ifPresent(text -> MemoryLinks.requireText("comment", text));
        c.editableObject(o.at()).comment = o.comment();
        yield null;
      }
      case ObjectOperation.CountReference o -> {
        count(c.editableObject(o.at()), o.adds());
        yield null;
      }
      case ObjectOperation.Flush o -> {
        c.opened(o.object());
        yield null;
      }
      case ObjectOperation.Refresh o -> describe(c.opened(o.object()).object());
      case ObjectOperation.Close o -> {
        c.handles.remove(o.object());
        yield null;
      }
    };
  }

  private static void count(MemoryObject object, boolean adds) {
    if (object == object.file.root || (!adds && object.referenceCount <= 0)) {
      throw new InvalidUseException(
          "references: actual=of the root group, or none to take away, expected=of another object");
    }
    if (adds) {
      object.addReference();
    } else {
      object.dropReference();
    }
  }

  private static ObjectInfo open(
      MemoryConnector c, Handle handle, Opened through, MemoryObject object) {
    c.handles.bind(handle, new Opened(object, through.writable(), through.file()));
    return describe(object);
  }

  private static MemoryObject byToken(Opened base, ObjectToken token) {
    MemoryObject object = base.object().file.objects.get(token);
    if (object == null) {
      throw new NotFoundException(
          "object: actual=none with token "
              + token.address()
              + ", expected=an object, at="
              + base.object().file.name);
    }
    return object;
  }

  static ObjectInfo describe(MemoryObject object) {
    return new ObjectInfo(
        object.kind,
        object.token,
        object.file.number,
        object.referenceCount,
        object.attributes.size(),
        Optional.empty(),
        object.comment,
        object.attributeStorage.creationOrderTracked(),
        ObjectInfo.HeaderInfo.NONE);
  }

  private static Optional<String> pathOf(MemoryFileState file, ObjectToken token) {
    if (file.root.token.equals(token)) {
      return Optional.of("/");
    }
    record Step(MemoryObject group, String path) {}
    Deque<Step> steps = new ArrayDeque<>();
    Set<ObjectToken> seen = new HashSet<>();
    steps.add(new Step(file.root, ""));
    seen.add(file.root.token);
    while (!steps.isEmpty()) {
      Step step = steps.removeFirst();
      for (Map.Entry<String, Entry> link : step.group.links.entrySet()) {
        if (!link.getValue().isHard()) {
          continue;
        }
        MemoryObject target = link.getValue().target();
        String path = step.path + "/" + link.getKey();
        if (target.token.equals(token)) {
          return Optional.of(path);
        }
        if (target.kind == ObjectKind.GROUP && seen.add(target.token)) {
          steps.addLast(new Step(target, path));
        }
      }
    }
    return Optional.empty();
  }

  private static Object copy(MemoryConnector c, ObjectOperation.Copy o) {
    if (o.options().expandReferences()) {
      throw MemoryLinks.unsupported("copy of what references point to");
    }
    MemoryObject source = c.object(o.source());
    Place place = c.editable(o.destination(), o.link());
    place.requireFree();
    Map<MemoryObject, MemoryObject> done = new HashMap<>();
    MemoryObject made = copy(source, place.group().file, new Copying(c, o.options(), done), 0);
    MemoryLinks.addHard(place.group(), place.name(), o.link().charset(), made);
    return null;
  }

  private record Copying(
      MemoryConnector connector, CopyOptions options, Map<MemoryObject, MemoryObject> done) {}

  private static MemoryObject copy(
      MemoryObject from, MemoryFileState file, Copying copying, int depth) {
    MemoryObject known = copying.done.get(from);
    if (known != null) {
      return known;
    }
    MemoryObject to = new MemoryObject(file, from.kind, from.attributeStorage);
    copying.done.put(from, to);
    to.groupOptions = from.groupOptions;
    to.type = from.type;
    to.committedType = from.file == file ? from.committedType : Optional.empty();
    to.space = from.space;
    to.datasetOptions = from.datasetOptions;
    to.comment = from.comment;
    if (from.elements != null) {
      to.elements = MemoryElements.copy(from.type, from.elements, MemoryElements.count(from.space));
    }
    if (!copying.options.withoutAttributes()) {
      from.attributes.forEach((name, a) -> to.attributes.put(name, copy(a, from.file == file)));
      to.nextAttributeOrder = from.nextAttributeOrder;
    }
    if (!copying.options.shallow() || depth == 0) {
      copyLinks(from, to, copying, depth);
    }
    return to;
  }

  private static void copyLinks(MemoryObject from, MemoryObject to, Copying copying, int depth) {
    from.links.forEach((name, link) -> {
      MemoryObject target = link.isHard() ? link.target() : expanded(from, link, copying);
      if (target != null) {
        MemoryLinks.addHard(
            to, name, link.info().charset(), copy(target, to.file, copying, depth + 1));
      } else {
        to.links.put(name, link);
      }
    });
    to.nextLinkOrder = from.nextLinkOrder;
    if (from.groupOptions != null && from.groupOptions.creationOrderTracked()) {
      from.links.forEach((name, link) -> {
        Entry made = to.links.get(name);
        to.links.put(name, new Entry(reordered(made, link), made.target()));
      });
    }
  }

  private static LinkInfo reordered(Entry made, Entry like) {
    var i = made.info();
    return new LinkInfo(
        i.name(),
        i.kind(),
        i.charset(),
        like.info().creationOrder(),
        i.token(),
        i.targetFile(),
        i.targetPath(),
        i.userClass(),
        i.userData());
  }

  /**
   * Returns the target of a soft or external link that is to be copied instead of the link, or
   * null.
   */
  private static MemoryObject expanded(MemoryObject group, Entry link, Copying copying) {
    boolean wanted =
        (link.info().kind() == LinkKind.SOFT && copying.options.expandSoftLinks())
            || (link.info().kind() == LinkKind.EXTERNAL && copying.options.expandExternalLinks());
    if (!wanted) {
      return null;
    }
    try {
      return copying.connector.follow(group, link.info().name());
    } catch (NotFoundException e) {
      return null; // a link without a target stays a link
    }
  }

  private static StoredAttribute copy(StoredAttribute a, boolean sameFile) {
    return new StoredAttribute(
        a.type(),
        sameFile ? a.committedType() : Optional.empty(),
        a.space(),
        a.charset(),
        a.order(),
        MemoryElements.copy(a.type(), a.elements(), MemoryElements.count(a.space())));
  }
}
