package org.hyperslab.tools.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.fuzz.FileWalk;
import org.hyperslab.testkit.fuzz.FuzzTarget;

/**
 * Edits every part of a file: adds, changes and removes attributes, adds objects, changes extents,
 * copies and deletes; then walks the resulting file.
 */
public final class EditTarget implements FuzzTarget {

  private static final int MAX_OBJECTS = 60;
  private static final long LARGEST_EXTENT = 4096;

  /** Creates a target. */
  public EditTarget() {}

  @Override
  public void use(Path file) {
    attempt(() -> edit(file));
    new FileWalk().walk(file, OpenOptions.READ.withThreads(1));
  }

  private static void attempt(Runnable action) {
    try {
      action.run();
    } catch (HyperslabException failure) {
      FileWalk.requireTyped(failure);
    }
  }

  private static void edit(Path path) {
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT.withThreads(1))) {
      Set<ObjectToken> seen = new HashSet<>();
      List<ObjectToken> pending = new ArrayList<>(List.of(file.root().token()));
      while (!pending.isEmpty() && seen.size() < MAX_OBJECTS) {
        ObjectToken token = pending.removeFirst();
        if (seen.add(token)) {
          attempt(() -> {
            try (H5Object object = file.objectOf(token)) {
              object(object, pending);
            }
          });
        }
      }
      attempt(file::flush);
      attempt(() -> removeSome(file.root()));
    }
  }

  private static void object(H5Object object, List<ObjectToken> pending) {
    attempt(() -> object.setComment("mutant"));
    attempt(() -> object.setAttribute("added by the fuzzer", new int[] {1, 2, 3}));
    attempt(() -> object.setAttribute("second", "text of some length"));
    attempt(() -> {
      List<Attribute> all = object.attributes().limit(20).toList();
      all.stream().limit(2).forEach(each -> attempt(each::delete));
      all.stream()
          .skip(2)
          .limit(2)
          .forEach(each -> attempt(() -> object.renameAttribute(each.name(), "renamed")));
    });
    switch (object) {
      case Group group -> group(group, pending);
      case Dataset dataset -> dataset(dataset);
      case CommittedType type -> attempt(type::datatype);
    }
  }

  private static void group(Group group, List<ObjectToken> pending) {
    attempt(() ->
        group
            .links()
            .limit(MAX_OBJECTS)
            .filter(link -> link.kind() == LinkKind.HARD)
            .forEach(link -> pending.add(link.info().token())));
    attempt(() -> group.createGroup("made").close());
    attempt(() -> group.createDataset("numbers", new double[] {1, 2, 3}).close());
    attempt(() -> group.createSoftLink("soft", "/made"));
  }

  private static void dataset(Dataset dataset) {
    long[] shape = dataset.shape();
    if (dataset.elementCount() > 0
        && dataset.elementCount() <= LARGEST_EXTENT
        && dataset.type().size() <= LARGEST_EXTENT) {
      attempt(() -> {
        Object value = dataset.read();
        if (value != null) { // a null reference is null
          dataset.write(value);
        }
      });
    }
    if (shape.length > 0 && shape[0] < LARGEST_EXTENT) {
      long[] longer = shape.clone();
      longer[0] += 3;
      attempt(() -> dataset.setExtent(longer));
      longer[0] = shape[0] / 2;
      attempt(() -> dataset.setExtent(longer));
    }
  }

  private static void removeSome(Group root) {
    List<Link> links = root.links().limit(10).toList();
    if (!links.isEmpty()) {
      attempt(() -> root.copy(links.getFirst().name(), root, "copied"));
      attempt(() -> root.move(links.getLast().name(), "moved"));
    }
    links.stream().limit(4).forEach(link -> attempt(() -> root.delete(link.name())));
  }
}
