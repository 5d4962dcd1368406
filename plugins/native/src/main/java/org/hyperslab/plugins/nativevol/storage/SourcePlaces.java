package org.hyperslab.plugins.nativevol.storage;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.nativevol.file.NamedFiles;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/**
 * Where the other files that hold elements of a dataset are searched for: the properties of its
 * file, and those of the dataset, which take precedence.
 *
 * <p>Thread rule: immutable.
 *
 * @param file the file of the dataset
 * @param properties the properties of the dataset
 */
public record SourcePlaces(NativeFile file, Map<String, String> properties) {

  /** The property of a file or dataset that says where files of external storage are. */
  public static final String EXTERNAL_PREFIX = "externalFilePrefix";

  /** The property of a file or dataset that says where sources of virtual datasets are. */
  public static final String VIRTUAL_PREFIX = "virtualPrefix";

  private static final String EXTERNAL_VARIABLE = "HDF5_EXTFILE_PREFIX";
  private static final String VIRTUAL_VARIABLE = "HDF5_VDS_PREFIX";

  private static final Set<String> NAMES =
      Set.of(EXTERNAL_PREFIX, VIRTUAL_PREFIX, VirtualView.VIEW, VirtualView.GAP);

  /**
   * Requires that a dataset can have the properties.
   *
   * @param properties the properties of the dataset
   */
  public static void require(Map<String, String> properties) {
    for (String name : properties.keySet()) {
      if (!NAMES.contains(name)) {
        throw new InvalidUseException(
            "property of a dataset: actual=" + name + ", expected=one of " + NAMES);
      }
    }
    VirtualView.of(properties);
  }

  /** {@return the rule for the extent of a virtual dataset} */
  public VirtualView view() {
    Map<String, String> all = new HashMap<>(file.options().properties());
    all.putAll(properties);
    return VirtualView.of(all);
  }

  /**
   * {@return the places where the source of a virtual dataset may be, in order of preference; none
   * if all are outside the folder to which the file is confined}
   *
   * @param name the file's name, as stored
   */
  public List<Path> ofSource(String name) {
    String own = properties.get(VIRTUAL_PREFIX);
    return NamedFiles.reachable(
        file, name, VIRTUAL_VARIABLE, own != null ? own : given(VIRTUAL_PREFIX));
  }

  /**
   * Returns the places where an external file may be, in order of preference. With a prefix of the
   * dataset it is nowhere else.
   */
  List<Path> ofExternal(String name) {
    String own = properties.get(EXTERNAL_PREFIX);
    return own == null
        ? NamedFiles.places(file, name, EXTERNAL_VARIABLE, given(EXTERNAL_PREFIX))
        : NamedFiles.placesAt(file, name, EXTERNAL_VARIABLE, own);
  }

  private String given(String property) {
    return file.options().properties().get(property);
  }
}
