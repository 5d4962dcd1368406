package org.hyperslab.format.store;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Opens remote files: resources of web servers ({@code http://}, {@code https://}) for reading, and
 * objects in buckets ({@code s3://BUCKET/KEY}), which can also be created as a whole.
 *
 * <p>Properties for S3, each of which may also come from the places that AWS's tools use
 * (environment variables, {@code ~/.aws/credentials}, {@code ~/.aws/config}): {@code s3.endpoint}
 * (the URI of a server other than Amazon's), {@code s3.region}, {@code s3.profile}; {@code
 * s3.anonymous=true} omits signatures. {@code remote.cacheBytes} bounds the cache of an open file
 * (default 64 MiB), {@code remote.idleMillis} the time in which the server may send nothing
 * (default 60,000).
 *
 * <p>Thread rule: no state.
 */
public final class RemoteStores {

  private static final String CACHE_BYTES = "remote.cacheBytes";
  private static final String IDLE_MILLIS = "remote.idleMillis";
  private static final int LAST_PORT = 65_535;
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
    int pages = cachePages(properties);
    if (!isS3(name)) {
      return new HttpRangeStore(uri(name), RequestSigner.NONE, pages, idleMillis(properties));
    }
    S3Settings settings = settings(properties);
    return new HttpRangeStore(
        settings.uri(S3Address.parse(name)), signer(settings), pages, idleMillis(properties));
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
          "create: actual=" + name + ", expected=a local file or s3://BUCKET/KEY");
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
          "delete: actual=" + name + ", expected=a local file or s3://BUCKET/KEY");
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
    return new S3Object(address, settings.uri(address), signer(settings));
  }

  private static S3Settings settings(Map<String, String> properties) {
    return S3Settings.find(properties, System.getenv(), Path.of(System.getProperty("user.home")));
  }

  private static RequestSigner signer(S3Settings settings) {
    return settings
        .credentials()
        .<RequestSigner>map(who -> new S3Signer(who, settings.region(), Clock.systemUTC()))
        .orElse(RequestSigner.NONE);
  }

  private static URI uri(String name) {
    try {
      URI uri = URI.create(name);
      if (uri.getHost() != null && uri.getPort() <= LAST_PORT) {
        return uri;
      }
    } catch (IllegalArgumentException notAUri) {
      // Reported below.
    }
    throw new InvalidUseException(
        "file: actual="
            + name
            + ", expected=a URI with a host and no port above 65535, with blanks and other special "
            + "characters escaped, such as %20");
  }

  private static long idleMillis(Map<String, String> properties) {
    String millis = properties.getOrDefault(IDLE_MILLIS, "60000");
    if (!millis.matches("[1-9][0-9]{0,8}")) {
      throw new InvalidUseException(
          IDLE_MILLIS + ": actual=" + millis + ", expected=milliseconds from 1 to 999999999");
    }
    return Long.parseLong(millis);
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
