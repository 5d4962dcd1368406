package org.hyperslab.plugins.nativevol.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.header.SortedPages;

/** Stores links as messages in the group's header. */
final class CompactLinks implements LinkStore {

  private final ObjectHeader header;

  CompactLinks(ObjectHeader header) {
    this.header = header;
  }

  @Override
  public GroupInfo.Storage kind() {
    return GroupInfo.Storage.COMPACT;
  }

  @Override
  public long count() {
    return messages().size();
  }

  private List<HeaderMessage> messages() {
    return header.findAll(MessageType.LINK);
  }

  private Optional<HeaderMessage> message(String name) {
    for (HeaderMessage message : messages()) {
      if (message.message() instanceof LinkMessage link && link.name().equals(name)) {
        return Optional.of(message);
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<LinkMessage> find(String name) {
    return message(name).map(message -> (LinkMessage) message.message());
  }

  @Override
  public void insert(LinkMessage link) {
    header.add(link);
  }

  @Override
  public void remove(LinkMessage link) {
    header.remove(message(link.name()).orElseThrow());
  }

  @Override
  public List<LinkMessage> list(PageRequest page) {
    return SortedPages.page(all(), page, LinkMessage::name, link -> link.creationIndex().orElse(0));
  }

  @Override
  public List<LinkMessage> all() {
    List<LinkMessage> links = new ArrayList<>();
    for (HeaderMessage message : messages()) {
      if (message.message() instanceof LinkMessage link) {
        links.add(link);
      }
    }
    return links;
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
