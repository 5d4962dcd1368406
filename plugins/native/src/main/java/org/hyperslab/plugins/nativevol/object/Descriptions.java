package org.hyperslab.plugins.nativevol.object;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.CommentMessage;
import org.hyperslab.format.header.HeaderInfo;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ModificationTimeMessage;
import org.hyperslab.format.header.ModificationTimeOldMessage;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.ObjectTimes;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.attribute.Attributes;
import org.hyperslab.plugins.nativevol.group.Groups;
import org.hyperslab.plugins.nativevol.header.HeaderStyle;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Describes the objects of one file, and sets their comments.
 *
 * <p>Thread rule: as {@link ObjectHeaders}; every edit under the file's write lock.
 */
public final class Descriptions {

  private final ObjectHeaders headers;
  private final Groups groups;
  private final Attributes attributes;

  Descriptions(ObjectHeaders headers, Groups groups, Attributes attributes) {
    this.headers = headers;
    this.groups = groups;
    this.attributes = attributes;
  }

  /**
   * {@return the description of the object at an address}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public ObjectInfo info(long address) {
    return info(headers.open(address));
  }

  /**
   * {@return the description of the object with a header}
   *
   * @param header the object's header
   */
  public ObjectInfo info(ObjectHeader header) {
    HeaderInfo info = header.info();
    return new ObjectInfo(
        headers.kind(header),
        new ObjectToken(header.address()),
        headers.file().fileNumber(),
        headers.references().links(header),
        attributes.count(header),
        modified(header),
        header.find(MessageType.COMMENT, CommentMessage.class).map(CommentMessage::text),
        header.tracksAttributeOrder(),
        new ObjectInfo.HeaderInfo(
            info.version(),
            info.flags(),
            info.chunks(),
            info.messages(),
            info.totalBytes(),
            info.messageBytes(),
            info.freeBytes(),
            info.presentTypes(),
            info.sharedTypes()));
  }

  private static Optional<Instant> modified(ObjectHeader header) {
    long seconds = modifiedSecond(header);
    return seconds == 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(seconds));
  }

  /** Returns the time in seconds since 1970-01-01 UTC; 0 if the header stores none. */
  private static long modifiedSecond(ObjectHeader header) {
    Optional<ObjectTimes> times = header.times();
    if (times.isPresent()) {
      return times.get().modification();
    }
    Optional<ModificationTimeMessage> message =
        header.find(MessageType.MODIFICATION_TIME, ModificationTimeMessage.class);
    if (message.isPresent()) {
      return message.get().epochSecond();
    }
    return header
        .find(MessageType.MODIFICATION_TIME_OLD, ModificationTimeOldMessage.class)
        .map(ModificationTimeOldMessage::epochSecond)
        .orElse(0L);
  }

  /** An action for each object. */
  @FunctionalInterface
  public interface ObjectAction {
    /**
     * Called once for each object that hard links lead to.
     *
     * @param address the address of the object's header, bytes from the file's base address
     * @param kind the kind of the object
     */
    void accept(long address, ObjectKind kind);
  }

  /**
   * Visits every object that hard links lead to, breadth first from the root.
   *
   * @param action called once for each object
   */
  public void forEachObject(ObjectAction action) {
    walk((address, path) -> {
      action.accept(address, headers.kindAt(address));
      return true;
    });
  }

  /**
   * {@return the shortest path by hard links from the root to an object, the first in name order
   * among several}
   *
   * @param target the address of the object's header
   */
  public Optional<String> pathOf(long target) {
    String[] found = new String[1];
    walk((address, path) -> {
      if (address == target) {
        found[0] = path.isEmpty() ? "/" : path;
      }
      return address != target;
    });
    return Optional.ofNullable(found[0]);
  }

  private interface Visit {
    /** Visits a link and returns whether to continue. */
    boolean visit(long address, String path);
  }

  private void walk(Visit visit) {
    Set<Long> seen = new HashSet<>();
    Deque<Map.Entry<Long, String>> waiting = new ArrayDeque<>();
    waiting.add(Map.entry(headers.root(), ""));
    seen.add(headers.root());
    if (!visit.visit(headers.root(), "")) {
      return;
    }
    PageRequest all = new PageRequest(IterationIndex.NAME, false, 0, Integer.MAX_VALUE);
    while (!waiting.isEmpty()) {
      Map.Entry<Long, String> group = waiting.removeFirst();
      for (LinkMessage link : groups.list(group.getKey(), all)) {
        if (link.target() instanceof LinkMessage.Hard(long address) && seen.add(address)) {
          String path = group.getValue() + "/" + link.name();
          if (!visit.visit(address, path)) {
            return;
          }
          if (headers.kindAt(address) == ObjectKind.GROUP) {
            waiting.add(Map.entry(address, path));
          }
        }
      }
    }
  }

  /**
   * Sets or removes a comment.
   *
   * @param address the address of the object's header, bytes from the file's base address
   * @param comment the comment; empty to remove it
   * @throws InvalidUseException if it contains a NUL, which would end it
   */
  public void comment(long address, Optional<String> comment) {
    if (comment.isPresent() && comment.get().indexOf('\0') >= 0) {
      throw new InvalidUseException(
          "comment: actual=\"" + comment.get() + "\", expected=no NUL character");
    }
    comment.ifPresent(NameBytes::requireEncodable);
    ObjectHeader header = headers.open(address);
    header.touch(HeaderStyle.now());
    Optional<HeaderMessage> old = header.find(MessageType.COMMENT);
    if (comment.isEmpty() || comment.get().isEmpty()) {
      old.ifPresent(header::remove);
    } else if (old.isPresent()) {
      header.replace(old.get(), new CommentMessage(comment.get()));
    } else {
      header.add(new CommentMessage(comment.get()));
    }
  }
}
