package org.hyperslab.tools.ddl;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.tools.walk.Place;

/** The list of what a file holds, one line for each path. Nothing is recursive. */
final class ContentsText {

  /** A group whose members are being listed. */
  private record Frame(Group group, Iterator<Link> links, Place place) {}

  private final DdlPage page;
  private final H5File file;
  private final boolean attributes;
  private final Map<ObjectToken, Place> seen = new HashMap<>();
  private final Deque<Frame> frames = new ArrayDeque<>();

  ContentsText(DdlPage page, H5File file, boolean attributes) {
    this.page = page;
    this.file = file;
    this.attributes = attributes;
  }

  void print() {
    page.line(0, "FILE_CONTENTS {");
    object(Place.ROOT, file.root());
    while (!frames.isEmpty()) {
      Frame frame = frames.getLast();
      if (frame.links.hasNext()) {
        Link link = frame.links.next();
        link(new Place(frame.place, link.name()), link);
      } else {
        frames.removeLast();
        if (frame.place != Place.ROOT) {
          frame.group.close();
        }
      }
    }
    page.line(1, "}");
  }

  private void row(String kind, String text) {
    page.line(1, kind + " ".repeat(Math.max(0, 10 - kind.length())) + " " + text);
  }

  private void object(Place place, H5Object object) {
    String path = place.path();
    String kind =
        switch (object.kind()) {
          case GROUP -> "group";
          case DATASET -> "dataset";
          case COMMITTED_TYPE -> "datatype";
        };
    Place before = seen.putIfAbsent(object.token(), place);
    if (before != null) {
      row(kind, path + " -> " + before.path());
      return;
    }
    row(kind, path);
    if (attributes) {
      String prefix = path.equals("/") ? "/" : path + "/";
      object.attributes().forEach(a -> row("attribute", prefix + a.name()));
    }
    if (object instanceof Group group) {
      frames.addLast(new Frame(group, group.links().iterator(), place));
    }
  }

  private void link(Place place, Link link) {
    LinkInfo info = link.info();
    switch (link.kind()) {
      case HARD -> {
        try {
          H5Object member = file.objectOf(info.token());
          object(place, member);
          if (frames.isEmpty() || frames.getLast().group != member) {
            member.close();
          }
        } catch (HyperslabException unreadable) {
          row("unknown", place.path());
        }
      }
      case SOFT -> row("link", place.path() + " -> " + info.targetPath());
      case EXTERNAL ->
          row("ext link", place.path() + " -> " + info.targetFile() + " " + info.targetPath());
      case USER_DEFINED -> row("UD link", place.path());
    }
  }
}
