package org.hyperslab.tools.listing;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectToken;

/** Lists groups: a line for each link, more with options. */
public final class Listing {

  private static final int NAME_COLUMNS = 24;

  private final PrintStream out;
  private final boolean recursive;
  private final boolean verbose;
  private final Map<ObjectToken, String> seen = new HashMap<>();

  /**
   * A listing.
   *
   * @param out where lines go
   * @param recursive whether groups below are listed too, with full paths
   * @param verbose whether attributes, types and storage are shown
   */
  public Listing(PrintStream out, boolean recursive, boolean verbose) {
    this.out = out;
    this.recursive = recursive;
    this.verbose = verbose;
  }

  /** Lists what a path leads to: the members of a group, or the object itself. */
  public void list(H5File file, String path) {
    try (H5Object object = file.get(path)) {
      if (object instanceof Group group) {
        if (recursive) {
          line(path, "Group");
          details(group);
          seen.put(group.token(), path);
        }
        members(group, path.equals("/") ? "/" : path + "/");
      } else {
        line(path, describe(object));
        details(object);
      }
    }
  }

  private void members(Group group, String prefix) {
    for (Link link : (Iterable<Link>) group.links()::iterator) {
      String shown = recursive ? prefix + link.name() : link.name();
      LinkInfo info = link.info();
      switch (link.kind()) {
        case SOFT -> line(shown, "Soft Link {" + info.targetPath() + "}");
        case EXTERNAL ->
            line(shown, "External Link {" + info.targetFile() + "/" + info.targetPath() + "}");
        case USER_DEFINED -> line(shown, "UD Link {cannot follow UD links}");
        case HARD -> member(group, link, shown);
      }
    }
  }

  private void member(Group group, Link link, String shown) {
    try (H5Object object = group.get(link.name())) {
      String before = recursive ? seen.putIfAbsent(object.token(), shown) : null;
      line(shown, describe(object) + (before == null ? "" : ", same as " + escaped(before)));
      if (before == null) {
        details(object);
        if (recursive && object instanceof Group below) {
          members(below, shown + "/");
        }
      }
    } catch (HyperslabException unreadable) {
      line(shown, "**NOT FOUND** " + unreadable.getMessage());
    }
  }

  private void line(String name, String text) {
    String escaped = escaped(name);
    out.println(escaped + " ".repeat(Math.max(0, NAME_COLUMNS - escaped.length())) + " " + text);
  }

  private static String describe(H5Object object) {
    return switch (object) {
      case Group group -> "Group";
      case Dataset dataset -> "Dataset " + extent(dataset.space());
      case CommittedType type -> "Type";
    };
  }

  private static String extent(Dataspace space) {
    return switch (space.kind()) {
      case NULL -> "{NULL}";
      case SCALAR -> "{SCALAR}";
      case SIMPLE -> {
        StringBuilder text = new StringBuilder("{");
        for (int d = 0; d < space.rank(); d++) {
          text.append(d == 0 ? "" : ", ").append(space.dim(d));
          if (space.maxDim(d) == Dataspace.UNLIMITED) {
            text.append("/Inf");
          } else if (space.maxDim(d) != space.dim(d)) {
            text.append('/').append(space.maxDim(d));
          }
        }
        yield text.append('}').toString();
      }
    };
  }

  private void details(H5Object object) {
    if (!verbose) {
      return;
    }
    for (Attribute attribute : (Iterable<Attribute>) object.attributes()::iterator) {
      row(
          "Attribute:",
          escaped(attribute.name())
              + " "
              + extent(attribute.space()).toLowerCase(java.util.Locale.ROOT));
      out.println("        Type:      " + attribute.type().describe());
    }
    row("Location:", "1:" + object.token().address());
    row("Links:", Long.toString(object.info().referenceCount()));
    object.comment().ifPresent(text -> row("Comment:", '"' + text + '"'));
    if (object instanceof Dataset dataset) {
      DatasetInfo info = dataset.datasetInfo();
      long logical = info.space().elementCount() * info.type().size();
      row(
          "Storage:",
          logical + " logical bytes, " + info.storage().allocatedBytes() + " allocated bytes");
      row("Type:", info.type().describe());
    } else if (object instanceof CommittedType type) {
      row("Type:", type.datatype().describe());
    }
  }

  private void row(String label, String text) {
    out.println("    " + label + " ".repeat(Math.max(1, 11 - label.length())) + text);
  }

  private static String escaped(String name) {
    StringBuilder text = new StringBuilder();
    for (byte one : name.getBytes(StandardCharsets.UTF_8)) {
      int index = "\b\f\n\r\t\\ ".indexOf(one);
      if (index >= 0) {
        text.append('\\').append("bfnrt\\ ".charAt(index));
      } else if (one > ' ' && one <= '~') {
        text.append((char) one);
      } else {
        String octal = Integer.toOctalString(one & 0xFF);
        text.append('\\').append("0".repeat(3 - octal.length())).append(octal);
      }
    }
    return text.toString();
  }
}
