package org.hyperslab.web;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;

/**
 * Builds the Zarr metadata of a file's groups and datasets. Paths are relative to the root group,
 * whose path is empty.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ZarrMetadata {

  private static final int MAX_DEPTH = 200;

  private final H5File file;
  private final UnaryOperator<String> shown;
  private final Set<ObjectToken> way = new HashSet<>();
  private final Map<Long, String> scaleNames = new HashMap<>();
  private final Map<String, String> leftOut = new TreeMap<>();

  ZarrMetadata(H5File file) {
    this(file, UnaryOperator.identity());
  }

  /**
   * Creates a builder.
   *
   * @param file the file
   * @param shown makes a message one that clients may see
   */
  ZarrMetadata(H5File file, UnaryOperator<String> shown) {
    this.file = file;
    this.shown = shown;
  }

  /** Visits groups and datasets, parents first. */
  interface Visitor {
    /** Takes an object, its path and its attributes. */
    void visit(H5Object object, String path, JsonOutput attributes);
  }

  /**
   * {@return the paths of objects that could not be read or that a visitor omitted, with reasons}
   */
  Map<String, String> leftOut() {
    return leftOut;
  }

  /** Visits all groups and datasets that are reachable by hard links. */
  void walk(Visitor visitor) {
    group(file.root(), "", visitor);
  }

  private void group(Group group, String path, Visitor visitor) {
    if (way.size() > MAX_DEPTH || !way.add(group.token())) {
      return;
    }
    visitor.visit(group, path, attributes(group));
    String prefix = path.isEmpty() ? "" : path + "/";
    group
        .links()
        .filter(link -> link.kind() == LinkKind.HARD)
        .forEach(link -> member(link, prefix + link.name(), visitor));
    way.remove(group.token());
  }

  private void member(Link link, String path, Visitor visitor) {
    if (!NameBytes.isUtf8(link.name())) {
      leftOut.put(path, "a name that is not UTF-8, which the keys of Zarr are");
      return;
    }
    try (H5Object object = link.open()) {
      if (object instanceof Group group) {
        group(group, path, visitor);
      } else if (object instanceof Dataset) {
        visitor.visit(object, path, attributes(object));
      }
    } catch (HyperslabException damaged) {
      leftOut.put(path, shown.apply(String.valueOf(damaged.getMessage())));
    }
  }

  /**
   * {@return the consolidated metadata of the whole file, with a member "left_out" that lists the
   * objects that are missing because Zarr has no type for them or they cannot be read}
   */
  JsonOutput consolidated() {
    JsonOutput out = ZarrView.output();
    out.open('{').member("zarr_consolidated_format", 1).name("metadata").open('{');
    walk((object, path, attributes) -> {
      String prefix = path.isEmpty() ? "" : path + "/";
      if (object instanceof Dataset dataset) {
        var array = ZarrArray.of(dataset);
        if (array.isEmpty()) {
          leftOut.put(path, "no type of Zarr for " + dataset.type().describe());
          return;
        }
        array.get().write(out.name(prefix + ".zarray"));
      } else {
        ZarrView.group(out.name(prefix + ".zgroup"));
      }
      out.name(prefix + ".zattrs").value(attributes);
    });
    out.close('}').name("left_out").open('{');
    leftOut.forEach(out::member);
    return out.close('}').close('}');
  }

  JsonOutput attributes(H5Object object) {
    JsonOutput to = ZarrView.output();
    to.open('{');
    object
        .attributes()
        .filter(ZarrMetadata::isPlain)
        .forEach(attribute -> {
          to.name(attribute.name());
          GroveApi.attribute(file, attribute, to);
        });
    if (object instanceof Dataset dataset) {
      to.name("_ARRAY_DIMENSIONS").open('[');
      dimensions(dataset).forEach(to::value);
      to.close(']');
    }
    return to.close('}');
  }

  /**
   * Returns whether an attribute has a meaning in Zarr, unlike references and the attributes of
   * HDF5's dimension scales.
   */
  private static boolean isPlain(Attribute attribute) {
    boolean ofScales =
        Set.of("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME", "_ARRAY_DIMENSIONS")
            .contains(attribute.name());
    return !ofScales
        && attribute.space().kind() != Dataspace.Kind.NULL
        && !(attribute.type() instanceof ReferenceType);
  }

  /**
   * Returns the names of dimensions for xarray: from their scales, otherwise from their lengths.
   */
  private List<String> dimensions(Dataset dataset) {
    long[] shape = dataset.shape();
    boolean isScale = shape.length == 1 && DimensionScales.isScale(dataset);
    if (isScale) {
      return List.of(lastPart(dataset.path()));
    }
    List<List<Reference>> scales = DimensionScales.scaleReferences(dataset);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < shape.length; i++) {
      String name =
          i < scales.size() && !scales.get(i).isEmpty()
              ? scaleName(scales.get(i).getLast().token())
              : "phony_dim_" + shape[i];
      while (names.contains(name)) {
        name += "_";
      }
      names.add(name);
    }
    return names;
  }

  private String scaleName(long address) {
    return scaleNames.computeIfAbsent(
        address,
        same ->
            file.pathOf(new ObjectToken(address))
                .map(ZarrMetadata::lastPart)
                .orElse("dim_" + address));
  }

  private static String lastPart(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
