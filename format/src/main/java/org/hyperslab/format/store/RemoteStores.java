package org.hyperslab.format.store;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Opens remote files: resources of web servers ({@code http://}, {@code https://}) for reading, and
 * objects in buckets ({@code s3://BUCKET/KEY}), which can also be created as a whole.
 *
 * <p>Properties of web servers: {@code http.user} and {@code http.password}, {@code http.bearer},
 * {@code http.headers} (lines {@code Name: value}), which are sent to the named server only. A name
 * may have the first two as {@code https://user:password@host/path}, in percent encoding; no
 * message and no {@link ByteStore#name} contains them.
 *
 * <p>Properties for S3, each of which may also come from the places that AWS's tools use
 * (environment variables, {@code ~/.aws/credentials}, {@code ~/.aws/config}): {@code s3.endpoint}
 * (the URI of a server other than Amazon's), {@code s3.region}, {@code s3.profile}; {@code
 * s3.anonymous=true} omits signatures, {@code s3.requesterPays=true} has the sender pay.
 *
 * <p>{@code remote.cacheBytes} bounds the cache of an open file (default 64 MiB). In milliseconds,
 * {@code remote.idleMillis} bounds the time in which the server may send nothing (default 60,000),
 * {@code remote.requestMillis} that of one request (300,000), {@code remote.totalMillis} that of
 * one request with its repetitions (900,000), of which there are {@code remote.attempts} (5).
 *
 * <p>Thread rule: no state.
 */
public final class RemoteStores {

  private static final String CACHE_BYTES = "remote.cacheBytes";
  private static final long DEFAULT_CACHE_BYTES = 64L << 20;

  private RemoteStores() {}

  /**
   * Checks whether a name denotes a remote resource.
   *
   * @param name a path or URI
   * @return whether its scheme is http, https or s3
   */
  public static boolean isRemote(String name) {
    return isS3(name) || name.startsWith("http://") || name.startsWith("https://");
  }

  private static boolean isS3(String name) {
    return name.startsWith(S3Address.SCHEME);
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
    return open(name, properties, Surroundings.REAL);
  }

  static ByteStore open(String name, Map<String, String> properties, Surroundings surroundings) {
    int pages = cachePages(properties);
    Patience patience = Patience.of(properties);
    if (isS3(name)) {
      S3Settings settings = settings(properties);
      RemoteClient client = new RemoteClient(signer(settings), patience, surroundings);
      return new HttpRangeStore(
          settings.uri(S3Address.parse(name)), name, client, pages, surroundings);
    }
    WebAddress address = WebAddress.parse(name);
    RequestSigner signer = WebCredentials.of(address, properties);
    RemoteClient client = new RemoteClient(signer, patience, surroundings);
    return new HttpRangeStore(address.uri(), address.toString(), client, pages, surroundings);
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
   * @param bytes the length of a file in bytes; -1 if the listing does not tell it
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
    Patience patience = Patience.of(properties);
    if (isS3(name)) {
      S3Settings settings = settings(properties);
      S3Folder folder = S3Folder.parse(name);
      try (RemoteClient client = new RemoteClient(signer(settings), patience, Surroundings.REAL)) {
        return new BucketListing(folder, settings, client).list(recursive, most);
      }
    }
    WebAddress address = WebAddress.parse(name);
    RequestSigner signer = WebCredentials.of(address, properties);
    try (RemoteClient client = new RemoteClient(signer, patience, Surroundings.REAL)) {
      return new PageListing(address, client).list(recursive, most);
    }
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
   * @throws AlreadyExistsException if the object exists and {@code exclusive} is true
   * @throws UnsupportedFeatureException if the name is that of a web server's resource
   */
  public static ByteStore create(String name, Map<String, String> properties, boolean exclusive) {
    if (!isS3(name)) {
      throw new UnsupportedFeatureException(
          "create: actual=" + shown(name) + ", expected=a local file or s3://BUCKET/KEY");
    }
    S3Object object = object(name, properties);
    if (exclusive && object.exists()) {
      object.close();
      throw new AlreadyExistsException("create: actual=exists, expected=none, at=" + name);
    }
    return UploadStore.create(object);
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
    if (!isS3(name)) {
      throw new UnsupportedFeatureException(
          "delete: actual=" + shown(name) + ", expected=a local file or s3://BUCKET/KEY");
    }
    try (S3Object object = object(name, properties)) {
      if (!object.exists()) {
        throw new NotFoundException("delete: actual=no such object, expected=object, at=" + name);
      }
      object.delete();
    }
  }

  private static S3Object object(String name, Map<String, String> properties) {
    S3Settings settings = settings(properties);
    S3Address address = S3Address.parse(name);
    RemoteClient client =
        new RemoteClient(signer(settings), Patience.of(properties), Surroundings.REAL);
    return new S3Object(address, settings.uri(address), client);
  }

  private static S3Settings settings(Map<String, String> properties) {
    return S3Settings.find(properties, System.getenv(), Path.of(System.getProperty("user.home")));
  }

  private static RequestSigner signer(S3Settings settings) {
    return settings
        .credentials()
        .<RequestSigner>map(who ->
            new S3Signer(who, settings.region(), Clock.systemUTC(), settings.requesterPays()))
        .orElse(RequestSigner.NONE);
  }

  private static int cachePages(Map<String, String> properties) {
    String bytes = properties.getOrDefault(CACHE_BYTES, Long.toString(DEFAULT_CACHE_BYTES));
    try {
      long pages = Long.parseLong(bytes) / HttpRangeStore.PAGE_BYTES;
      return Math.toIntExact(Math.max(1, pages));
    } catch (NumberFormatException | ArithmeticException wrong) {
      throw new InvalidUseException(
          CACHE_BYTES + ": actual=" + bytes + ", expected=a number of bytes below 128 TiB", wrong);
    }
  }
}
