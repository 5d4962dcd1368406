package org.hyperslab.tools.verify;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.tools.walk.TypeIdentity;

/**
 * Compares two files by path: kinds, types, extents, element values and attributes. Datasets are
 * read in pieces of about a million elements.
 */
final class FileComparison {

  private static final long PIECE_ELEMENTS = 1 << 20;

  private final Side first;
  private final Side second;
  private final Consumer<String> differences;
  private final Consumer<String> unreadable;
  private final JudgeLimits limits;
  private final Set<String> noted = new HashSet<>();
  private final Set<ObjectToken> done = new HashSet<>();
  private int unterminated = -1;
  private long compared;
  private final Deque<Pending> pending = new ArrayDeque<>();

  /**
   * A file, and what reads it.
   *
   * @param engine the name of what reads it, for messages
   * @param file the file
   */
  record Side(String engine, H5File file) {

    /** Reads something; a failure names the engine. */
    <T> T read(Supplier<T> work) {
      try {
        return work.get();
      } catch (HyperslabException failure) {
        throw new UnsupportedFeatureException(
            engine + " could not read it: " + failure.getMessage(), failure);
      }
    }
  }

  /** Two groups whose members are still to be compared. */
  private record Pending(String path, Group a, Group b) {}

  /**
   * Creates a comparison of two files.
   *
   * @param first a file
   * @param second the other file, or the same read by another engine, whose known limits are not
   *     reported as differences
   * @param differences receives each difference, with the object's path and the element's position
   * @param unreadable receives messages about what one of the two could not read, which name it
   */
  public FileComparison(
      Side first, Side second, Consumer<String> differences, Consumer<String> unreadable) {
    this.first = first;
    this.second = second;
    this.differences = differences;
    this.unreadable = unreadable;
    this.limits = JudgeLimits.of(second.engine);
  }

  /**
   * Compares two objects and everything below them.
   *
   * @param firstPath the path in the first file
   * @param secondPath the path in the second file
   */
  public void compare(String firstPath, String secondPath) {
    attempt(
        firstPath,
        () ->
            pair(
                firstPath,
                first.read(() -> first.file.get(firstPath)),
                () -> second.file.get(secondPath)));
    // A queue instead of recursion: groups may be nested to any depth.
    while (!pending.isEmpty()) {
      Pending next = pending.removeFirst();
      try (Group a = next.a;
          Group b = next.b) {
        attempt(next.path, () -> members(next.path, a, b));
      }
    }
  }

  /** Compares two objects and closes them, now or when their members have been compared. */
  private void pair(String path, H5Object a, Supplier<H5Object> opener) {
    boolean kept = false;
    H5Object b = null;
    try {
      b = second.read(opener);
      objects(path, a, b);
      kept = !pending.isEmpty() && pending.getLast().a == a;
    } finally {
      if (!kept) {
        a.close();
        if (b != null) {
          b.close();
        }
      }
    }
  }

  private void attempt(String path, Runnable work) {
    try {
      work.run();
    } catch (HyperslabException failure) {
      unreadable.accept(path + ": " + failure.getMessage());
    }
  }

  private void objects(String path, H5Object a, H5Object b) {
    if (!same(path, "kind", first.read(a::kind), second.read(b::kind))) {
      return;
    }
    if (!done.add(a.token())) {
      return;
    }
    attributes(path, a, b);
    switch (a) {
      case Group group -> pending.addLast(new Pending(path, group, (Group) b));
      case Dataset dataset -> datasets(path, dataset, (Dataset) b);
      case CommittedType type -> {
        sameType(
            path, first.read(type::datatype), second.read(() -> ((CommittedType) b).datatype()));
        compared++;
      }
    }
  }

  /**
   * {@return the number of datasets, attributes and committed types whose contents both files gave}
   */
  long compared() {
    return compared;
  }

  /**
   * Returns whether two texts differ only in that one lacks the end of a field without a
   * terminator.
   */
  private boolean cutShort(Object a, Object b) {
    return unterminated > 0
        && a instanceof String left
        && b instanceof String right
        && !left.equals(right)
        && (left.startsWith(right) || right.startsWith(left))
        && Math.max(left.length(), right.length()) == unterminated;
  }

  /** Reports once at a place what is not compared, and returns whether there is a reason. */
  private boolean excused(String path, Optional<String> reason) {
    if (reason.isPresent() && noted.add(path + "\n" + reason.get())) {
      unreadable.accept(path + ": " + reason.get());
    }
    return reason.isPresent();
  }

  private void differ(String path, String what, Object a, Object b) {
    if (excused(path, limits.ofValues(a, b))) {
      return;
    }
    if (cutShort(a, b)) {
      unreadable.accept(
          path
              + ": "
              + what
              + ": a string that fills its field and has no terminator: "
              + text(a)
              + " and "
              + text(b));
      return;
    }
    differences.accept(path + ": " + what + ": " + text(a) + " and " + text(b));
  }

  private static String text(Object value) {
    String text = value == null ? "nothing" : Arrays.deepToString(new Object[] {value});
    String bare = value == null ? text : text.substring(1, text.length() - 1);
    return bare.length() > 200 ? bare.substring(0, 200) + "…" : bare;
  }

