package org.hyperslab.web;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;

/**
 * Serves files as stores of Zarr version 2: {@code /zarr/FILE/.zmetadata}, {@code
 * /zarr/FILE/group/dataset/0.1}. Soft and external links are not followed; datasets whose elements
 * Zarr has no type for are not there, and listed in the consolidated metadata.
 *
 * <p>Thread rule: any thread.
 */
final class ZarrView {

  private static final String PREFIX = "/zarr/";
  private static final Pattern CHUNK = Pattern.compile("\\d{1,18}(\\.\\d{1,18}){0,31}");
  private static final int MOST_DEPTH = 200;

  private final ServedFiles files;

  ZarrView(ServedFiles files) {
    this.files = files;
  }

  /** {@return the reply to a request; empty if it is for no key of a store} */
  Optional<WebReply> answer(WebRequest request) {
    if (!request.path().startsWith(PREFIX)) {
      return Optional.empty();
    }
    String rest = request.path().substring(PREFIX.length());
    int end = fileNameEnd(rest);
    try (ServedFiles.Borrowed borrowed = files.open(rest.substring(0, end))) {
      return Optional.of(key(borrowed.file(), rest.substring(end + 1)));
    }
  }

  /** Where the shortest beginning of a path that is a file's name ends, before a slash. */
  private int fileNameEnd(String path) {
    for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (files.names().find(path.substring(0, end)).isPresent()) {
        return end;
      }
    }
    throw new NotFoundException("File not found: '" + path + "'");
  }

  private static WebReply key(H5File file, String path) {
    int slash = path.lastIndexOf('/');
    String key = path.substring(slash + 1);
    String parent = "/" + (slash < 0 ? "" : path.substring(0, slash));
    if (key.equals(".zmetadata") && parent.equals("/")) {
      return json(new Metadata(file, output()).write());
    }
    boolean known =
        Set.of(".zgroup", ".zarray", ".zattrs").contains(key) || CHUNK.matcher(key).matches();
    if (!known || !(parent.equals("/") || file.root().resolves(parent))) {
      throw new NotFoundException("key: actual=" + path + ", expected=one of the store");
    }
    if (parent.equals("/")) {
      return object(file, file.root(), key);
    }
    try (H5Object object = file.get(parent)) {
      return object(file, object, key);
    }
  }

  private static WebReply object(H5File file, H5Object object, String key) {
    if (object instanceof Group group && key.equals(".zgroup")) {
      return json(group(output()));
    }
    if (key.equals(".zattrs")) {
      return json(new Metadata(file, output()).attributes(object));
    }
    Optional<ZarrArray> array =
        object instanceof Dataset dataset ? ZarrArray.of(dataset) : Optional.empty();
    if (array.isEmpty() || key.equals(".zgroup")) {
      throw new NotFoundException(
          "key: actual=" + key + " of " + object.path() + ", expected=one of the store");
    }
    if (key.equals(".zarray")) {
      JsonOutput out = output();
      array.get().write(out);
      return json(out);
    }
    return WebReply.ok("application/octet-stream", WebBody.of(array.get().chunk(key)));
  }

  private static JsonOutput output() {
    return new JsonOutput(DataReply.MOST_CHARS);
  }

  private static JsonOutput group(JsonOutput out) {
    return out.open('{').member("zarr_format", 2).close('}');
  }

  private static WebReply json(JsonOutput out) {
    return WebReply.ok(WebReply.JSON, WebBody.of(out.toBytes()));
  }

  /**
   * The metadata of a whole file, as consolidated metadata has it, and beside it, under "left_out",
   * the paths of what is not there: because Zarr has no type for it, or it cannot be read. Confined
   * to one thread.
   */
  private static final class Metadata {
    private final H5File file;
    private final JsonOutput out;
    private final Set<ObjectToken> way = new HashSet<>();
    private final Map<Long, String> scaleNames = new HashMap<>();
    private final Map<String, String> leftOut = new TreeMap<>();

    Metadata(H5File file, JsonOutput out) {
      this.file = file;
      this.out = out;
    }

    JsonOutput write() {
      out.open('{').member("zarr_consolidated_format", 1).name("metadata").open('{');
      group(file.root(), "");
      out.close('}').name("left_out").open('{');
      leftOut.forEach(out::member);
      return out.close('}').close('}');
    }

    private void group(Group group, String prefix) {
      if (way.size() > MOST_DEPTH || !way.add(group.token())) {
        return;
      }
      JsonOutput attributes = attributes(group);
      ZarrView.group(out.name(prefix + ".zgroup"));
      out.name(prefix + ".zattrs").value(attributes);
      group
          .links()
          .filter(link -> link.kind() == LinkKind.HARD)
          .forEach(link -> member(link, prefix + link.name()));
      way.remove(group.token());
    }

    private void member(Link link, String path) {
      try (H5Object object = link.open()) {
        if (object instanceof Group group) {
          group(group, path + "/");
        } else if (object instanceof Dataset dataset) {
          dataset(dataset, path);
        }
      } catch (HyperslabException damaged) {
        leftOut.put(path, damaged.getMessage());
      }
    }

    /** Nothing is written before all of it is known. */
    private void dataset(Dataset dataset, String path) {
      Optional<ZarrArray> array = ZarrArray.of(dataset);
      if (array.isEmpty()) {
        leftOut.put(path, "no type of Zarr for " + dataset.type().describe());
        return;
      }
      JsonOutput attributes = attributes(dataset);
      array.get().write(out.name(path + "/.zarray"));
      out.name(path + "/.zattrs").value(attributes);
    }

    JsonOutput attributes(H5Object object) {
      JsonOutput to = output();
      to.open('{');
      object
          .attributes()
          .filter(Metadata::isPlain)
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

    /** References, and what HDF5's dimension scales keep in attributes, mean nothing in Zarr. */
    private static boolean isPlain(Attribute attribute) {
      boolean ofScales =
          Set.of("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME", "_ARRAY_DIMENSIONS")
              .contains(attribute.name());
      return !ofScales
          && attribute.space().kind() != Dataspace.Kind.NULL
          && !(attribute.type() instanceof ReferenceType);
    }

    /** What xarray calls the dimensions: by their scales, else by their lengths. */
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
                  .map(Metadata::lastPart)
                  .orElse("dim_" + address));
    }

    private static String lastPart(String path) {
      return path.substring(path.lastIndexOf('/') + 1);
    }
  }
}
