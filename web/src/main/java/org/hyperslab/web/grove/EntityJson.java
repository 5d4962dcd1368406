package org.hyperslab.web.grove;

import java.util.Optional;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.interchange.json.ObjectJson;
import org.hyperslab.model.LinkKind;
import org.hyperslab.web.files.LinkResolution;

/** Describes groups, datasets, committed types and links. */
final class EntityJson {

  private final JsonOutput out;
  private final LinkResolution resolution;

  EntityJson(JsonOutput out, LinkResolution resolution) {
    this.out = out;
    this.resolution = resolution;
  }

  /**
   * Writes the object or link at a path.
   *
   * @throws NotFoundException if the path does not exist, or a link to be followed is dangling
   */
  void write(H5File file, String path) {
    if (path.equals("/")) {
      object(file.root(), "", true);
      return;
    }
    if (!file.exists(path)) {
      throw notValid(file, path);
    }
    Link link = file.root().link(path);
    String name = path.substring(path.lastIndexOf('/') + 1);
    Optional<H5Object> target =
        link.kind() == LinkKind.HARD && resolution == LinkResolution.ALL
            ? Optional.of(opened(link))
            : target(link);
    if (target.isEmpty()) {
      link(link, name);
      return;
    }
    try (H5Object object = target.get()) {
      object(object, name, true);
    }
  }

  /** {@return the error for a path that does not exist} */
  static NotFoundException notValid(H5File file, String path) {
    return new NotFoundException(
        "'" + path + "' is not a valid path in the file '" + file.name() + "'");
  }

  private Optional<H5Object> target(Link link) {
    boolean follows = link.kind() != LinkKind.USER_DEFINED;
    boolean isHard = link.kind() == LinkKind.HARD;
    if (!isHard && (resolution == LinkResolution.NONE || !follows)) {
      return Optional.empty();
    }
    if (!isHard && resolution == LinkResolution.ALL) {
      return Optional.of(opened(link));
    }
    try {
      return Optional.of(link.open());
    } catch (HyperslabException leadsNowhere) {
      return Optional.empty();
    }
  }

  /** Opens what a link leads to, or says why that is not possible. */
  private static H5Object opened(Link link) {
    try {
      return link.open();
    } catch (HyperslabException leadsNowhere) {
      throw new NotFoundException(
          "Cannot resolve the link '" + link.name() + "': " + leadsNowhere.getMessage(),
          leadsNowhere);
    }
  }

  private void object(H5Object object, String name, boolean withChildren) {
    switch (object) {
      case Group group -> group(group, name, withChildren);
      case Dataset dataset -> whole(dataset, "dataset", name);
      case CommittedType type -> whole(type, "datatype", name);
    }
  }

  private void begin(H5Object object, String kind, String name) {
    out.open('{').member("kind", kind).member("name", name);
    ObjectJson.of(out).members(object);
  }

  private void whole(H5Object object, String kind, String name) {
    begin(object, kind, name);
    out.close('}');
  }

  private void group(Group group, String name, boolean withChildren) {
    begin(group, "group", name);
    if (withChildren) {
      out.name("children").open('[');
      group.links().forEach(this::child);
      out.close(']');
    }
    out.close('}');
  }

  private void child(Link link) {
    Optional<H5Object> target = target(link);
    if (target.isEmpty()) {
      link(link, link.name());
      return;
    }
    try (H5Object object = target.get()) {
      object(object, link.name(), false);
    }
  }

  private void link(Link link, String name) {
    out.open('{').member("kind", ObjectJson.kind(link)).member("name", name);
    ObjectJson.of(out).target(link);
    out.close('}');
  }
}
