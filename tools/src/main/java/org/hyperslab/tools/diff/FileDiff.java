package org.hyperslab.tools.diff;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;

/**
 * Compares two files, or an object of each, with the rules and the output of {@code h5diff}. Groups
 * are walked in parallel with an explicit stack, so that nesting may have any depth.
 */
final class FileDiff {

  private final H5File first;
  private final H5File second;
  private final boolean sameFile;
  private final DiffOptions options;
  private final DiffOutcome outcome;
  private final ObjectDiff objects;
  private final Progress progress;

  /** Receives the progress. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Called after each pair of objects.
     *
     * @param objects the number of pairs so far
     */
    void compared(long objects);
  }

  /** Two open groups whose members are compared; either may be missing. */
  private record Level(Group a, Group b, Iterator<Link> left, Iterator<Link> right, int length) {}

  /** The action for each pair. */
  private enum Pass {
    TABLE,
    COMPARE
  }

  private final Deque<Level> levels = new ArrayDeque<>();
  private final StringBuilder path = new StringBuilder();
  private final Deque<Link[]> pending = new ArrayDeque<>();
  private Set<String> seenLeft = new HashSet<>();
  private Set<String> seenRight = new HashSet<>();
  private String firstBase = "";
  private String secondBase = "";
  private long compared;

  /**
   * Creates a comparison of two files.
   *
   * @param first a file
   * @param second the other file
   * @param sameFile whether both are the same file
   * @param options what to compare and to print
   * @param out receives the differences
   * @param errors receives messages about what cannot be read
   * @param progress is called after each pair of objects
   */
  public FileDiff(
      H5File first,
      H5File second,
      boolean sameFile,
      DiffOptions options,
      PrintStream out,
      PrintStream errors,
      Progress progress) {
    this.first = first;
    this.second = second;
    this.sameFile = sameFile;
    this.options = options;
    this.outcome = new DiffOutcome(options, out, errors);
    this.objects = new ObjectDiff(outcome, first, second);
    this.progress = progress;
  }

  /**
   * Compares the objects at two paths.
   *
   * @param firstPath the path in the first file
   * @param secondPath the path in the second file
   * @return 0 equal, 1 different, 2 something is missing or cannot be read
   */
  public int compare(String firstPath, String secondPath) {
    String one = firstPath.startsWith("/") ? firstPath : "/" + firstPath;
    String other = secondPath.startsWith("/") ? secondPath : "/" + secondPath;
    if (!exists(first, one) || !exists(second, other)) {
      return 2;
    }
    try {
      both(one, other);
    } catch (HyperslabException failure) {
      outcome.fails(failure.getMessage());
    }
    return outcome.end();
  }

  private boolean exists(H5File file, String name) {
    if (name.equals("/") || file.exists(name)) {
      return true;
    }
    outcome.missing("Object <" + name + "> could not be found in <" + file.name() + ">");
    return false;
  }

  private void both(String one, String other) {
    LinkInfo left = one.equals("/") ? null : first.root().link(one).info();
    LinkInfo right = other.equals("/") ? null : second.root().link(other).info();
    if (symbolic(left) || symbolic(right)) {
      if (!options.followLinks) {
        links(left, right, one, other);
        return;
      }
      if (!resolves(first, one) || !resolves(second, other)) {
        if (options.verbose
            && !options.noDangling
            && !resolves(first, one)
            && !resolves(second, other)) {
          outcome.line("obj1 <" + one + "> is a dangling link.");
          outcome.line("obj2 <" + other + "> is a dangling link.");
        }
        dangling(one, resolves(first, one), other, resolves(second, other));
        return;
      }
    }
    try (H5Object a = first.get(one);
        H5Object b = second.get(other)) {
      if (a instanceof Group && b instanceof Group) {
        firstBase = one.equals("/") ? "" : one;
        secondBase = other.equals("/") ? "" : other;
        if (sameFile && a.token().equals(b.token()) && !options.report && !options.verbose) {
          return;
        }
        groups(one, other);
      } else {
        pair(a, b, one, other);
      }
    }
  }

  private static boolean symbolic(LinkInfo link) {
    return link != null && link.kind() != LinkKind.HARD;
  }

  private static boolean resolves(H5File file, String name) {
    return name.equals("/") || file.root().resolves(name);
  }

  /** Compares two links, at least one of which does not lead to an object. */
  private void dangling(String one, boolean left, String other, boolean right) {
    if (options.noDangling) {
      outcome.danglingIsWrong(left ? other : one);
      if (options.verbose) {
        outcome.line("Warning: <" + (left ? other : one) + "> is a dangling link.");
      }
    } else if (left != right) {
      if (options.verbose) {
        outcome.line(
            left
                ? "obj2 <" + other + "> is a dangling link."
                : "obj1 <" + one + "> is a dangling link.");
      }
      outcome.differences++;
      outcome.compared("dangling link", one, other, null, 1);
      if (!options.quiet) {
        outcome.found(1);
      }
    } else if (options.verbose) {
      outcome.line("dangling link: <" + one + "> and <" + other + ">");
      outcome.found(0);
    }
  }

  private void groups(String one, String other) {
    if (options.verbose) {
      if (options.level > 2) {
        outcome.line("file1: " + first.name());
        outcome.line("file2: " + second.name());
      }
      outcome.line("");
      boolean roots = one.equals("/") && other.equals("/");
      outcome.line(roots ? "file1     file2" : "group1   group2");
      outcome.line("---------------------------------------");
      walk(one, other, Pass.TABLE);
      outcome.line("");
    }
    walk(one, other, Pass.COMPARE);
  }

  /** Returns a row of the table that shows on which side a name exists. */
  static String tableRow(boolean one, boolean other, String name) {
    int bytes = NameBytes.encode(name).length; // as printf counts
    String padding = " ".repeat(Math.max(0, 15 - bytes));
    return "    " + (one ? 'x' : ' ') + "      " + (other ? 'x' : ' ') + "    " + name + padding;
  }

  private void walk(String one, String other, Pass pass) {
    path.setLength(0);
    seenLeft = new HashSet<>();
    seenRight = new HashSet<>();
    Group a = first.group(one);
    Group b = second.group(other);
    seenLeft.add(identity(a));
    seenRight.add(identity(b));
    if (pass == Pass.TABLE) {
      outcome.line(tableRow(true, true, "/"));
    } else {
      pair(a, b, one, other);
    }
    push(a, b);
    try {
      while (!levels.isEmpty()) {
        step(pass);
      }
    } finally {
      levels.forEach(FileDiff::close);
    }
  }

  private static String identity(H5Object object) {
    ObjectInfo info = object.opened().join();
    return info.fileNumber() + ":" + info.token().address();
  }

  private void push(Group a, Group b) {
    Iterator<Link> none = Collections.emptyIterator();
    levels.push(
        new Level(
            a,
            b,
            a == null ? none : a.links().iterator(),
            b == null ? none : b.links().iterator(),
            path.length()));
    pending.push(new Link[2]);
  }

  private static void close(Level level) {
    if (level.a != null) {
      level.a.close();
    }
    if (level.b != null) {
      level.b.close();
    }
  }

  /** Handles the next name of the current group, on one side or both. */
  private void step(Pass pass) {
    Level level = levels.peek();
    Link[] held = pending.peek();
    path.setLength(level.length);
    if (held[0] == null && level.left.hasNext()) {
      held[0] = level.left.next();
    }
    if (held[1] == null && level.right.hasNext()) {
      held[1] = level.right.next();
    }
    if (held[0] == null && held[1] == null) {
      close(levels.pop());
      pending.pop();
      return;
    }
    int order =
        held[0] == null
            ? 1
            : held[1] == null ? -1 : NameBytes.compare(held[0].name(), held[1].name());
    Link left = order <= 0 ? held[0] : null;
    Link right = order >= 0 ? held[1] : null;
    if (left != null) {
      held[0] = null;
    }
    if (right != null) {
      held[1] = null;
    }
    path.append('/').append(left != null ? left.name() : right.name());
    if (excluded()) {
      passOver(level.a, left, first, seenLeft);
      passOver(level.b, right, second, seenRight);
    } else {
      member(level, left, right, pass);
    }
  }

  /** Marks an excluded group as seen, so that other links to it do not show its members either. */
  private void passOver(Group group, Link link, H5File file, Set<String> seen) {
    try (H5Object object = open(group, link, file)) {
      if (object instanceof Group) {
        seen.add(identity(object));
      }
    } catch (HyperslabException unreadable) {
      return; // is excluded anyway
    }
  }

  private boolean excluded() {
    if (options.excludedPaths.isEmpty()) {
      return false;
    }
    String name = path.toString();
    for (String excluded : options.excludedPaths) {
      if (name.equals(excluded.startsWith("/") ? excluded : "/" + excluded)) {
        return true;
      }
    }
    return false;
  }

  private void member(Level level, Link left, Link right, Pass pass) {
    if (pass == Pass.TABLE) {
      outcome.line(tableRow(left != null, right != null, path.toString()));
    } else if (left == null || right == null) {
      outcome.onlyIn(left != null, (left != null ? firstBase : secondBase) + path, null);
    }
    H5Object a = null;
    H5Object b = null;
    try {
      a = open(level.a, left, first);
      b = open(level.b, right, second);
      if (pass == Pass.COMPARE && left != null && right != null) {
        compareMembers(left, right, a, b);
      } else if (options.noDangling && ((isDangling(left, a) || isDangling(right, b)))) {
        outcome.danglingIsWrong((isDangling(left, a) ? firstBase : secondBase) + path);
      }
    } catch (HyperslabException failure) {
      if (pass == Pass.COMPARE) {
        outcome.fails(path + ": " + failure.getMessage());
      }
    }
    Group below = a instanceof Group group && seenLeft.add(identity(a)) ? group : null;
    Group other = b instanceof Group group && seenRight.add(identity(b)) ? group : null;
    if (below == null && a != null) {
      a.close();
    }
    if (other == null && b != null) {
      b.close();
    }
    if (below != null || other != null) {
      push(below, other);
    }
  }

  /** Returns the object behind a link; null if it is a symbolic one that is not followed. */
  private H5Object open(Group group, Link link, H5File file) {
    if (link == null || (link.kind() != LinkKind.HARD && !options.followLinks)) {
      return null;
    }
    if (link.kind() == LinkKind.USER_DEFINED) {
      return null;
    }
    try {
      boolean here = link.kind() == LinkKind.HARD && link.info().token() != null;
      boolean own = group.info().fileNumber() == file.root().info().fileNumber();
      return here && own ? file.objectOf(link.info().token()) : group.get(link.name());
    } catch (NotFoundException dangling) {
      if (link.kind() == LinkKind.HARD) {
        throw dangling;
      }
      return null;
    }
  }

  private static boolean isDangling(Link link, H5Object object) {
    return link != null
        && object == null
        && (link.kind() == LinkKind.SOFT || link.kind() == LinkKind.EXTERNAL);
  }

  private void compareMembers(Link left, Link right, H5Object a, H5Object b) {
    String one = firstBase + path;
    String other = secondBase + path;
    if (a != null && b != null) {
      pair(a, b, one, other);
    } else if (a == null && b == null && !options.followLinks) {
      links(left.info(), right.info(), one, other);
    } else if (options.followLinks && (isDangling(left, a) || isDangling(right, b))) {
      dangling(one, !isDangling(left, a), other, !isDangling(right, b));
    } else if (options.followLinks && (symbolic(left.info()) || symbolic(right.info()))) {
      return; // a link that the user defined, which cannot be followed
    } else {
      differentKinds(kind(left, a), kind(right, b), one, other);
    }
  }

  private static String kind(Link link, H5Object object) {
    if (object != null) {
      return kind(object.kind());
    }
    return kind(link.info());
  }

  private static String kind(LinkInfo link) {
    return switch (link.kind()) {
      case HARD -> "H5G_DATASET";
      case SOFT -> "H5G_LINK";
      case EXTERNAL, USER_DEFINED -> "H5G_UDLINK";
    };
  }

  private static String kind(ObjectKind kind) {
    return switch (kind) {
      case GROUP -> "H5G_GROUP";
      case DATASET -> "H5G_DATASET";
      case COMMITTED_TYPE -> "H5G_TYPE";
    };
  }

  private void differentKinds(String left, String right, String one, String other) {
    outcome.notComparable(
        "<" + one + "> is of type " + left + " and <" + other + "> is of type " + right);
  }

  private void links(LinkInfo left, LinkInfo right, String one, String other) {
    if (left == null || right == null || !kind(left).equals(kind(right))) {
      differentKinds(
          left == null ? "H5G_GROUP" : kind(left),
          right == null ? "H5G_GROUP" : kind(right),
          one,
          other);
      return;
    }
    boolean same =
        left.kind() == right.kind()
            && Objects.equals(left.targetPath(), right.targetPath())
            && Objects.equals(left.targetFile(), right.targetFile())
            && left.userData().size() == right.userData().size();
    String what =
        switch (left.kind()) {
          case SOFT, HARD -> "link";
          case EXTERNAL ->
              right.kind() == LinkKind.EXTERNAL ? "external link" : "user defined link";
          case USER_DEFINED -> "user defined link";
        };
    outcome.differences += same ? 0 : 1;
    outcome.compared(what, one, other, null, same ? 0 : 1);
    if ((options.verbose || !same) && !options.quiet) {
      outcome.heading(what, one, other);
    }
    if (options.verbose && !options.quiet) {
      outcome.found(same ? 0 : 1);
    }
  }

  /** Compares two objects and their attributes. */
  private void pair(H5Object a, H5Object b, String one, String other) {
    if (a.kind() != b.kind()) {
      differentKinds(kind(a.kind()), kind(b.kind()), one, other);
      return;
    }
    progress.compared(++compared);
    boolean told = options.printsDifferences();
    boolean same = sameFile && identity(a).equals(identity(b));
    if (same) {
      outcome.compared(word(a.kind()), one, other, null, 0);
      sameObject(a.kind(), one, other);
      return;
    }
    long found = 0;
    switch (a) {
      case Dataset dataset -> {
        if (told) {
          outcome.heading("dataset", one, other);
        }
        found = elements(dataset, (Dataset) b, one, other);
        if (!told && found > 0 && !options.quiet) {
          outcome.heading("dataset", one, other);
        }
        if (told || (found > 0 && !options.quiet)) {
          outcome.found(found);
        }
      }
      case CommittedType type -> {
        found = type.datatype().equals(((CommittedType) b).datatype()) ? 0 : 1;
        plainHeading("datatype", found, one, other);
      }
      case Group group -> plainHeading("group", 0, one, other);
    }
    outcome.differences += found;
    outcome.compared(word(a.kind()), one, other, null, found);
    outcome.differences += objects.attributes(a, b, one, other);
  }

  private void sameObject(ObjectKind kind, String one, String other) {
    if (options.printsDifferences()) {
      outcome.heading(word(kind), one, other);
      outcome.found(0);
    }
  }

  private static String word(ObjectKind kind) {
    return switch (kind) {
      case GROUP -> "group";
      case DATASET -> "dataset";
      case COMMITTED_TYPE -> "datatype";
    };
  }

  private void plainHeading(String what, long found, String one, String other) {
    if ((options.verbose || found > 0) && !options.quiet) {
      outcome.heading(what, one, other);
    }
    if (options.verbose && !options.quiet) {
      outcome.found(found);
    }
  }

  private long elements(Dataset a, Dataset b, String one, String other) {
    try {
      return objects.datasets(a, b, one, other);
    } catch (HyperslabException failure) {
      outcome.fails(one + ": " + failure.getMessage());
      return 0;
    }
  }
}
