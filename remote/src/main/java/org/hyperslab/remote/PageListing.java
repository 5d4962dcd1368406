package org.hyperslab.remote;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.RemoteStores;

/**
 * Lists a folder of a web server by the links of the page that the server makes of it. Only links
 * to what is directly below the folder count.
 *
 * <p>Thread rule: one thread at a time.
 */
final class PageListing {

  private static final int PAGE_BYTES = 8 << 20;
  private static final int MOST_PAGES = 1000;
  private static final int MOST_DEPTH = 32;
  private static final Pattern LINK =
      Pattern.compile(
          "<a\\s(?:[^<>]{0,1000}?\\s)?href\\s{0,10}=\\s{0,10}"
              + "(?:\"([^\"<>]{1,4000})\"|'([^'<>]{1,4000})'|([^\\s\"'<>]{1,4000}))",
          Pattern.CASE_INSENSITIVE);

  private final String name;
  private final RemoteClient client;
  private final Deque<Folder> waiting = new ArrayDeque<>();
  private final List<RemoteStores.Entry> entries = new ArrayList<>();

  /** A folder that is still to be listed, by its name below the first one. */
  private record Folder(URI uri, String name, int depth) {}

  PageListing(WebAddress address, RemoteClient client) {
    this.name = address.toString();
    this.client = client;
    URI uri = address.uri();
    boolean ends = uri.getRawPath() != null && uri.getRawPath().endsWith("/");
    waiting.add(new Folder(ends ? uri : URI.create(uri + "/"), "", 0));
  }

  /**
   * Lists the folder.
   *
   * @param recursive whether the folders below it are listed, too
   * @param most the greatest number of entries
   * @throws NotFoundException if there is no such folder
   * @throws StorageException if the server does not list it
   */
  RemoteStores.Listing list(boolean recursive, int most) {
    for (int pages = 0; !waiting.isEmpty(); pages++) {
      if (pages == MOST_PAGES) {
        return new RemoteStores.Listing(entries, false);
      }
      Folder folder = waiting.remove();
      for (Map.Entry<String, URI> link : links(folder).entrySet()) {
        if (entries.size() == most) {
          return new RemoteStores.Listing(entries, false);
        }
        String path = folder.name + link.getKey();
        boolean isFolder = path.endsWith("/");
        entries.add(new RemoteStores.Entry(path, isFolder, -1));
        if (isFolder && recursive && folder.depth < MOST_DEPTH) {
          waiting.add(new Folder(link.getValue(), path, folder.depth + 1));
        }
      }
    }
    return new RemoteStores.Listing(entries, true);
  }

  /** Returns the links of a folder's page to what is directly below it, by name. */
  private Map<String, URI> links(Folder folder) {
    Map<String, String> headers = Map.of("Accept", "text/html");
    RemoteClient.Request request =
        RemoteClient.Request.reading("GET", folder.uri, headers, 200, PAGE_BYTES);
    RemoteClient.Reply reply = client.send(request, "list", name, client.deadline());
    if (reply.status() == 404 || reply.status() == 410) {
      throw new NotFoundException(
          "folder not found: actual="
              + reply.statusText()
              + ", expected=a folder with this address, at="
              + name
              + folder.name);
    }
    String type = reply.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    if (reply.status() != 200 || !type.contains("html")) {
      throw new StorageException(
          "list failed: actual="
              + (reply.status() == 200 ? "content of type " + type : reply.statusText())
              + ", expected=a page of links to the files of the folder, at="
              + name
              + folder.name);
    }
    Map<String, URI> links = new TreeMap<>();
    Matcher matcher = LINK.matcher(reply.text());
    while (matcher.find()) {
      add(links, reply.uri(), target(matcher));
    }
    return links;
  }

  private static String target(Matcher link) {
    String target = link.group(1) != null ? link.group(1) : link.group(2);
    return (target != null ? target : link.group(3))
        .replace("&#39;", "'")
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
  }

  private static void add(Map<String, URI> links, URI page, String target) {
    try {
      URI uri = page.resolve(target).normalize();
      String base = page.getRawPath();
      String path = uri.getRawPath();
      boolean below =
          uri.getHost() != null
              && WebAddress.isSameServer(uri, page)
              && uri.getRawUserInfo() == null
              && uri.getRawQuery() == null
              && path.startsWith(base)
              && base.endsWith("/");
      String rest = below ? path.substring(base.length()) : "";
      int slash = rest.indexOf('/');
      if (!rest.isEmpty() && (slash < 0 || slash == rest.length() - 1)) {
        links.put(URLDecoder.decode(rest.replace("+", "%2B"), StandardCharsets.UTF_8), uri);
      }
    } catch (IllegalArgumentException notAUri) {
      // A page may have any links; this one leads to no file.
    }
  }
}
