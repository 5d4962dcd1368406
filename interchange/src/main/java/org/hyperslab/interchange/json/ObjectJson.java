package org.hyperslab.interchange.json;

import java.util.List;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectKind;

/**
 * Describes groups, datasets, committed types, attributes and links as h5grove does.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class ObjectJson {

  /** The first number of a filter that is not part of the library. */
  private static final int FIRST_OF_OTHERS = 256;

  private final JsonOutput out;
  private final ElementJson elements;

  private ObjectJson(JsonOutput out, ElementJson elements) {
    this.out = out;
    this.elements = elements;
  }

  /**
   * {@return a description without values}
   *
   * @param out receives the text
   */
  public static ObjectJson of(JsonOutput out) {
    return new ObjectJson(out, null);
  }

  /**
   * {@return a description with the values of attributes}
   *
   * @param out receives the text
   * @param file the file in which references are resolved
   */
  public static ObjectJson withValues(JsonOutput out, H5File file) {
    return new ObjectJson(out, new ElementJson(file, out));
  }

  /**
   * {@return the word for a kind of object}
   *
   * @param kind the kind
   */
  public static String kind(ObjectKind kind) {
    return switch (kind) {
      case GROUP -> "group";
      case DATASET -> "dataset";
      case COMMITTED_TYPE -> "datatype";
    };
  }

  /**
   * {@return the word for a link that is not followed}
   *
   * @param link the link
   */
  public static String kind(Link link) {
    return switch (link.kind()) {
      case SOFT -> "soft_link";
      case EXTERNAL -> "external_link";
      case USER_DEFINED, HARD -> "other"; // a hard link to an object that cannot be opened
    };
  }

  /**
   * Writes where a soft or external link leads.
   *
   * @param link the link
   */
  public void target(Link link) {
    link.targetFile().ifPresent(file -> out.member("target_file", file));
    link.targetPath().ifPresent(path -> out.member("target_path", path));
  }

  /**
   * Writes the members of an object: its attributes; chunks, filters, shape and type of a dataset;
   * the type of a committed type.
   *
   * @param object the open object
   */
  public void members(H5Object object) {
    out.name("attributes").open('[');
    object.attributes().forEach(this::attribute);
    out.close(']');
    switch (object) {
      case Group _ -> {}
      case Dataset dataset -> dataset(dataset);
      case CommittedType type -> type(type.datatype());
    }
  }

  /**
   * Writes an attribute as an object.
   *
   * @param attribute the attribute
   */
  public void attribute(Attribute attribute) {
    out.open('{').member("name", attribute.name());
    shape(attribute.space());
    type(attribute.type());
    if (elements != null) {
      out.name("value");
      elements.write(attribute);
    }
    out.close('}');
  }

  private void dataset(Dataset dataset) {
    out.name("chunks");
    if (dataset.options().layout() instanceof Layout.Chunked chunked) {
      out.value(chunked.dimsArray());
    } else {
      out.value((String) null);
    }
    filters(dataset.options().filters());
    shape(dataset.space());
    type(dataset.type());
  }

  private void type(Datatype type) {
    out.name("type");
    new TypeJson(out).write(type);
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
