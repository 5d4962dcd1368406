package org.hyperslab.testkit.memory;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;

/** One object of a file in memory. Guarded by the connector's lock. */
final class MemoryObject {

  /** A link: target is the object of a hard link, info the rest. */
  record Entry(LinkInfo info, MemoryObject target) {
    boolean isHard() {
      return info.kind() == LinkKind.HARD;
    }
  }

  /** An attribute; elements are in the memory form of its type. */
  record StoredAttribute(
      Datatype type,
      Optional<ObjectToken> committedType,
      Dataspace space,
      CharacterSet charset,
      long order,
      DataBuffer elements) {}

  final MemoryFileState file;
  final ObjectKind kind;
  final ObjectToken token;
  final AttributeStorage attributeStorage;
  final SortedMap<String, StoredAttribute> attributes = new TreeMap<>(NameBytes::compare);
  long nextAttributeOrder;
  Optional<String> comment = Optional.empty();
  long referenceCount;

  // Fields of a group.
  final SortedMap<String, Entry> links = new TreeMap<>(NameBytes::compare);
  GroupOptions groupOptions;
  long nextLinkOrder;

  // Fields of a dataset or a committed type.
  Datatype type;
  Optional<ObjectToken> committedType = Optional.empty();
  Dataspace space;
  DatasetOptions datasetOptions;
  DataBuffer elements;

  MemoryObject(MemoryFileState file, ObjectKind kind, AttributeStorage attributeStorage) {
    this.file = file;
    this.kind = kind;
    this.token = file.nextToken();
    this.attributeStorage = attributeStorage;
    file.objects.put(token, this);
  }

  static MemoryObject group(MemoryFileState file, GroupOptions options) {
    MemoryObject group = new MemoryObject(file, ObjectKind.GROUP, options.attributes());
    group.groupOptions = options;
    return group;
  }

  void addReference() {
    referenceCount++;
  }

  /** Decrements the number of hard links; at 0, the object cannot be found by its token. */
  void dropReference() {
    if (--referenceCount <= 0) {
      file.objects.remove(token);
      links.values().stream().filter(Entry::isHard).forEach(e -> e.target.dropReference());
    }
  }
}
