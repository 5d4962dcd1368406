package org.hyperslab.tools.dump;

import java.util.function.Consumer;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;

/** Prints the objects that are requested by path, or the C library's output for missing ones. */
final class RequestedObjects {

  private final H5File file;
  private final DdlPage page;
  private final FileDump dump;
  private final DumpOptions options;
  private final Consumer<String> errors;

  /** Creates a printer for a dump; errors make the dump incomplete. */
  RequestedObjects(
      H5File file, DdlPage page, FileDump dump, DumpOptions options, Consumer<String> errors) {
    this.file = file;
    this.page = page;
    this.dump = dump;
    this.options = options;
    this.errors = errors;
  }

  /** Prints one requested object. */
  void print(DumpOptions.Requested one) {
    switch (one.target) {
      case ATTRIBUTE -> attribute(one.path);
      case DATASET -> dataset(one);
      case GROUP -> group(one.path);
      case DATATYPE -> datatype(one.path);
      case SOFT_LINK -> link(one.path);
      case ANY -> any(one.path);
    }
  }

  /**
   * Returns the start of an attribute's name: after the last slash that is not preceded by a
   * backslash.
   */
  private static int nameStart(String path) {
    int slash = path.length() - 1;
    while (slash >= 0
        && !(path.charAt(slash) == '/' && (slash == 0 || path.charAt(slash - 1) != '\\'))) {
      slash--;
    }
    return slash + 1;
  }

  private static String attributeName(String path) {
    return path.substring(nameStart(path)).replace("\\/", "/");
  }

  private void attribute(String path) {
    String owner = path.substring(0, nameStart(path));
    String name = attributeName(path);
    H5Object object;
    try {
      object = owner.isEmpty() ? file.root() : file.get(owner);
    } catch (HyperslabException absent) {
      absent("ATTRIBUTE", path, absent);
      return;
    }
    Attribute attribute;
    try {
      attribute = object.attribute(name);
    } catch (HyperslabException absent) {
      absent("ATTRIBUTE", name, absent);
      return;
    }
    dump.attribute(attribute, 0, true);
  }

  private void absent(String kind, String name, HyperslabException why) {
    page.line(0, kind + " \"" + name + "\" {");
    page.line(0, "}");
    errors.accept("unable to open \"" + name + "\": " + why.getMessage());
  }

  private void dataset(DumpOptions.Requested one) {
    Dataset dataset;
    try {
      dataset = file.dataset(one.path);
    } catch (HyperslabException absent) {
      link(one.path);
      return;
    }
    String problem = one.subset == null ? null : one.subset.problem(dataset.space().rank());
    if (problem == null) {
      dump.dataset(one.path, dataset, 0, one.subset);
    } else {
      errors.accept(problem);
    }
  }

  private void group(String path) {
    Group group;
    try {
      if (path.isEmpty()) {
        throw new NotFoundException("group: actual=an empty path, expected=/ or a name");
      }
      group = file.group(path);
    } catch (HyperslabException absent) {
      page.line(0, "GROUP \"" + path + "\" {");
      page.line(3, "}"); // the C library leaves its error message's indentation
      errors.accept("unable to open group \"" + path + "\": " + absent.getMessage());
      return;
    }
    dump.object(path, group, 0);
    dump.members();
  }

  private void datatype(String path) {
    CommittedType type;
    try {
      type = file.root().committedType(path);
    } catch (HyperslabException absent) {
      type = dump.unnamed(path);
      if (type == null) {
        page.line(0, "DATATYPE \"" + path + "\" ");
        page.line(3, "");
        errors.accept("unable to open datatype \"" + path + "\": " + absent.getMessage());
        return;
      }
    }
    dump.object(path, type, 0);
  }

  private void link(String path) {
    Link link;
    try {
      link = file.root().link(path);
    } catch (HyperslabException absent) {
      errors.accept("unable to get link info from \"" + path + "\": " + absent.getMessage());
      return;
    }
    if (link.kind() == LinkKind.HARD) {
      errors.accept("\"" + path + "\" is a hard link");
      return;
    }
    LinkInfo info = link.info();
    dump.link(path, info, 0);
    page.line(0, "}");
  }

  /** Prints everything that has a path, and every attribute whose name is its last part. */
  private void any(String path) {
    String attribute = attributeName(path);
    String absolute = path.startsWith("/") ? path : "/" + path;
    new ObjectWalk(file, options, this::unlisted)
        .forEachRemaining(step -> {
          String at = step.place().path();
          if (step.object() != null) {
            anyObject(step, at, path, attribute);
          } else if (at.equals(absolute) && step.link().kind() == LinkKind.USER_DEFINED) {
            errors.accept("\"" + path + "\" is a link of an unknown kind");
          } else if (at.equals(absolute)) {
            link(path);
          }
        });
  }

  private void unlisted(HyperslabException failure) {
    errors.accept("unable to list everything: " + failure.getMessage());
  }

  private void anyObject(ObjectWalk.Step step, String at, String path, String attribute) {
    if (step.object().attributes().anyMatch(one -> one.name().equals(attribute))) {
      attribute(path.startsWith("/") ? path : (at.equals("/") ? at : at + "/") + path);
    }
    if (at.equals(path)) {
      switch (step.object()) {
        case Group _ -> group(path);
        case Dataset _ -> dataset(new DumpOptions.Requested(DumpOptions.Target.DATASET, path));
        case CommittedType _ -> datatype(path);
      }
    }
  }
}
