package org.hyperslab.format.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Opens remote files: resources of web servers ({@code http://}, {@code https://}) for reading, and
 * objects in buckets ({@code s3://BUCKET/KEY}), which can also be created as a whole. The {@link
 * RemoteStoreProvider} of the module {@code org.hyperslab.remote} does so and describes the
 * properties; without it, everything but {@link #isRemote} and {@link #shown} fails with {@link
 * UnsupportedFeatureException}.
 *
 * <p>Thread rule: no state.
 */
public final class RemoteStores {

  /** The provider of this project, for programs that were merged into one jar. */
  private static final String KNOWN = "org.hyperslab.remote.HttpStores";

  /** Loaded when the first remote file is opened. */
  private static final class Found {
    static final Optional<RemoteStoreProvider> PROVIDER =
        ServiceLoader.load(RemoteStoreProvider.class, RemoteStores.class.getClassLoader())
            .findFirst()
            .or(Found::known);

    private static Optional<RemoteStoreProvider> known() {
      try {
        Class<?> found = Class.forName(KNOWN, true, RemoteStores.class.getClassLoader());
        return Optional.of((RemoteStoreProvider) found.getConstructor().newInstance());
      } catch (ReflectiveOperationException | LinkageError absent) {
        return Optional.empty();
      }
    }
  }

  private RemoteStores() {}

  private static RemoteStoreProvider provider(String name) {
    return Found.PROVIDER.orElseThrow(() ->
        new UnsupportedFeatureException(
            "file: actual="
                + shown(name)
                + ", a remote one, expected=a file of this machine; for others add "
                + "org.hyperslab:hyperslab-remote to the class path or module path"));
  }

  /**
   * Checks whether a name denotes a remote resource.
   *
   * @param name a path or URI
   * @return whether its scheme is http, https or s3
   */
  public static boolean isRemote(String name) {
    return name.startsWith("s3://") || name.startsWith("http://") || name.startsWith("https://");
  }

  /**
   * Opens a remote file for reading.
   *
   * @param name the file's URI
   * @param properties the properties of the opening
   * @return the file's bytes, which are fetched when they are read
   * @throws NotFoundException if the server has no such resource
   * @throws org.hyperslab.error.StorageException if the server cannot be reached, refuses, or does
   *     not serve ranges
   * @throws InvalidUseException if the name or a property is malformed
   */
  public static ByteStore open(String name, Map<String, String> properties) {
    return provider(name).open(name, properties);
  }

  /**
   * Returns a name for people to read: that of a resource of a web server without the user,
   * password and query in it, which may be secrets; other names as they are.
   *
   * @param name a path or URI, which need not be well formed
   * @return the name to show
   */
  public static String shown(String name) {
    return RemoteName.shown(name);
  }

  /**
   * A file or folder of a listing.
   *
   * @param name its name below the listed folder; of a folder, with a slash at the end
   * @param folder whether it is a folder
   * @param bytes the length of a file in bytes; -1 if the listing does not state it
   */
  public record Entry(String name, boolean folder, long bytes) {}

  /**
   * The content of a folder.
   *
   * @param entries the files and folders, in the order of the server or of their names
   * @param complete whether there are no others
   */
  public record Listing(List<Entry> entries, boolean complete) {

    /** Copies the list. */
    public Listing {
      entries = List.copyOf(entries);
    }
  }

  /**
   * Lists the objects of a bucket whose keys begin with a prefix, or the files of a web server to
   * which the page of a folder links.
   *
   * @param name {@code s3://BUCKET/}, {@code s3://BUCKET/PREFIX/} or the address of a folder; a
   *     slash at its end may be missing
   * @param properties the properties of an opening
   * @param recursive whether the files in folders below are listed, too
   * @param most the greatest number of entries
   * @return the content
   * @throws NotFoundException if there is no such bucket or folder; in a bucket, a folder without
   *     objects is empty
   * @throws org.hyperslab.error.StorageException if the server cannot be reached, refuses, or does
   *     not list the folder
   */
  public static Listing list(
      String name, Map<String, String> properties, boolean recursive, int most) {
    return provider(name).list(name, properties, recursive, most);
  }

  /**
   * Creates an object in a bucket. Its bytes are kept in a temporary file and sent when they are
   * {@linkplain ByteStore#complete complete}; before that, and if they never are, the bucket is
   * unchanged.
   *
   * @param name {@code s3://BUCKET/KEY}
   * @param properties the properties of the opening
   * @param exclusive whether an existing object is an error; an object that is created while the
   *     file is written is replaced
   * @return the empty store
   * @throws org.hyperslab.error.AlreadyExistsException if the object exists and {@code exclusive}
   *     is true
   * @throws UnsupportedFeatureException if the name is that of a web server's resource
   */
  public static ByteStore create(String name, Map<String, String> properties, boolean exclusive) {
    return provider(name).create(name, properties, exclusive);
  }

  /**
   * Deletes an object of a bucket.
   *
   * @param name {@code s3://BUCKET/KEY}
   * @param properties the properties of the opening
   * @throws NotFoundException if no object has that name
   * @throws UnsupportedFeatureException if the name is that of a web server's resource
   */
  public static void delete(String name, Map<String, String> properties) {
    provider(name).delete(name, properties);
  }
}
