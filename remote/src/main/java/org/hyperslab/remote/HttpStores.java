package org.hyperslab.remote;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.RemoteStoreProvider;
import org.hyperslab.format.store.RemoteStores;

/**
 * The stores of remote files: resources of web servers ({@code http://}, {@code https://}) for
 * reading, and objects in buckets ({@code s3://BUCKET/KEY}), which can also be created as a whole.
 *
 * <p>Properties of web servers: {@code http.user} and {@code http.password}, {@code http.bearer},
 * {@code http.headers} (lines {@code Name: value}), which are sent to the named server only. A name
 * may have the first two as {@code https://user:password@host/path}, in percent encoding; no
 * message and no {@link ByteStore#name} contains them. Without any, the login of the server in
 * {@code ~/.netrc} is sent, unless {@code http.netrc} is {@code false}.
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
public final class HttpStores implements RemoteStoreProvider {

  private static final String CACHE_BYTES = "remote.cacheBytes";
  private static final long DEFAULT_CACHE_BYTES = 64L << 20;

  /** Creates the provider; called by {@link java.util.ServiceLoader}. */
  public HttpStores() {}

  private static boolean isS3(String name) {
    return name.startsWith(S3Address.SCHEME);
  }

  @Override
  public ByteStore open(String name, Map<String, String> properties) {
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

  @Override
  public RemoteStores.Listing list(
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

  @Override
  public ByteStore create(String name, Map<String, String> properties, boolean exclusive) {
    if (!isS3(name)) {
      throw new UnsupportedFeatureException(
          "create: actual="
              + RemoteStores.shown(name)
              + ", expected=a local file or s3://BUCKET/KEY");
    }
    S3Object object = object(name, properties);
    if (exclusive && object.exists()) {
      object.close();
      throw new AlreadyExistsException("create: actual=exists, expected=none, at=" + name);
    }
    return UploadStore.create(object);
  }

  @Override
  public void delete(String name, Map<String, String> properties) {
    if (!isS3(name)) {
      throw new UnsupportedFeatureException(
          "delete: actual="
              + RemoteStores.shown(name)
              + ", expected=a local file or s3://BUCKET/KEY");
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
