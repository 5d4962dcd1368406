package org.hyperslab.plugins.nativevol.attribute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedMessage;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;
import org.hyperslab.plugins.nativevol.header.SharedHeap;
import org.hyperslab.plugins.nativevol.header.SortedPages;

/** Stores attributes as messages in the object's header. */
final class CompactAttributes implements AttributeStore {

  private final ObjectHeaders headers;
  private final ObjectHeader header;

  CompactAttributes(ObjectHeaders headers, ObjectHeader header) {
    this.headers = headers;
    this.header = header;
  }

  @Override
  public long count() {
    return header.count(MessageType.ATTRIBUTE);
  }

  /** Returns the message as stored, read from the heap of shared messages if it is there. */
  private AttributeMessage stored(HeaderMessage message) {
    Message content = message.message();
    if (content instanceof SharedMessage shared) {
      content = headers.resolve(shared.typeCode(), shared.pointer());
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
    Optional<HeaderMessage> found = message(name);
    return found.isPresent() ? Optional.of(entry(found.get())) : Optional.empty();
  }

  private Entry entry(HeaderMessage message) {
    return new Entry(stored(message), message.creationIndex(), SharedHeap.heapId(message));
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
  public List<Entry> list(long object, PageRequest page) {
    List<Entry> all = all();
    if (header.tracksAttributeOrder()) {
      return SortedPages.page(all, page, entry -> entry.message().name(), Entry::creationIndex);
    }
    // As they are stored: sorting keeps the order of equal ones.
    return SortedPages.page(
        page.descending() ? all.reversed() : all, page, entry -> entry.message().name(), _ -> 0);
  }

  @Override
  public void insert(Entry entry) {
    Message message =
        entry.sharedId().isPresent()
            ? SharedHeap.pointer(MessageType.ATTRIBUTE, entry.sharedId().getAsLong())
            : entry.message();
    header.add(new ObjectHeader.NewMessage(message, 0, entry.creationIndex()));
  }

  @Override
  public void replace(AttributeMessage attribute) {
    header.replace(message(attribute.name()).orElseThrow(), attribute);
  }

  @Override
  public void remove(String name) {
    header.remove(message(name).orElseThrow());
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
