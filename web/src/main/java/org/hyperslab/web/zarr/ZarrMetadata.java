package org.hyperslab.web.zarr;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.scales.DimensionTable.Dim;

/**
 * Builds the Zarr metadata of a file's groups and datasets. Paths are relative to the root group,
 * whose path is empty.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class ZarrMetadata {

  private static final int MAX_DEPTH = 200;

  private final ZarrTree tree;
  private final UnaryOperator<String> shown;
  private final Set<ObjectToken> way = new HashSet<>();
  private final Map<String, String> leftOut = new TreeMap<>();

  public ZarrMetadata(ZarrTree tree) {
    this(tree, UnaryOperator.identity());
  }

  /**
   * Creates a builder.
   *
   * @param tree the file's groups and arrays
   * @param shown makes a message one that clients may see
   */
  public ZarrMetadata(ZarrTree tree, UnaryOperator<String> shown) {
    this.tree = tree;
    this.shown = shown;
  }

  /** Visits groups and arrays, parents first. */
  public interface Visitor {
    /** Takes a group, its path and its attributes. */
    void group(String path, JsonOutput attributes);

    /** Takes an array, its path and its attributes. */
    void array(ZarrArray array, String path, JsonOutput attributes);
  }

  /**
   * {@return the paths of objects that could not be read or that a visitor omitted, with reasons}
   */
  public Map<String, String> leftOut() {
    return leftOut;
  }

  /** Visits all groups and arrays that are reachable by hard links. */
  public void walk(Visitor visitor) {
    group(tree.file().root(), "", visitor);
  }

  private void group(Group group, String path, Visitor visitor) {
    if (way.size() > MAX_DEPTH || !way.add(group.token())) {
      return;
    }
    visitor.group(path, new ZarrAttributes(tree.file()).ofGroup(group));
    String prefix = path.isEmpty() ? "" : path + "/";
    group
        .links()
        .filter(link -> link.kind() == LinkKind.HARD)
        .forEach(link -> member(link, prefix, visitor));
    way.remove(group.token());
  }

  private void member(Link link, String prefix, Visitor visitor) {
    String path = prefix + link.name();
    if (!NameBytes.isUtf8(link.name())) {
      leftOut.put(path, "a name that is not UTF-8, which the keys of Zarr are");
      return;
    }
    try (H5Object object = link.open()) {
      if (object instanceof Group group) {
        group(group, path, visitor);
      } else if (object instanceof Dataset dataset) {
        tree.name(dataset, link.name()).ifPresent(name -> array(dataset, prefix + name, visitor));
      }
    } catch (HyperslabException damaged) {
      leftOut.put(path, shown.apply(String.valueOf(damaged.getMessage())));
    }
  }

  private void array(Dataset dataset, String path, Visitor visitor) {
    Optional<ZarrArray> array = tree.array(dataset);
    if (array.isEmpty()) {
      leftOut.put(path, "no type of Zarr for " + dataset.type().describe());
      return;
    }
    visitor.array(array.get(), path, attributes(array.get()));
  }

  /**
   * {@return the consolidated metadata of the whole file, with a member "left_out" that lists the
   * objects that are missing because Zarr has no type for them or they cannot be read}
   */
  JsonOutput consolidated() {
    JsonOutput out = ZarrView.output();
    out.open('{').member("zarr_consolidated_format", 1).name("metadata").open('{');
    walk(
        new Visitor() {
          @Override
          public void group(String path, JsonOutput attributes) {
            String prefix = path.isEmpty() ? "" : path + "/";
            ZarrView.group(out.name(prefix + ".zgroup"));
            out.name(prefix + ".zattrs").value(attributes);
          }

          @Override
          public void array(ZarrArray array, String path, JsonOutput attributes) {
            array.write(out.name(path + "/.zarray"), List.of());
            out.name(path + "/.zattrs").value(attributes);
          }
        });
    out.close('}').name("left_out").open('{');
    leftOut.forEach(out::member);
    return out.close('}').close('}');
  }

  /** {@return the attributes of an array, with the names of its dimensions} */
  JsonOutput attributes(ZarrArray array) {
    return new ZarrAttributes(tree.file()).ofArray(array, dimensions(array));
  }

  /** Returns the names of an array's dimensions; those of a dataset that is not in the table. */
  private List<String> dimensions(ZarrArray array) {
    return tree.dimensions()
        .member(array.dataset())
        .map(member -> member.dims().stream().map(Dim::name).toList())
        .filter(names -> names.size() == array.shape().length)
        .orElseGet(() ->
            IntStream.range(0, array.shape().length)
                .mapToObj(i -> "unknown_dim_" + i + "_" + array.shape()[i])
                .toList());
  }
}
