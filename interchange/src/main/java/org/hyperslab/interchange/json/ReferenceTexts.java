package org.hyperslab.interchange.json;

import java.util.HashMap;
import java.util.Map;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.ObjectToken;

/**
 * Writes references as text: the path of an object, and of what the region or attribute of a
 * reference belongs to. An object that no path leads to has its address instead.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class ReferenceTexts {

  /** The maximum number of objects whose paths are searched; each search may traverse the file. */
  private static final int MAX_PATHS = 16;

  private final H5File file;
  private final Map<Long, String> paths = new HashMap<>();

  /**
   * Creates a writer for references of one file.
   *
   * @param file the file in which references are resolved
   */
  public ReferenceTexts(H5File file) {
    this.file = file;
  }

  /**
   * Returns a reference as text.
   *
   * @param reference the reference; null if it was never written
   * @return the text, which is empty if the reference leads to nothing
   */
  public String of(Reference reference) {
    return switch (reference) {
      case null -> "";
      case Reference.ToObject to -> path(to.token());
      case Reference.ToRegion to -> "region of " + path(to.token());
      case Reference.ToAttribute to -> "attribute " + to.name() + " of " + path(to.token());
      case Reference.External to -> "object of " + to.file();
    };
  }

  private String path(long address) {
    String known = paths.get(address);
    if (known != null || address == 0) {
      return address == 0 ? "" : known;
    }
    String path = "object at " + address;
    if (paths.size() < MAX_PATHS) {
      try {
        path = file.pathOf(new ObjectToken(address)).orElse(path);
      } catch (HyperslabException leadsNowhere) {
        // the address is all that is known
      }
    }
    paths.put(address, path);
    return path;
  }
}
