package org.hyperslab.tools.serve;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.TokenFile;
import org.hyperslab.tools.command.UriNames;
import org.hyperslab.web.WebServer;
import org.hyperslab.web.options.WebOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Serves a file, or the files below a folder, over HTTP, until it is interrupted. */
@Command(
    name = "serve",
    header = "serves files over HTTP to programs and browsers",
    description = {
      "Serves a file, or the files below a folder, for reading: as stores of Zarr under /zarr/FILE,"
          + " through h5grove's API, and to browsers as view does. Clients present the token that"
          + " is printed, as \"Authorization: Bearer TOKEN\". docs/viewing.md has examples. There"
          + " is no encryption: use a TLS proxy if the network is not trusted.",
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class ServeCommand implements Callable<Integer> {

  private static final Pattern ADDRESS = Pattern.compile("(.+):(\\d{1,5})");

  private final Streams streams;

  @Parameters(
      arity = "1",
      paramLabel = "FILE",
      description = {
        "a file, a folder of files or a Zarr store of this machine, or a name that the connector"
            + " opens"
      })
  private String name;

  @Mixin private final ConnectorOption connector;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8790",
      description = "the address (default: ${DEFAULT-VALUE})")
  private String listen;

  @Option(
      names = "--host-name",
      paramLabel = "NAMES",
      split = ",",
      description = "names by which clients reach the server besides its address, with the port")
  private List<String> hostNames = List.of();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = {
        "file with the token that clients present, 16 or more letters, digits or -._~ (default: a"
            + " random one is printed)"
      })
  private Path tokenFile;

  @Option(
      names = "--no-token",
      description = "admits everybody who can reach the address, which must be local")
  private boolean withoutToken;

  @Option(
      names = "--request-elements",
      paramLabel = "N",
      description = "the most elements that are read for one request (default: ${DEFAULT-VALUE})")
  private long requestElements = WebOptions.Limits.DEFAULT.elements();

  @Option(
      names = "--request-seconds",
      paramLabel = "N",
      description = {
        "the longest time for which the server works for one request; the time in which the client"
            + " receives is not counted (default: ${DEFAULT-VALUE})"
      })
  private int requestSeconds = WebOptions.Limits.DEFAULT.seconds();

  @Mixin private final MarkedFilesOption marked = new MarkedFilesOption();

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public ServeCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    WebOptions options =
        WebOptions.DEFAULT
            .withListen(address())
            .withHostNames(Set.copyOf(hostNames))
            .withAccess(access())
            .withLimits(new WebOptions.Limits(requestElements, requestSeconds))
            .withReadsMarked(marked.isGiven());
    boolean local = !connector.isGiven() && !UriNames.isFar(name) && !connector.isStore(name);
    try (WebServer server =
        local
            ? WebServer.show(Path.of(name), options)
            : WebServer.showOpened(name, options.withOpener(connector::open))) {
      streams.out().println("hyperslab serve: ready at " + server.url());
      // A token from a file of the user's is not printed.
      String link = tokenFile == null ? server.link() : server.url();
      streams.out().println("hyperslab serve: open " + link);
      streams.out().flush();
      new CountDownLatch(1).await(); // a signal ends the process
    }
    return 0;
  }

  private InetSocketAddress address() {
    Matcher parts = ADDRESS.matcher(listen);
    InetSocketAddress address =
        parts.matches() && Integer.parseInt(parts.group(2)) <= 0xFFFF
            ? new InetSocketAddress(
                parts.group(1).replaceAll("^\\[|]$", ""), Integer.parseInt(parts.group(2)))
            : null;
    if (address == null || address.isUnresolved()) {
      throw new InvalidUseException(
          "--listen: actual=" + listen + ", expected=HOST:PORT, an address of this machine");
    }
    return address;
  }

  private WebOptions.Access access() throws IOException {
    if (!withoutToken) {
      return new WebOptions.Access.Token(
          tokenFile == null
              ? Optional.empty()
              : Optional.of(token(TokenFile.read(tokenFile, streams))));
    }
    if (tokenFile != null || !address().getAddress().isLoopbackAddress()) {
      throw new InvalidUseException(
          "--no-token: actual=with --token-file, or for "
              + listen
              + ", expected=no --token-file, and a loopback address such as 127.0.0.1:8790");
    }
    return new WebOptions.Access.Everybody();
  }

  private String token(String text) {
    String token = text.strip();
    if (!token.matches("[A-Za-z0-9._~-]{16,1024}")) {
      throw new InvalidUseException(
          "token: actual="
              + token.length()
              + " characters, expected=16 or more letters, digits or -._~, at="
              + tokenFile);
    }
    return token;
  }
}
