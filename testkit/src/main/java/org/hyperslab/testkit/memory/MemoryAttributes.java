package org.hyperslab.testkit.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.testkit.memory.MemoryObject.StoredAttribute;
import org.hyperslab.vol.AttributeOperation;

/** Carries out operations on attributes. Guarded by the connector's lock. */
final class MemoryAttributes {

  private MemoryAttributes() {}

  static Object run(AttributeOperation<?> operation, MemoryConnector c) {
    return switch (operation) {
      case AttributeOperation.Create o -> create(c, o);
      case AttributeOperation.Describe o ->
          info(c.object(o.object()), o.name(), find(c.object(o.object()), o.name()));
      case AttributeOperation.ListAttributes o -> list(c.object(o.object()), o);
      case AttributeOperation.Exists o -> c.object(o.object()).attributes.containsKey(o.name());
      case AttributeOperation.Read o -> {
        StoredAttribute a = find(c.object(o.object()), o.name());
        MemoryElements.convert(
            new MemoryElements.Run(a.type(), a.elements(), o.memoryType(), o.target()),
            MemoryElements.count(a.space()));
        yield null;
      }
      case AttributeOperation.Write o -> {
        MemoryObject object = c.editableObject(o.object());
        StoredAttribute a = find(object, o.name());
        MemoryElements.convert(
            new MemoryElements.Run(o.memoryType(), o.source(), a.type(), a.elements()),
            MemoryElements.count(a.space()));
        yield null;
      }
      case AttributeOperation.Set o -> set(c, o);
      case AttributeOperation.Rename o -> {
        MemoryObject object = c.editableObject(o.object());
        StoredAttribute a = find(object, o.from());
        requireFree(object, o.to());
        object.attributes.remove(o.from());
        object.attributes.put(o.to(), a);
        yield null;
      }
      case AttributeOperation.Delete o -> {
        MemoryObject object = c.editableObject(o.object());
        find(object, o.name());
        object.attributes.remove(o.name());
        yield null;
      }
    };
  }

  private static Object create(MemoryConnector c, AttributeOperation.Create o) {
    MemoryObject object = c.editableObject(o.object());
    requireFree(object, o.name());
    object.attributes.put(o.name(), made(c, object, o.spec()));
    return null;
  }

  /** Returns a new attribute of zeros. */
  private static StoredAttribute made(
      MemoryConnector c, MemoryObject object, AttributeOperation.Spec spec) {
    return new StoredAttribute(
        spec.type(),
        c.committed(object.file, spec.committedType()),
        spec.space(),
        spec.charset(),
        object.nextAttributeOrder++,
        DataBuffer.allocate(spec.type(), MemoryElements.count(spec.space())));
  }

  private static AttributeInfo set(MemoryConnector c, AttributeOperation.Set o) {
    MemoryObject object = c.editableObject(o.object());
    if (!o.replace() || !object.attributes.containsKey(o.name())) {
      requireFree(object, o.name());
    }
    StoredAttribute a = made(c, object, o.spec());
    MemoryElements.convert(
        new MemoryElements.Run(
            o.content().memoryType(), o.content().source(), a.type(), a.elements()),
        MemoryElements.count(a.space()));
    object.attributes.put(o.name(), a);
    return info(object, o.name(), a);
  }

  private static void requireFree(MemoryObject object, String name) {
    MemoryLinks.requireText("attribute name", name);
    if (object.attributes.containsKey(name)) {
      throw new AlreadyExistsException(
          "attribute: actual=\"" + name + "\" exists, expected=a new name, at=" + object.file.name);
    }
  }

  private static StoredAttribute find(MemoryObject object, String name) {
    StoredAttribute found = object.attributes.get(name);
    if (found == null) {
      throw new NotFoundException(
          "attribute: actual=no \""
              + name
              + "\", expected=an attribute of that name, at="
              + object.file.name);
    }
    return found;
  }

  private static AttributeInfo info(MemoryObject object, String name, StoredAttribute a) {
    return new AttributeInfo(
        name,
        a.charset(),
        a.type(),
        a.committedType(),
        a.space(),
        object.attributeStorage.creationOrderTracked()
            ? OptionalLong.of(a.order())
            : OptionalLong.empty(),
        MemoryElements.count(a.space()) * a.type().size());
  }

  private static Page<AttributeInfo> list(
      MemoryObject object, AttributeOperation.ListAttributes list) {
    PageRequest page = list.page();
    List<Map.Entry<String, StoredAttribute>> all = new ArrayList<>(object.attributes.entrySet());
    if (page.index() == IterationIndex.CREATION_ORDER) {
      if (!list.orStored() && !object.attributeStorage.creationOrderTracked()) {
        throw new InvalidUseException(
            "order of attributes: actual=creation order, which the object does not track,"
                + " expected=by name");
      }
      all.sort(Comparator.comparingLong(entry -> entry.getValue().order()));
    }
    Page<Map.Entry<String, StoredAttribute>> entries = MemoryLinks.paged(all, page);
    return new Page<>(
        entries.entries().stream().map(e -> info(object, e.getKey(), e.getValue())).toList(),
        entries.last());
  }
}
