package org.hyperslab.tools.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.hyperslab.format.store.RemoteStores;

/** Distinguishes URIs from names of files of this machine. */
public final class UriNames {

  /** A scheme has at least two letters, so that a drive letter is not taken for one. */
  private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

  private static final Pattern BUCKET = Pattern.compile("s3://[^/]+");
  private static final Pattern USER = Pattern.compile("(?i)^(https?://)[^/?#]*@");

  private UriNames() {}

  /**
   * {@return whether a name on a web server or in a bucket is that of a folder: it ends with a
   * slash, or is that of a whole bucket}
   *
   * @param name the name
   */
  public static boolean isFolder(String name) {
    return RemoteStores.isRemote(name) && (name.endsWith("/") || BUCKET.matcher(name).matches());
  }

  /**
   * {@return an address without the user and password in it; other names as they are}
   *
   * @param name the name
   */
  public static String withoutUser(String name) {
    return USER.matcher(name).replaceFirst("$1");
  }

  /**
   * {@return whether a name is a URI, which a connector opens, and not a file of this machine}
   *
   * @param name the name
   */
  public static boolean isFar(String name) {
    return URI.matcher(name).matches() && !name.startsWith("file:") && !Files.exists(Path.of(name));
  }
}