  /** Compares by content, including records whose members are arrays. */
  static boolean equal(Object a, Object b) {
    if (a instanceof Map<?, ?> left && b instanceof Map<?, ?> right) {
      return left.keySet().equals(right.keySet())
          && left.keySet().stream().allMatch(key -> equal(left.get(key), right.get(key)));
    }
    if (a instanceof List<?> left && b instanceof List<?> right) {
      return equal(left.toArray(), right.toArray());
    }
    if (a instanceof Object[] left && b instanceof Object[] right) {
      for (int i = 0; i < Math.min(left.length, right.length); i++) {
        if (!equal(left[i], right[i])) {
          return false;
        }
      }
      return left.length == right.length;
    }
    return Objects.deepEquals(a, b);
  }

  /** Returns whether elements of two types can be compared. */
  private boolean sameType(String path, Datatype a, Datatype b) {
    Datatype left = TypeIdentity.withOrderedConstants(a.inMemory());
    Datatype right = TypeIdentity.withOrderedConstants(b.inMemory());
    if (!left.equals(right) && excused(path, limits.ofTypes(left, right))) {
      return false;
    }
    same(path, "type", left, right);
    return true;
  }

  private boolean same(String path, String what, Object a, Object b) {
    if (equal(a, b)) {
      return true;
    }
    differ(path, what, a, b);
    return false;
  }

  private void members(String path, Group a, Group b) {
    String prefix = path.equals("/") ? "/" : path + "/";
    Set<String> names = new TreeSet<>();
    names.addAll(first.read(() -> a.links().map(Link::name).toList()));
    names.addAll(second.read(() -> b.links().map(Link::name).toList()));
    for (String name : names) {
      attempt(prefix + name, () -> member(prefix + name, name, a, b));
    }
  }

  private void member(String path, String name, Group a, Group b) {
    boolean inFirst = first.read(() -> a.exists(name));
    if (inFirst != second.read(() -> b.exists(name))) {
      onlyIn(path, name, inFirst);
      return;
    }
    Link left = first.read(() -> a.link(name));
    Link right = second.read(() -> b.link(name));
    if (!same(path, "link", left.kind(), right.kind())) {
      return;
    }
    if (left.kind() != LinkKind.HARD) {
      same(path, "target", left.info().targetPath(), right.info().targetPath());
      return;
    }
    pair(path, first.read(() -> a.get(name)), () -> b.get(name));
  }

  private void onlyIn(String place, String name, boolean inFirst) {
    if (!excused(place, limits.ofName(name))) {
      differences.accept(place + ": only in the " + (inFirst ? "first" : "second"));
    }
  }

  private void attributes(String path, H5Object a, H5Object b) {
    Set<String> names = new TreeSet<>();
    names.addAll(first.read(() -> a.attributes().map(Attribute::name).toList()));
    names.addAll(second.read(() -> b.attributes().map(Attribute::name).toList()));
    for (String name : names) {
      String place = path + ", attribute " + name;
      attempt(
          place,
          () -> {
            boolean inFirst = first.read(() -> a.hasAttribute(name));
            if (inFirst != second.read(() -> b.hasAttribute(name))) {
              onlyIn(place, name, inFirst);
              return;
            }
            Attribute left = first.read(() -> a.attribute(name));
            Attribute right = second.read(() -> b.attribute(name));
            if (same(place, "shape", first.read(left::space), second.read(right::space))) {
              same(place, "value", first.read(left::read), second.read(right::read));
              compared++;
            }
          });
    }
  }

  private void datasets(String path, Dataset a, Dataset b) {
    Dataspace space = first.read(a::space);
    boolean isComparable = sameType(path, first.read(a::type), second.read(b::type));
    if (!same(path, "shape", shape(space), shape(second.read(b::space)))
        || !isComparable
        || excused(path, first.read(() -> limits.ofElements(a)))) {
      return;
    }
    unterminated =
        a.type() instanceof StringType t && t.padding() == StringPadding.NULLTERM ? t.size() : -1;
    if (space.rank() == 0) {
      same(path, "value", first.read(a::read), second.read(b::read));
      compared++;
      return;
    }
    long rowElements = Math.max(1, space.dim(0) == 0 ? 1 : space.elementCount() / space.dim(0));
    long rows = Math.max(1, PIECE_ELEMENTS / rowElements);
    for (long row = 0; row < space.dim(0); row += rows) {
      long[] start = new long[space.rank()];
      long[] count = space.dims();
      start[0] = row;
      count[0] = Math.min(rows, space.dim(0) - row);
      Selection box = Selection.box(start, count);
      Object left = first.read(() -> a.select(box).read());
      Object right = second.read(() -> b.select(box).read());
      if (!equal(left, right) && differ(path, new long[] {row}, left, right)) {
        return;
      }
    }
    compared++;
  }

  private static Object shape(Dataspace space) {
    return space.kind() + Arrays.toString(space.dims());
  }

  /** Reports the first element that differs; returns whether there is one. */
  private boolean differ(String path, long[] index, Object a, Object b) {
    boolean arrays = a != null && b != null && a.getClass().isArray() && b.getClass().isArray();
    int length = arrays ? Array.getLength(a) : -1;
    if (!arrays || length != Array.getLength(b)) {
      if (excused(path, limits.ofValues(a, b))) {
        return false;
      }
      differ(path, "element " + Arrays.toString(index), a, b);
      return true;
    }
    for (int i = 0; i < length; i++) {
      Object left = Array.get(a, i);
      Object right = Array.get(b, i);
      if (!equal(left, right)) {
        long[] deeper = index.clone();
        deeper[deeper.length - 1] += i;
        boolean more = left != null && left.getClass().isArray();
        if (differ(path, more ? Arrays.copyOf(deeper, deeper.length + 1) : deeper, left, right)) {
          return true;
        }
      }
    }
    return false;
  }
}
