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
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.tools.walk.Place;

/**
 * The objects of a file by token: the first path of each in the order that is printed, and which
 * are printed.
 */
final class ObjectTable {

  private final Map<ObjectToken, Place> paths = new HashMap<>();
  private final Set<ObjectToken> printed = new HashSet<>();
  private final Map<ObjectToken, CommittedType> unnamed = new LinkedHashMap<>();
  private final List<ObjectToken> sharedTypes = new ArrayList<>();

  ObjectTable(H5File file, DumpOptions options) {
    // What is damaged is reported where it is printed.
    new ObjectWalk(file, options, unreadable -> {}).forEachRemaining(this::visit);
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

  private void visit(ObjectWalk.Step step) {
    H5Object object = step.object();
    if (object == null || paths.putIfAbsent(object.token(), step.place()) != null) {
      return;
    }
    try {
      object.attributes().map(Attribute::info).forEach(a -> note(a.committedType()));
      if (object instanceof Dataset dataset) {
        note(dataset.datasetInfo().committedType());
      }
    } catch (HyperslabException unreadable) {
      // What is damaged is reported where it is printed.
    }
  }

  private void note(Optional<ObjectToken> type) {
    type.ifPresent(sharedTypes::add);
  }
}
