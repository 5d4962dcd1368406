package org.hyperslab.web;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.web.files.FileNames;
import org.hyperslab.web.files.ServedFiles;
import org.hyperslab.web.grove.GroveApi;
import org.hyperslab.web.http.HandlerSlot;
import org.hyperslab.web.http.HttpServer;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.options.WebOptions;
import org.hyperslab.web.request.ErrorReplies;
import org.hyperslab.web.request.RequestGuard;
import org.hyperslab.web.request.WebReply;
import org.hyperslab.web.request.WebRequest;
import org.hyperslab.web.zarr.ZarrView;

/**
 * Shows HDF5 files in a browser: serves h5web's page, h5grove's API, by which the page and other
 * programs read, and the files as stores of Zarr. Files are opened for reading, without locks, and
 * never changed.
 *
 * <p>Thread rule: any thread.
 */
public final class WebServer implements AutoCloseable {

  private final ServedFiles files;
  private final HttpServer http;
  private final RequestGuard guard;

  private WebServer(FileNames names, WebOptions options) {
    this.files = new ServedFiles(names, options);
    this.http = HttpServer.listen(options.listen(), options.limits());
    this.guard = guard(options);
    GroveApi grove = new GroveApi(files, options.mostBytes());
    ZarrView zarr = new ZarrView(files);
    http.answer(
        new HandlerSlot.Handler() {
          @Override
          public WebReply answer(WebRequest request, RequestBudget budget) {
            return guard
                .check(request)
                .orElseGet(() -> WebServer.answer(grove, zarr, request, budget));
          }

          @Override
          public WebReply failed(Throwable failure) {
            return ErrorReplies.reply(failure, names);
          }
        });
  }

  /**
   * Shows a file, or the files below a folder, of this machine. Files, and the files to which they
   * refer, are only opened within that folder, or the folder of the file.
   *
   * @param path the file or the folder
   * @param options the address, the clients and the limits
   * @return the server, which the caller closes
   * @throws org.hyperslab.error.NotFoundException if there is none
   * @throws org.hyperslab.error.StorageException if the address cannot be listened on
   */
  public static WebServer show(Path path, WebOptions options) {
    return new WebServer(FileNames.of(path), options);
  }

  /**
   * Shows a file that a connector opens, such as one of a staging server.
   *
   * @param name its path or URI, as the options' opener takes it
   * @param options the address, the clients and the limits
   * @return the server, which the caller closes
   * @throws org.hyperslab.error.StorageException if the address cannot be listened on
   */
  public static WebServer showOpened(String name, WebOptions options) {
    return new WebServer(FileNames.opened(name), options);
  }

  private RequestGuard guard(WebOptions options) {
    int port = address().getPort();
    Set<String> hosts = new HashSet<>(options.hostNames());
    InetAddress own = address().getAddress();
    for (String name : List.of("127.0.0.1", "localhost", "[::1]", InetAddresses.toUriString(own))) {
      hosts.add(name + ":" + port);
    }
    return switch (options.access()) {
      case WebOptions.Access.OneBrowser _ -> RequestGuard.ofLink(hosts, port);
      case WebOptions.Access.Token t ->
          RequestGuard.ofToken(hosts, port, t.token().orElseGet(RequestGuard::randomToken));
      case WebOptions.Access.Everybody _ -> RequestGuard.ofNobody(hosts, port);
    };
  }

  private static WebReply answer(
      GroveApi grove, ZarrView zarr, WebRequest request, RequestBudget budget) {
    return grove
        .answer(request, budget)
        .or(() -> zarr.answer(request, budget))
        .or(() -> PageFiles.answer(request))
        .orElseGet(() ->
            ErrorReplies.reply(404, "address: actual=" + request.path() + ", expected=a page"));
  }

  /** {@return the address that it listens on} */
  public InetSocketAddress address() {
    return http.address();
  }

  /** Returns the address as URLs and browsers have it; of all addresses, that of this machine. */
  private String host() {
    InetAddress own = address().getAddress();
    return own.isAnyLocalAddress() ? "localhost" : InetAddresses.toUriString(own);
  }

  /** {@return its URL, without a token} */
  public String url() {
    return "http://" + host() + ":" + address().getPort() + "/";
  }

  /** {@return the link that admits a browser; if only one browser is admitted, it works once} */
  public String link() {
    return url() + guard.linkQuery();
  }

  /** Stops the server and closes its files. */
  @Override
  public void close() {
    http.close();
    files.close();
  }
}
