package org.hyperslab.plugins.libhdf5.file;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * Reads access property lists of links, objects and attributes. A property that affects the access
 * to another file and cannot be honoured is refused; libhdf5's default lists are not examined.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class AccessLists {

  /** {@code H5F_ACC_DEFAULT}: the access of the file that holds the link. */
  private static final int AS_THE_FILE = 0xFFFF;

  /** The longest prefix that is read, in bytes. */
  private static final int MAX_PREFIX = 4096;

  private static final String LINK_LIMIT = "max soft links";
  private static final String APPEND_FLUSH = "append_flush";
  private static final String LINK_PREFIX = "external link prefix";
  private static final String LINK_FLAGS = "external link flags";
  private static final String LINK_CALLBACK = "external link callback";
  private static final String LINK_FILE_LIST = "external link fapl";
  private static final String FILE_PREFIX = "external file prefix";
  private static final String VIRTUAL_PREFIX = "vds_prefix";

  /** Stands for the folder of the file at the beginning of a prefix. */
  private static final String ORIGIN = "${ORIGIN}";

  private static final String VIRTUAL_VIEW = "vds_view";
  private static final String VIRTUAL_GAP = "vds_printf_gap";

  /** {@code H5D_VDS_LAST_AVAILABLE}, the default. */
  private static final int LAST_AVAILABLE = 1;

  private static final List<String> DEFAULTS =
      List.of(
          "H5P_LST_LINK_ACCESS_ID_g",
          "H5P_LST_DATASET_ACCESS_ID_g",
          "H5P_LST_GROUP_ACCESS_ID_g",
          "H5P_LST_DATATYPE_ACCESS_ID_g",
          "H5P_LST_ATTRIBUTE_ACCESS_ID_g");

  private final Hdf5Calls hdf5;

  /** The identifiers of the lists that libhdf5 keeps for H5P_DEFAULT; null until first needed. */
  private volatile long[] defaults;

  public AccessLists(Hdf5Calls hdf5) {
    this.hdf5 = hdf5;
  }

  /** Returns whether a list is {@code H5P_DEFAULT} or one that libhdf5 keeps for it. */
  public boolean isDefault(long list) {
    if (list == Hdf5Calls.DEFAULT) {
      return true;
    }
    for (long known : defaults()) {
      if (known == list) {
        return true;
      }
    }
    return false;
  }

  private long[] defaults() {
    long[] known = defaults;
    if (known == null) {
      known = DEFAULTS.stream().mapToLong(hdf5::identifier).toArray();
      defaults = known;
    }
    return known;
  }

  /** Fails if an identifier is not a list, or has a setting that cannot be honoured. */
  public void require(long list) {
    if (isDefault(list)) {
      return;
    }
    hdf5.requireList(list);
    if (has(list, APPEND_FLUSH) && hasAppendFlush(list)) {
      throw refused("H5Pset_append_flush", "none; H5Dflush may be called after H5Dset_extent");
    }
  }

  /**
   * Returns how a list follows links, if it does so in another way than the file in which the path
   * starts.
   *
   * @param list the access list
   * @param file the file in which the path starts
   */
  public Optional<LinkAccess> links(long list, OpenedFile file) {
    if (isDefault(list)) {
      return Optional.empty();
    }
    hdf5.requireList(list);
    long limit =
        has(list, LINK_LIMIT)
            ? hdf5.longOf(Hdf5Function.P_GET_LINK_LIMIT, list)
            : LinkAccess.DEFAULT_LIMIT;
    String prefix = has(list, LINK_PREFIX) ? linkPrefix(list) : null;
    int flags =
        has(list, LINK_FLAGS) ? hdf5.intOf(Hdf5Function.P_GET_LINK_FLAGS, list) : AS_THE_FILE;
    long[] callback = has(list, LINK_CALLBACK) ? callback(list) : new long[2];
    boolean fileList = has(list, LINK_FILE_LIST) && hasFileList(list, file);
    boolean usual =
        limit == LinkAccess.DEFAULT_LIMIT
            && prefix == null
            && flags == AS_THE_FILE
            && callback[0] == 0
            && !fileList;
    return usual
        ? Optional.empty()
        : Optional.of(
            new LinkAccess(
                limit,
                prefix,
                flags == AS_THE_FILE ? null : flags,
                callback[0],
                callback[1],
                fileList ? list : 0));
  }

  /** Returns the list with which a list opens the files of external links; the caller closes it. */
  public long fileList(long list) {
    return number(list, LINK_FILE_LIST);
  }

  /**
   * Returns how a list finds external files and sources of virtual datasets, where it differs from
   * the default.
   */
  public Map<String, String> files(long list) {
    if (isDefault(list)) {
      return Map.of();
    }
    Map<String, String> properties = new HashMap<>();
    putPrefix(properties, "externalFilePrefix", list, FILE_PREFIX, Hdf5Function.P_GET_FILE_PREFIX);
    putPrefix(properties, "virtualPrefix", list, VIRTUAL_PREFIX, Hdf5Function.P_GET_VIRTUAL_PREFIX);
    if (has(list, VIRTUAL_VIEW)) {
      if ((int) number(list, VIRTUAL_VIEW) != LAST_AVAILABLE) {
        properties.put("virtual.view", "first-missing");
      }
      long gap = number(list, VIRTUAL_GAP);
      if (gap != 0) {
        properties.put("virtual.gap", Long.toUnsignedString(gap));
      }
    }
    return properties;
  }

  /** Adds a prefix if one is set; for libhdf5, an empty one and a dot mean none. */
  private void putPrefix(
      Map<String, String> properties, String name, long list, String property, Hdf5Function get) {
    if (!has(list, property)) {
      return;
    }
    MemorySegment memory = hdf5.scratch();
    memory.setString(0, "");
    hdf5.checked(get, list, memory.address(), MAX_PREFIX);
    String prefix = RawMemory.text(memory.address());
    if (!prefix.isEmpty() && !prefix.equals(".")) {
      properties.put(name, prefix.startsWith(ORIGIN) ? prefix : OpenFiles.localName(prefix));
    }
  }

  /**
   * Sets the prefixes of a list as libhdf5 shows them: those of the environment take precedence,
   * and the folder of the file stands for {@code ${ORIGIN}}.
   *
   * @param list a list of a dataset, which is changed
   * @param file the name of the dataset's file
   * @return the list
   */
  public long expanded(long list, String file) {
    expand(
        list,
        System.getenv("HDF5_EXTFILE_PREFIX"),
        file,
        Hdf5Function.P_GET_FILE_PREFIX,
        Hdf5Function.P_SET_FILE_PREFIX);
    expand(
        list,
        System.getenv("HDF5_VDS_PREFIX"),
        file,
        Hdf5Function.P_GET_VIRTUAL_PREFIX,
        Hdf5Function.P_SET_VIRTUAL_PREFIX);
    return list;
  }

  private void expand(
      long list, String environment, String file, Hdf5Function get, Hdf5Function set) {
    MemorySegment memory = hdf5.scratch();
    memory.setString(0, "");
    hdf5.checked(get, list, memory.address(), MAX_PREFIX);
    String given = RawMemory.text(memory.address());
    String wanted = environment == null || environment.isEmpty() ? given : environment;
    if (wanted.startsWith(ORIGIN)) {
      String rest = wanted.substring(ORIGIN.length());
      String absolute = OpenFiles.absoluteName(file);
      wanted = absolute.substring(0, absolute.lastIndexOf('/') + 1) + rest;
    }
    if (!wanted.equals(given) && !wanted.equals(".")) {
      memory.setString(0, wanted);
      hdf5.checked(set, list, memory.address());
    }
  }

  /** Returns the number that a property of a list holds. */
  private long number(long list, String property) {
    MemorySegment memory = hdf5.scratch();
    memory.setString(8, property);
    RawMemory.setLong(memory.address(), 0);
    hdf5.checked(Hdf5Function.P_GET, list, memory.address() + 8, memory.address());
    return RawMemory.getLong(memory.address());
  }

  /** Returns whether a list has a property, which depends on its class. */
  private boolean has(long list, String property) {
    MemorySegment memory = hdf5.scratch();
    memory.setString(0, property);
    return hdf5.status(Hdf5Function.P_EXIST, list, memory.address()) > 0;
  }

  private boolean hasAppendFlush(long list) {
    long out = hdf5.scratch().address();
    long boundary = out + 16;
    RawMemory.setLong(out, 0);
    hdf5.checked(Hdf5Function.P_GET_APPEND_FLUSH, list, Dataspace.MAX_RANK, boundary, out, out + 8);
    boolean any = RawMemory.getLong(out) != 0;
    for (int i = 0; i < Dataspace.MAX_RANK; i++) {
      any |= RawMemory.getLong(boundary + 8L * i) != 0;
    }
    return any;
  }

  /** Returns the function that is called before an external link is followed, and its argument. */
  private long[] callback(long list) {
    long out = hdf5.scratch().address();
    RawMemory.setLong(out, 0);
    RawMemory.setLong(out + 8, 0);
    hdf5.checked(Hdf5Function.P_GET_LINK_CALLBACK, list, out, out + 8);
    return new long[] {RawMemory.getLong(out), RawMemory.getLong(out + 8)};
  }

  /** Returns the folder in which the files of external links are looked for first; null if none. */
  private String linkPrefix(long list) {
    MemorySegment memory = hdf5.scratch();
    memory.setString(0, "");
    hdf5.checked(Hdf5Function.P_GET_LINK_PREFIX, list, memory.address(), MAX_PREFIX);
    String prefix = RawMemory.text(memory.address());
    return prefix.isEmpty() ? null : prefix;
  }

  /**
   * Returns whether files of external links are opened with another list than the default one and
   * that of the file which holds the link.
   */
  private boolean hasFileList(long list, OpenedFile file) {
    long given = fileList(list);
    if (given <= 0) {
      return false;
    }
    boolean same =
        equal(given, hdf5.known("H5P_LST_FILE_ACCESS_ID_g"))
            || equal(given, file.settings().accessList());
    hdf5.call(Hdf5Function.P_CLOSE, given);
    return !same;
  }

  private boolean equal(long list, long other) {
    return other > 0 && hdf5.status(Hdf5Function.P_EQUAL, list, other) > 0;
  }

  private static UnsupportedFeatureException refused(String call, String expected) {
    return new UnsupportedFeatureException(
        "access property list: actual=" + call + ", expected=" + expected);
  }
}
