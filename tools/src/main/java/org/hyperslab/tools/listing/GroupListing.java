package org.hyperslab.tools.listing;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;

/**
 * Lists the object at a path of a file as {@code h5ls} does: the members of a group, one line for
 * each link, or the object itself. Groups are walked with an explicit stack, so that nesting may
 * have any depth.
 */
final class GroupListing {

  private static final int NAME_COLUMNS = 24;

  private final ListingOptions options;
  private final LineBuffer page;
  private final H5File file;
  private final PrintStream errors;
  private final ObjectDetails details;
  private final Deque<Level> levels = new ArrayDeque<>();
  private final Set<String> followed = new HashSet<>();
  private final StringBuilder path = new StringBuilder();
  private int nameStart;
  private boolean failed;
  private boolean dangling;

  /**
   * A group that is being listed.
   *
   * @param group the open group
   * @param links its remaining links
   * @param pathLength the length of the group's own path
   * @param seen the paths under which objects with several links were listed, by address
   * @param elsewhere whether the group is in another file, so that this file's tokens do not apply
   */
  private record Level(
      Group group,
      Iterator<Link> links,
      int pathLength,
      Map<Long, String> seen,
      boolean elsewhere) {}

  /**
   * Creates a printer for a file.
   *
   * @param out where lines go
   * @param errors where messages go
   * @param options what to print
   * @param file the file
   */
  public GroupListing(PrintStream out, PrintStream errors, ListingOptions options, H5File file) {
    this.errors = errors;
    this.options = options;
    this.page = new LineBuffer(out);
    this.file = file;
    this.details = new ObjectDetails(page, options, file, errors);
  }

  /**
   * Lists the object at a path.
   *
   * @param name the path
   * @return whether everything exists and could be read
   */
  public boolean list(String name) {
    try {
      start(name);
    } finally {
      page.flush();
      levels.forEach(level -> level.group.close());
    }
    return !failed;
  }

  /** {@return whether a soft or external link that was followed is dangling} */
  public boolean foundDangling() {
    return dangling;
  }

  private void start(String name) {
    boolean root = name.equals("/");
    nameStart = root ? 0 : 1;
    path.append(root ? "" : name);
    LinkInfo link = null;
    if (!root) {
      try {
        link = file.root().link(name).info();
      } catch (NotFoundException missing) {
        notFound();
        return;
      }
      if (link.kind() != LinkKind.HARD) {
        symbolicLink(new Level(file.root(), null, 0, new HashMap<>(), false), name, link);
        members();
        return;
      }
    }
    try {
      begin(name, root);
    } catch (HyperslabException failure) {
      failed(name, failure);
    }
    members();
  }

  private void begin(String name, boolean root) {
    H5Object object = file.get(name);
    if (!(object instanceof Group group) || options.groupItself) {
      try (object) {
        object(object, "");
      }
      return;
    }
    while (path.length() > 0 && path.charAt(path.length() - 1) == '/') {
      path.setLength(path.length() - 1);
    }
    nameStart = path.length();
    Map<Long, String> seen = new HashMap<>();
    ObjectInfo info = group.info();
    if (info.referenceCount() > 1) {
      seen.put(info.token().address(), name);
    }
    if (root && options.recursive) {
      path.append('/');
      object(group, "");
      path.setLength(0);
    }
    enter(group, seen, false);
  }

  private void enter(Group group, Map<Long, String> seen, boolean elsewhere) {
    levels.push(new Level(group, group.links().iterator(), path.length(), seen, elsewhere));
  }

  private void members() {
    while (!levels.isEmpty()) {
      Level level = levels.peek();
      path.setLength(level.pathLength);
      Link link = null;
      try {
        link = level.links.hasNext() ? level.links.next() : null;
      } catch (HyperslabException failure) {
        failed(path.toString(), failure);
      }
      if (link == null) {
        levels.pop().group.close();
        continue;
      }
      path.append('/').append(link.name());
      if (link.kind() == LinkKind.HARD) {
        hardLink(level, link);
      } else {
        symbolicLink(level, link.name(), link.info());
      }
    }
  }

