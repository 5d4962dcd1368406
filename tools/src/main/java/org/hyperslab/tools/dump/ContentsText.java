package org.hyperslab.tools.dump;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.tools.walk.ObjectPath;

/** Prints a list of the objects in a file, one line for each path. */
final class ContentsText {

  private final DdlPage page;
  private final H5File file;
  private final DumpOptions options;
  private final Map<ObjectToken, ObjectPath> seen = new HashMap<>();

  ContentsText(DdlPage page, H5File file, DumpOptions options) {
    this.page = page;
    this.file = file;
    this.options = options;
  }

  /**
   * Prints the list, which begins with the committed datatypes that have no path.
   *
   * @param unnamed those datatypes
   * @param unreadable receives failures to list objects
   */
  void print(Set<ObjectToken> unnamed, Consumer<HyperslabException> unreadable) {
    page.line(0, "FILE_CONTENTS {");
    unnamed.forEach(token -> row("datatype", "/#" + token.address()));
    new ObjectWalk(file, options, unreadable).forEachRemaining(this::step);
    page.line(1, "}");
  }

  private void step(ObjectWalk.Step step) {
    if (step.object() != null) {
      object(step.place(), step.object());
    } else {
      link(step.place(), step.link());
    }
  }

  private void row(String kind, String text) {
    page.line(1, kind + " ".repeat(Math.max(0, 10 - kind.length())) + " " + text);
  }

  private void object(ObjectPath place, H5Object object) {
    String path = place.path();
    String kind =
        switch (object.kind()) {
          case GROUP -> "group";
          case DATASET -> "dataset";
          case COMMITTED_TYPE -> "datatype";
        };
    ObjectPath before = seen.putIfAbsent(object.token(), place);
    if (before != null) {
      row(kind, path + " -> " + before.path());
      return;
    }
    row(kind, path);
    if (options.contentsWithAttributes) {
      String prefix = path.equals("/") ? "/" : path + "/";
      object
          .attributes(options.attributeOrder(object), options.descending)
          .forEach(a -> row("attribute", prefix + a.name()));
    }
  }

  private void link(ObjectPath place, Link link) {
    LinkInfo info = link.info();
    switch (link.kind()) {
      case HARD -> row("unknown", place.path());
      case SOFT -> row("link", place.path() + " -> " + info.targetPath());
      case EXTERNAL ->
          row("ext link", place.path() + " -> " + info.targetFile() + " " + info.targetPath());
      case USER_DEFINED -> row("unknown type of UD link", place.path() + " -> ???");
    }
  }
}
