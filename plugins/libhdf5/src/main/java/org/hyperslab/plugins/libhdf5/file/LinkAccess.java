package org.hyperslab.plugins.libhdf5.file;

/**
 * How the links of a path are followed, if an access property list says otherwise than the file in
 * which the path starts.
 *
 * @param limit the number of soft and external links that are followed in one path
 * @param prefix the folder in which the files of external links are looked for first; null if none
 * @param flags the flags with which they are opened; null for those of the file with the link
 * @param callback the address of the program's function that is called before; 0 if none
 * @param context the argument of that function
 * @param list the link access list that has the list with which they are opened; 0 if they are
 *     opened with that of the file with the link
 */
public record LinkAccess(
    long limit, String prefix, Integer flags, long callback, long context, long list) {

  /** The number of links that are followed by default, and by connectors. */
  public static final int DEFAULT_LIMIT = 16;

  /** Follows links as connectors do. */
  public static final LinkAccess USUAL = new LinkAccess(DEFAULT_LIMIT, null, null, 0, 0, 0);
}
