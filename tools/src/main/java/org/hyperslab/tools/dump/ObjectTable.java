package org.hyperslab.tools.dump;

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
import org.hyperslab.tools.walk.ObjectPath;

/**
 * The objects of a file by token: the first path of each in the printed order, and whether it was
 * printed. The file is walked when a path is first requested, because most files need none.
 *
 * <p>Thread rule: confined to one thread.
 */
class ObjectTable {

  private final H5File file;
  private final DumpOptions options;
  private final Map<ObjectToken, ObjectPath> paths = new HashMap<>();
  private final Set<ObjectToken> printed = new HashSet<>();
  private final Map<ObjectToken, CommittedType> unnamed = new LinkedHashMap<>();
  private final List<ObjectToken> sharedTypes = new ArrayList<>();
  private boolean walked;

  /**
   * Creates the table of a file.
   *
   * @param file the file
   * @param options the order in which objects are printed
   */
  ObjectTable(H5File file, DumpOptions options) {
    this.file = file;
    this.options = options;
  }

  /** {@return whether a request needed a walk through the file} */
  boolean isWalked() {
    return walked;
  }

  /**
   * {@return a table for threads that print single objects: this one if it is complete, otherwise
   * one that throws if a path is requested}
   */
  ObjectTable forWorkers() {
    return walked ? this : new Unknown(file, options);
  }

  private static final class Unknown extends ObjectTable {

    Unknown(H5File file, DumpOptions options) {
      super(file, options);
    }

    @Override
    void walk() {
      throw new LimitedText.NotAloneException("an object that refers to others");
    }
  }

  /** Finds all objects, the first time that it is called. */
  void walk() {
    if (walked) {
      return;
    }
    walked = true;
    // Damaged objects are reported when they are printed.
    new ObjectWalk(file, options, unreadable -> {}).forEachRemaining(this::visit);
    for (ObjectToken token : sharedTypes) {
      if (!paths.containsKey(token)
          && !unnamed.containsKey(token)
          && file.objectOf(token) instanceof CommittedType type) {
        unnamed.put(token, type);
      }
    }
  }

  /**
   * Returns the path of an object.
   *
   * @param token the token of the object
   * @return its first path; null if it has none
   */
  String path(ObjectToken token) {
    walk();
    ObjectPath place = paths.get(token);
    return place == null ? null : place.path();
  }

  /**
   * Records that an object is printed.
   *
   * @param token the token of the object
   * @return whether it was not printed before
   */
  boolean print(ObjectToken token) {
    return printed.add(token);
  }

  /** {@return the committed types that objects use but that have no path} */
  Map<ObjectToken, CommittedType> unnamed() {
    walk();
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
      // Damaged objects are reported when they are printed.
    }
  }

  private void note(Optional<ObjectToken> type) {
    type.ifPresent(sharedTypes::add);
  }
}
