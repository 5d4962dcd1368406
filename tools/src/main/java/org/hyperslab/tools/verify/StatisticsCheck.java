package org.hyperslab.tools.verify;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.Condition;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.ValueSummary;

/**
 * Compares what the statistics of a file tell of its values with the values. Thread rule: confined
 * to one thread.
 */
final class StatisticsCheck {

  private static final String GROUP = "/.hyperslab.statistics";
  private static final double NEAR = 1e-9;

  private final Consumer<String> different;
  private final Consumer<String> note;
  private boolean stale;

  StatisticsCheck(Consumer<String> different, Consumer<String> note) {
    this.different = different;
    this.note = note;
  }

  /** Checks a local file; has no effect on a file that has no statistics. */
  void check(String name) {
    if (RemoteStores.isRemote(name) || !Files.isRegularFile(Path.of(name))) {
      return;
    }
    OpenOptions reading = OpenOptions.READ.withProperty("statistics", "off");
    List<String> paths = new ArrayList<>();
    try (H5File told = Hdf5.open(name)) {
      if (!told.exists(GROUP)) {
        return;
      }
      collect(told.root(), paths);
      try (H5File read = Hdf5.open(name, reading)) {
        for (String path : paths) {
          check(told, read, path);
        }
      }
    }
    if (stale) {
      note.accept(
          name
              + " has statistics that are not used, because the file may have been changed since:"
              + " `hyperslab index --statistics` computes them again");
    }
  }

  private static void collect(Group group, List<String> paths) {
    group.visit((path, object) -> {
      if (object instanceof Dataset && !("/" + path).startsWith(GROUP)) {
        paths.add("/" + path);
      }
      return true;
    });
  }

  private void check(H5File told, H5File read, String path) {
    try (Dataset a = told.dataset(path);
        Dataset b = read.dataset(path)) {
      for (Condition.Field field : fields(a.type(), new ArrayList<>(), new ArrayList<>())) {
        ValueSummary expected;
        try {
          expected = b.summary(field);
        } catch (InvalidUseException noNumbers) {
          continue;
        }
        ValueSummary summary = a.summary(field);
        if (summary.elementsRead() == summary.count() && summary.count() > 0) {
          stale |= told.exists(GROUP + "/" + Long.toHexString(a.token().address()));
          continue;
        }
        if (!isSame(summary, expected)) {
          different.accept(path + " " + field + ": statistics " + summary + ", values " + expected);
        } else if (expected.mean().isPresent()) {
          Condition above = field.above(expected.mean().getAsDouble());
          Selection places = a.where(above);
          if (!places.equals(b.where(above))) {
            different.accept(path + " " + field + ": statistics tell other places of " + above);
          }
        }
      }
    } catch (HyperslabException unreadable) {
      note.accept("statistics of " + path + " not checked: " + unreadable.getMessage());
    }
  }

  private static List<Condition.Field> fields(
      Datatype type, List<String> names, List<Condition.Field> all) {
    if (!(type instanceof CompoundType compound)) {
      all.add(names.isEmpty() ? Condition.value() : new Condition.Field(names));
      return all;
    }
    for (CompoundType.Member member : compound.members()) {
      if (!member.name().isEmpty() && names.size() < 32) {
        names.add(member.name());
        fields(member.type(), names, all);
        names.removeLast();
      }
    }
    return all;
  }

  private static boolean isSame(ValueSummary a, ValueSummary b) {
    boolean sums =
        a.sum() instanceof Double x && b.sum() instanceof Double y
            ? x.equals(y) || Math.abs(x - y) <= NEAR * Math.max(1, Math.abs(y)) * a.count()
            : Objects.equals(a.sum(), b.sum());
    return a.count() == b.count()
        && a.fillCount() == b.fillCount()
        && a.nanCount() == b.nanCount()
        && a.minimum().equals(b.minimum())
        && a.maximum().equals(b.maximum())
        && sums;
  }
}
