package org.hyperslab.remote;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.RemoteStores;

/**
 * Lists the objects of a bucket whose keys begin with a prefix, page by page.
 *
 * <p>Source: Amazon S3 API Reference: ListObjectsV2.
 *
 * <p>Thread rule: no state.
 */
final class BucketListing {

  private static final int PAGE_ENTRIES = 1000;

  /** A page of the longest keys has about 3 MB. */
  private static final int PAGE_BYTES = 8 << 20;

  private final S3Folder folder;
  private final S3Settings settings;
  private final RemoteClient client;

  BucketListing(S3Folder folder, S3Settings settings, RemoteClient client) {
    this.folder = folder;
    this.settings = settings;
    this.client = client;
  }

  /**
   * Lists a folder.
   *
   * @param recursive whether the objects of folders in it are listed in place of the folders
   * @param most the greatest number of entries
   * @throws NotFoundException if there is no such bucket
   * @throws StorageException if the server refuses, or answers something else
   */
  RemoteStores.Listing list(boolean recursive, int most) {
    List<RemoteStores.Entry> entries = new ArrayList<>();
    Optional<String> token = Optional.empty();
    do {
      S3Page page = page(token, recursive);
      for (RemoteStores.Entry entry : page.entries()) {
        if (entries.size() == most) {
          return new RemoteStores.Listing(entries, false);
        }
        relative(entry).ifPresent(entries::add);
      }
      // A page without progress could be followed by others for ever.
      boolean stuck =
          page.next().isPresent() && (page.entries().isEmpty() || page.next().equals(token));
      if (stuck) {
        throw refused("a page that leads nowhere");
      }
      token = page.next();
    } while (token.isPresent());
    return new RemoteStores.Listing(entries, true);
  }

  /** Returns an entry with its name below the folder; empty for the folder's own object. */
  private Optional<RemoteStores.Entry> relative(RemoteStores.Entry entry) {
    if (!entry.name().startsWith(folder.prefix())) {
      throw refused("a key that does not begin with the prefix");
    }
    String name = entry.name().substring(folder.prefix().length());
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(new RemoteStores.Entry(name, entry.folder(), entry.bytes()));
  }

  private S3Page page(Optional<String> token, boolean recursive) {
    // In the order in which they are signed.
    Map<String, String> query = new LinkedHashMap<>();
    token.ifPresent(text -> query.put("continuation-token", text));
    if (!recursive) {
      query.put("delimiter", "/");
    }
    query.put("encoding-type", "url");
    query.put("list-type", "2");
    query.put("max-keys", Integer.toString(PAGE_ENTRIES));
    query.put("prefix", folder.prefix());
    String text =
        query.entrySet().stream()
            .map(each -> each.getKey() + "=" + S3Address.encoded(each.getValue()))
            .collect(Collectors.joining("&"));
    URI uri = URI.create(settings.bucketUri(folder.bucket()) + "?" + text);
    RemoteClient.Request request =
        RemoteClient.Request.reading("GET", uri, Map.of(), 200, PAGE_BYTES);
    RemoteClient.Reply reply = client.send(request, "list", folder.toString(), client.deadline());
    if (reply.status() == 404) {
      throw new NotFoundException(
          "bucket not found: actual=" + reply.statusText() + ", expected=a bucket, at=" + folder);
    }
    if (reply.status() != 200) {
      throw refused(
          reply.statusText()
              + (reply.status() == 403 ? "; the credentials may not list this bucket" : ""));
    }
    return S3Page.parse(reply.body(), folder.toString());
  }

  private StorageException refused(String actual) {
    return new StorageException(
        "list failed: actual=" + actual + ", expected=a list of objects, at=" + folder);
  }
}
