package org.hyperslab.tools.listing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.tools.command.Streams;

/** Prints the files and folders of a bucket or of a folder on a web server. */
final class FolderListing {

  /** The greatest number of lines; a bucket may have any number of objects. */
  static final int MOST = 100_000;

  private static final int NAME_COLUMNS = 24;
  private static final String UNRESERVED = "-._~";

  private final Streams streams;
  private final ListingOptions options;

  FolderListing(Streams streams, ListingOptions options) {
    this.streams = streams;
    this.options = options;
  }

  /**
   * Lists a folder.
   *
   * @param name its name, which ends with a slash or is that of a bucket
   * @param properties the properties with which files are opened
   * @return whether it is a folder: one in a bucket exists if it has objects
   */
  boolean list(String name, Map<String, String> properties) {
    RemoteStores.Listing listing = RemoteStores.list(name, properties, options.recursive, MOST);
    boolean bucket = name.indexOf('/', "s3://".length()) < 0 || name.matches("s3://[^/]+/");
    if (listing.entries().isEmpty() && name.startsWith("s3://") && !bucket) {
      return false;
    }
    String prefix = RemoteStores.shown(name.endsWith("/") ? name : name + "/");
    listing.entries().forEach(entry -> print(prefix, entry));
    if (!listing.complete()) {
      streams
          .err()
          .println("ls: " + prefix + ": there are more than the first " + listing.entries().size());
    }
    return true;
  }

  private void print(String prefix, RemoteStores.Entry entry) {
    StringBuilder line = new StringBuilder();
    if (options.fullNames || options.showFile) {
      boolean key = prefix.startsWith("s3://");
      Escapes.append(line, prefix + (key ? entry.name() : escaped(entry.name())), true);
    } else {
      Escapes.append(line, entry.name(), true);
    }
    while (line.length() < NAME_COLUMNS) {
      line.append(' ');
    }
    line.append(entry.folder() ? " Folder" : " File");
    if (entry.bytes() >= 0 && !entry.folder()) {
      line.append(" {").append(entry.bytes()).append(" bytes}");
    }
    streams.out().println(line);
  }

  /** Returns a name as part of an address, as it must be written to open it. */
  private static String escaped(String name) {
    return Arrays.stream(name.split("/", -1))
        .map(FolderListing::escapedSegment)
        .collect(Collectors.joining("/"));
  }

  private static String escapedSegment(String text) {
    StringBuilder out = new StringBuilder();
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (one & 0xFF);
      boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0);
      out.append(plain ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return out.toString();
  }
}
