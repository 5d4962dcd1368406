package org.hyperslab.web;

import java.util.List;
import java.util.Optional;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkKind;

/** Describes groups, datasets, committed types and links. */
final class EntityJson {

  /** The first number of a filter that is not part of the library. */
  private static final int FIRST_OF_OTHERS = 256;

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
      case Dataset dataset -> dataset(dataset, name);
      case CommittedType type -> {
        begin(type, "datatype", name);
        out.name("type");
        new TypeJson(out).write(type.datatype());
        out.close('}');
      }
    }
  }

  private void begin(H5Object object, String kind, String name) {
    out.open('{').member("kind", kind).member("name", name);
    out.name("attributes").open('[');
    object.attributes().forEach(this::attribute);
    out.close(']');
  }

  private void attribute(Attribute attribute) {
    out.open('{').member("name", attribute.name());
    shape(attribute.space());
    out.name("type");
    new TypeJson(out).write(attribute.type());
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
    String kind =
        switch (link.kind()) {
          case SOFT -> "soft_link";
          case EXTERNAL -> "external_link";
          case USER_DEFINED, HARD -> "other"; // a hard link to an object that cannot be opened
        };
    out.open('{').member("kind", kind).member("name", name);
    link.targetFile().ifPresent(file -> out.member("target_file", file));
    link.targetPath().ifPresent(path -> out.member("target_path", path));
    out.close('}');
  }

  private void dataset(Dataset dataset, String name) {
    begin(dataset, "dataset", name);
    out.name("chunks");
    if (dataset.options().layout() instanceof Layout.Chunked chunked) {
      out.value(chunked.dimsArray());
    } else {
      out.value((String) null);
    }
    filters(dataset.options().filters());
    shape(dataset.space());
    out.name("type");
    new TypeJson(out).write(dataset.type());
    out.close('}');
  }

  private void filters(List<FilterSpec> filters) {
    out.name("filters");
    if (filters.isEmpty()) {
      out.value((String) null);
      return;
    }
    out.open('[');
    for (FilterSpec filter : filters) {
      out.open('{').member("id", filter.id()).member("name", name(filter)).close('}');
    }
    out.close(']');
  }

  /**
   * Returns the name of a filter, as the library gives it: files of newer versions contain no names
   * of the library's own filters.
   */
  private static String name(FilterSpec filter) {
    if (!filter.name().isEmpty()) {
      return filter.name();
    }
    String known = FilterRegistry.standard().nameOf(filter.id());
    if (!known.isEmpty()) {
      return known;
    }
    boolean isLibrarys = filter.id() < FIRST_OF_OTHERS;
    return isLibrarys ? "Unknown library filter" : "Unknown user-defined filter";
  }

  private void shape(Dataspace space) {
    out.name("shape");
    if (space.kind() == Dataspace.Kind.NULL) {
      out.value((String) null);
    } else {
      out.value(space.dims());
    }
  }
}
