package org.hyperslab.plugins.nativevol.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedMessage;

/** Attributes that are messages in the object's header. */
final class CompactAttributes implements AttributeStore {

  private final FileObjects objects;
  private final ObjectHeader header;

  CompactAttributes(FileObjects objects, ObjectHeader header) {
    this.objects = objects;
    this.header = header;
  }

  @Override
  public long count() {
    return header.findAll(MessageType.ATTRIBUTE).size();
  }

  /** The message as stored, fetched from the heap of shared messages if it is there. */
  private AttributeMessage stored(HeaderMessage message) {
    Message content = message.message();
    if (content instanceof SharedMessage shared) {
      content = objects.resolve(shared.typeCode(), shared.pointer());
    }
    return (AttributeMessage) content;
  }

  private Optional<HeaderMessage> message(String name) {
    for (HeaderMessage message : header.findAll(MessageType.ATTRIBUTE)) {
      if (stored(message).name().equals(name)) {
        return Optional.of(message);
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<Entry> find(String name) {
    return message(name).map(this::entry);
  }

  private Entry entry(HeaderMessage message) {
    return new Entry(stored(message), message.creationIndex());
  }

  @Override
  public List<Entry> all() {
    List<Entry> all = new ArrayList<>();
    for (HeaderMessage message : header.findAll(MessageType.ATTRIBUTE)) {
      all.add(entry(message));
    }
    return all;
  }

  @Override
  public void insert(AttributeMessage attribute, int creationIndex) {
    header.add(new ObjectHeader.NewMessage(attribute, 0, creationIndex));
  }

  @Override
  public void replace(AttributeMessage attribute) {
    HeaderMessage old = message(attribute.name()).orElseThrow();
    objects.sharedMessages().release(old);
    header.replace(old, attribute);
  }

  @Override
  public void remove(String name) {
    HeaderMessage old = message(name).orElseThrow();
    objects.sharedMessages().release(old);
    header.remove(old);
  }

  @Override
  public long indexBytes() {
    return 0;
  }

  @Override
  public long heapBytes() {
    return 0;
  }

  @Override
  public void delete() {}
}
