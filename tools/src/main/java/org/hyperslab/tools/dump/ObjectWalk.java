package org.hyperslab.tools.dump;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Consumer;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.tools.walk.ObjectPath;

/**
 * Visits every link of a file in the order of the options, groups before their members, each group
 * once. Does not use recursion: links may be nested to any depth and form cycles.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ObjectWalk implements Iterator<ObjectWalk.Step> {

  /** A group whose links are being listed. */
  private record Frame(Group group, Iterator<Link> links, ObjectPath place) {}

  /**
   * A link and its target.
   *
   * @param place its path
   * @param link the link; null for the root group
   * @param object the target of a hard link, which the walk closes when it continues; null if it
   *     cannot be opened, and for other links
   */
  record Step(ObjectPath place, Link link, H5Object object) {}

  private final H5File file;
  private final DumpOptions options;
  private final Consumer<HyperslabException> unreadable;
  private final Deque<Frame> frames = new ArrayDeque<>();
  private final Set<ObjectToken> entered = new HashSet<>();
  private Step last;
  private Step next;

  /** Creates a walk that reports what it cannot read, and continues. */
  ObjectWalk(H5File file, DumpOptions options, Consumer<HyperslabException> unreadable) {
    this.file = file;
    this.options = options;
    this.unreadable = unreadable;
    this.next = new Step(ObjectPath.ROOT, null, file.root());
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      leave();
      next = find();
    }
    return next != null;
  }

  @Override
  public Step next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    last = next;
    next = null;
    return last;
  }

  /** Enters the group of the last step, or closes its object. */
  private void leave() {
    if (last == null || last.object == null) {
      return;
    }
    H5Object object = last.object;
    try {
      if (object instanceof Group group && entered.add(group.token())) {
        Iterator<Link> links = group.links(options.order(group), options.descending).iterator();
        frames.addLast(new Frame(group, links, last.place));
        return;
      }
    } catch (HyperslabException failure) {
      unreadable.accept(failure);
    }
    if (last.link != null) {
      object.close();
    }
  }

  private Step find() {
    last = null;
    while (!frames.isEmpty()) {
      Frame frame = frames.getLast();
      Link link = link(frame);
      if (link != null) {
        return new Step(new ObjectPath(frame.place, link.name()), link, target(link));
      }
      frames.removeLast();
      if (frame.place != ObjectPath.ROOT) {
        frame.group.close();
      }
    }
    return null;
  }

  private Link link(Frame frame) {
    try {
      return frame.links.hasNext() ? frame.links.next() : null;
    } catch (HyperslabException failure) {
      unreadable.accept(failure);
      return null;
    }
  }

  private H5Object target(Link link) {
    try {
      return link.kind() == LinkKind.HARD ? file.objectOf(link.info().token()) : null;
    } catch (HyperslabException failure) {
      unreadable.accept(failure);
      return null;
    }
  }
}
