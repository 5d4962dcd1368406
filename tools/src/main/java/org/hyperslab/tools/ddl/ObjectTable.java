package org.hyperslab.tools.ddl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.tools.walk.Place;

/**
 * The objects of a file by token: the first path of each in name order, and which are printed.
 * Nothing is recursive.
 */
final class ObjectTable {

  /** A group whose members are being listed. */
  private record Frame(Group group, Iterator<Link> links, Place place) {}

  private final Map<ObjectToken, Place> paths = new HashMap<>();
  private final Deque<Frame> frames = new ArrayDeque<>();
  private final Set<ObjectToken> printed = new HashSet<>();
  private final Map<ObjectToken, CommittedType> unnamed = new LinkedHashMap<>();
  private final List<ObjectToken> sharedTypes = new ArrayList<>();

  ObjectTable(H5File file) {
    visit(file.root(), Place.ROOT);
    while (!frames.isEmpty()) {
      Frame frame = frames.getLast();
      Link link = next(frame);
      if (link == null) {
        frames.removeLast();
        if (frame.place != Place.ROOT) {
          frame.group.close();
        }
      } else if (link.kind() == LinkKind.HARD && !paths.containsKey(link.info().token())) {
        member(file, link, new Place(frame.place, link.name()));
      }
    }
    for (ObjectToken token : sharedTypes) {
      if (!paths.containsKey(token)
          && !unnamed.containsKey(token)
          && file.objectOf(token) instanceof CommittedType type) {
        unnamed.put(token, type);
      }
    }
  }

  /** The path of an object; null if none leads to it. */
  String path(ObjectToken token) {
    Place place = paths.get(token);
    return place == null ? null : place.path();
  }

  /** Notes that an object is printed; false if it was already. */
  boolean print(ObjectToken token) {
    return printed.add(token);
  }

  /** Committed types that objects share but no path leads to. */
  Map<ObjectToken, CommittedType> unnamed() {
    return unnamed;
  }

  private static Link next(Frame frame) {
    try {
      return frame.links.hasNext() ? frame.links.next() : null;
    } catch (HyperslabException unreadable) {
      return null; // what is damaged is reported where it is printed
    }
  }

  private void member(H5File file, Link link, Place place) {
    try {
      H5Object member = file.objectOf(link.info().token());
      visit(member, place);
      if (frames.getLast().group != member) { // not listed any further
        member.close();
      }
    } catch (HyperslabException unreadable) {
      // What is damaged is reported where it is printed.
    }
  }

  private void visit(H5Object object, Place place) {
    paths.put(object.token(), place);
    try {
      object.attributes().map(Attribute::info).forEach(a -> note(a.committedType()));
      switch (object) {
        case Dataset dataset -> note(dataset.datasetInfo().committedType());
        case Group group -> frames.addLast(new Frame(group, group.links().iterator(), place));
        case CommittedType type -> {
          // Nothing hangs below a datatype.
        }
      }
    } catch (HyperslabException unreadable) {
      // What is damaged is reported where it is printed.
    }
  }

  private void note(Optional<ObjectToken> type) {
    type.ifPresent(sharedTypes::add);
  }
}