  private void hardLink(Level level, Link link) {
    H5Object object;
    try {
      ObjectToken token = link.info().token();
      object =
          level.elsewhere || token == null ? level.group.get(link.name()) : file.objectOf(token);
    } catch (HyperslabException unreadable) {
      name("");
      page.add("*ERROR*").endLine();
      failed(path.toString(), unreadable);
      return;
    }
    boolean entered = false;
    try {
      entered = member(level, object);
    } finally {
      if (!entered) {
        object.close();
      }
    }
  }

  /** Lists a member; returns whether it is a group to be listed next. */
  private boolean member(Level level, H5Object object) {
    ObjectInfo info = object.opened().join();
    if (info.referenceCount() > 1) {
      String before = level.seen.putIfAbsent(info.token().address(), path.toString());
      if (before != null) {
        name("");
        page.add(word(object.kind())).add(", same as ");
        Escapes.append(page.text, before, true);
        page.endLine();
        return false;
      }
    }
    object(object, "");
    if (options.recursive && object instanceof Group group) {
      enter(group, level.seen, level.elsewhere);
      return true;
    }
    return false;
  }

  /**
   * Prints an object's line, and below it its details; after its link's line if a symbolic link
   * leads to it.
   */
  private void object(H5Object object, String opening) {
    try {
      if (opening.isEmpty()) {
        name("");
      }
      page.add(opening).add(word(object.kind()));
      if (object instanceof Dataset dataset) {
        page.add(" ");
        ObjectDetails.extent(page.text, dataset.space(), options.verbose);
      }
      if (opening.isEmpty() || options.verbose) {
        page.endLine();
      }
      details.show(object);
    } catch (HyperslabException unreadable) {
      page.add("*ERROR*").endLine();
      failed(path.toString(), unreadable);
    }
    if (!opening.isEmpty()) {
      page.add("}").endLine();
    }
  }

  private void failed(String place, HyperslabException failure) {
    failed = true;
    errors.println(place + ": " + failure.getMessage());
  }

  private static String word(ObjectKind kind) {
    return switch (kind) {
      case GROUP -> "Group";
      case DATASET -> "Dataset";
      case COMMITTED_TYPE -> "Type";
    };
  }

  private void notFound() {
    failed = true;
    name("**NOT FOUND**");
  }

  /**
   * Prints the name in the form that the options request, and a text at the right end of its
   * column.
   */
  private void name(String text) {
    String shown = path.substring(nameStart);
    if (options.showFile) {
      shown = file.name() + "/" + shown;
    }
    if (!options.fullNames) {
      shown = shown.substring(shown.lastIndexOf('/') + 1);
    }
    int columns = Escapes.append(page.text, shown, true);
    int room = NAME_COLUMNS - columns - text.length();
    for (; room > 0; room--) {
      page.text.append(' ');
    }
    page.add(text).add(" ");
  }

  private void symbolicLink(Level level, String name, LinkInfo info) {
    name("");
    boolean external = info.kind() == LinkKind.EXTERNAL;
    switch (info.kind()) {
      case SOFT -> page.add("Soft Link {" + info.targetPath() + "}");
      case EXTERNAL -> {
        String slashes = info.targetPath().startsWith("/") ? "/" : "//";
        page.add("External Link {" + info.targetFile() + slashes + info.targetPath() + "}");
      }
      case USER_DEFINED, HARD -> {
        page.add("UD Link {cannot follow UD links}").endLine();
        return;
      }
    }
    if (!options.followLinks && !(external && options.followExternal)) {
      page.endLine();
    } else if (!followed.add((external ? info.targetFile() : "") + "\0" + info.targetPath())) {
      page.add(" {Already Visited}").endLine();
    } else {
      page.add(" ");
      follow(level, name, external);
    }
  }

  private void follow(Level level, String name, boolean external) {
    H5Object target;
    try {
      target = level.group.get(name);
    } catch (HyperslabException nothing) {
      dangling = true;
      page.add("{**NOT FOUND**}").endLine();
      return;
    }
    object(target, "{");
    if (options.recursive && target instanceof Group group) {
      Map<Long, String> seen = new HashMap<>();
      seen.put(group.token().address(), path.toString());
      enter(group, seen, external || level.elsewhere);
    } else {
      target.close();
    }
  }
}
