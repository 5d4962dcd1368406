package org.hyperslab.testkit.memory;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.testkit.memory.MemoryPaths.Place;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TypeOperation;
import org.hyperslab.vol.base.OpenTable;
import org.hyperslab.vol.base.SynchronousConnector;

/**
 * A connector that keeps files and objects in maps and elements in byte arrays. Files live as long
 * as the connector. Every operation runs in the submitting thread, under one lock.
 */
public final class MemoryConnector extends SynchronousConnector {

  /** The object that a handle refers to. */
  record Opened(MemoryObject object, boolean writable, Handle file) {}

  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.READ,
          Capability.WRITE,
          Capability.PARTIAL_READ,
          Capability.PARTIAL_WRITE,
          Capability.CREATION_ORDER,
          Capability.EXTERNAL_LINKS,
          Capability.USER_DEFINED_LINKS,
          Capability.REFERENCES,
          Capability.COPY,
          Capability.COMMENTS);

  final Map<String, MemoryFileState> files = new HashMap<>();
  final OpenTable<Opened> handles;
  private boolean closed;

  /** Creates a connector without files. */
  public MemoryConnector() {
    this(new OpenTable<>());
  }

  private MemoryConnector(OpenTable<Opened> handles) {
    super("memory", CAPABILITIES, handles);
    this.handles = handles;
  }

  @Override
  protected synchronized Object carryOut(Operation<?> operation) {
    if (closed) {
      throw new InvalidUseException("connector: actual=closed, expected=open, at=memory");
    }
    return super.carryOut(operation);
  }

  @Override
  protected Object file(FileOperation<?> operation) {
    return Files.run(operation, this);
  }

  @Override
  protected Object link(LinkOperation<?> operation) {
    return MemoryLinks.run(operation, this);
  }

  @Override
  protected Object object(ObjectOperation<?> operation) {
    return Objects.run(operation, this);
  }

  @Override
  protected Object dataset(DatasetOperation<?> operation) {
    return Datasets.run(operation, this);
  }

  @Override
  protected Object attribute(AttributeOperation<?> operation) {
    return MemoryAttributes.run(operation, this);
  }

  @Override
  protected Object group(GroupOperation<?> operation) {
    return switch (operation) {
      case GroupOperation.Create o ->
          create(o.group(), o.at(), o.link(), base -> MemoryObject.group(base.file, o.options()));
      case GroupOperation.Describe o -> {
        MemoryObject group = require(object(o.at()), ObjectKind.GROUP);
        yield new GroupInfo(
            group.links.size(),
            group.nextLinkOrder,
            GroupInfo.Storage.UNKNOWN,
            false,
            group.groupOptions);
      }
    };
  }

  @Override
  protected Object type(TypeOperation<?> operation) {
    return switch (operation) {
      case TypeOperation.Commit o ->
          create(
              o.type(),
              o.at(),
              o.link(),
              base -> {
                MemoryObject type =
                    new MemoryObject(base.file, ObjectKind.COMMITTED_TYPE, o.spec().attributes());
                type.type = o.spec().datatype();
                return type;
              });
      case TypeOperation.Describe o -> {
        MemoryObject type = require(opened(o.type()).object(), ObjectKind.COMMITTED_TYPE);
        yield new TypeOperation.Spec(type.type, false, type.attributeStorage);
      }
    };
  }

  /** Creates an object, links it unless the path is empty, and opens it under a handle. */
  ObjectInfo create(
      Handle handle, Location at, LinkOptions link, Function<MemoryObject, MemoryObject> maker) {
    Opened base = editable(at.base());
    MemoryObject made;
    if (at.path().isEmpty()) {
      made = maker.apply(base.object());
    } else {
      if (MemoryPaths.names(at.path()).isEmpty()) {
        throw new AlreadyExistsException(
            "link: actual=\"" + at.path() + "\" exists, expected=a new name");
      }
      Place place = editable(at, link);
      place.requireFree();
      made = maker.apply(place.group());
      MemoryLinks.addHard(place.group(), place.name(), link.charset(), made);
    }
    handles.bind(handle, new Opened(made, true, base.file()));
    return Objects.describe(made);
  }

  // --- handles and places ---

  Opened opened(Handle handle) {
    return handles.require(handle);
  }

  MemoryObject object(Location at) {
    return paths().object(opened(at.base()).object(), at.path());
  }

  Place place(Location at, LinkOptions options) {
    return paths().place(opened(at.base()).object(), at.path(), options);
  }

  MemoryObject follow(MemoryObject group, String name) {
    return paths().object(group, name);
  }

  Opened editable(Handle handle) {
    Opened opened = opened(handle);
    if (!opened.writable()) {
      throw new InvalidUseException(
          "edit: actual=a file opened for reading, expected=one opened for editing, at="
              + opened.object().file.name);
    }
    return opened;
  }

  Place editable(Location at, LinkOptions options) {
    editable(at.base());
    return place(at, options);
  }

  MemoryObject editableObject(Location at) {
    editable(at.base());
    return object(at);
  }

  static MemoryObject require(MemoryObject object, ObjectKind kind) {
    if (object.kind != kind) {
      throw new InvalidUseException(
          "kind of object: actual="
              + object.kind
              + ", expected="
              + kind
              + ", at="
              + object.file.name);
    }
    return object;
  }

  /** Returns the token of a committed type of a file. */
  Optional<ObjectToken> committed(MemoryFileState file, Optional<Handle> type) {
    if (type.isEmpty()) {
      return Optional.empty();
    }
    MemoryObject committed = require(opened(type.get()).object(), ObjectKind.COMMITTED_TYPE);
    if (committed.file != file) {
      throw new InvalidUseException(
          "committed type: actual=of file "
              + committed.file.name
              + ", expected=of the same file "
              + file.name);
    }
    return Optional.of(committed.token);
  }

  private MemoryPaths paths() {
    return new MemoryPaths(name ->
        files.values().stream()
            .filter(file -> file.name.equals(name) || file.name.endsWith("/" + name))
            .findFirst()
            .orElse(null));
  }

  @Override
  public synchronized void close() {
    closed = true;
    handles.removeIf(_ -> true);
    files.clear();
  }
}
