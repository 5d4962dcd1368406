package org.hyperslab.tools.ddl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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

/** The objects of a file by token: the first path of each in name order, and which are printed. */
final class ObjectTable {

  private static final int DEPTH_LIMIT = 1000;

  private final Map<ObjectToken, String> paths = new HashMap<>();
  private final Set<ObjectToken> printed = new HashSet<>();
  private final Map<ObjectToken, CommittedType> unnamed = new LinkedHashMap<>();
  private final List<ObjectToken> sharedTypes = new ArrayList<>();

  ObjectTable(H5File file) {
    visit(file.root(), "/", 0);
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
    return paths.get(token);
  }

  /** Notes that an object is printed; false if it was already. */
  boolean print(ObjectToken token) {
    return printed.add(token);
  }

  /** Committed types that objects share but no path leads to. */
  Map<ObjectToken, CommittedType> unnamed() {
    return unnamed;
  }

  private void visit(H5Object object, String path, int depth) {
    if (paths.putIfAbsent(object.token(), path) != null || depth > DEPTH_LIMIT) {
      return;
    }
    try {
      object.attributes().map(Attribute::info).forEach(a -> note(a.committedType()));
      switch (object) {
        case Dataset dataset -> note(dataset.datasetInfo().committedType());
        case Group group -> visitMembers(group, path, depth);
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

  private void visitMembers(Group group, String path, int depth) {
    String prefix = path.equals("/") ? "/" : path + "/";
    for (Link link : (Iterable<Link>) group.links()::iterator) {
      if (link.kind() == LinkKind.HARD) {
        try (H5Object member = group.get(link.name())) {
          visit(member, prefix + link.name(), depth + 1);
        } catch (HyperslabException unreadable) {
          // What is damaged is reported where it is printed.
        }
      }
    }
  }
}
