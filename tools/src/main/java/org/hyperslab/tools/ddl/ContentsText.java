package org.hyperslab.tools.ddl;

import java.util.HashMap;
import java.util.Map;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectToken;

/** The list of what a file holds, one line for each path. */
final class ContentsText {

  private final DdlPage page;
  private final H5File file;
  private final boolean attributes;
  private final Map<ObjectToken, String> seen = new HashMap<>();

  ContentsText(DdlPage page, H5File file, boolean attributes) {
    this.page = page;
    this.file = file;
    this.attributes = attributes;
  }

  void print() {
    page.line(0, "FILE_CONTENTS {");
    object("/", file.root());
    page.line(1, "}");
  }

  private void row(String kind, String text) {
    page.line(1, kind + " ".repeat(Math.max(0, 10 - kind.length())) + " " + text);
  }

  private void object(String path, H5Object object) {
    String kind =
        switch (object.kind()) {
          case GROUP -> "group";
          case DATASET -> "dataset";
          case COMMITTED_TYPE -> "datatype";
        };
    String before = seen.putIfAbsent(object.token(), path);
    if (before != null) {
      row(kind, path + " -> " + before);
      return;
    }
    row(kind, path);
    String prefix = path.equals("/") ? "/" : path + "/";
    if (attributes) {
      object.attributes().forEach(a -> row("attribute", prefix + a.name()));
    }
    if (object instanceof Group group) {
      for (Link link : (Iterable<Link>) group.links()::iterator) {
        link(prefix + link.name(), group, link);
      }
    }
  }

  private void link(String path, Group group, Link link) {
    LinkInfo info = link.info();
    switch (link.kind()) {
      case HARD -> {
        try (H5Object member = group.get(link.name())) {
          object(path, member);
        } catch (HyperslabException unreadable) {
          row("unknown", path);
        }
      }
      case SOFT -> row("link", path + " -> " + info.targetPath());
      case EXTERNAL -> row("ext link", path + " -> " + info.targetFile() + " " + info.targetPath());
      case USER_DEFINED -> row("UD link", path);
    }
  }
}
