package org.hyperslab.tools.serve;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.UriNames;
import org.hyperslab.web.WebServer;
import org.hyperslab.web.options.WebOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a file, or the files below a folder, in a browser, until it is interrupted. */
@Command(
    name = "view",
    header = "shows a file, or the files below a folder, in a browser",
    description = {
      "Shows a file, or the files below a folder, in a browser of this machine: prints a link,"
          + " which opens one browser, and serves until it is interrupted. Files are only read, and"
          + " not locked; Refresh or Follow shows what another program writes.",
      "",
      "  hyperslab view results.h5",
      "  hyperslab view /data",
      "  hyperslab view --connector \"forwarding servers=HOST:7070\" results.h5",
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class ViewCommand implements Callable<Integer> {

  private static final int MAX_PORT = 65_535;

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
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "the port on 127.0.0.1 (default: any free port)")
  private int port;

  @Option(names = "--browser", description = "opens the link in the desktop's browser")
  private boolean browser;

  @Mixin private final MarkedFilesOption marked = new MarkedFilesOption();

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public ViewCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (WebServer server = start()) {
      streams.out().println("hyperslab view: open " + server.link());
      streams.out().flush();
      if (browser) {
        open(server.link());
      }
      new CountDownLatch(1).await(); // a signal ends the process
    }
    return 0;
  }

  private WebServer start() {
    if (port < 0 || port > MAX_PORT) {
      throw new InvalidUseException("--port: actual=" + port + ", expected=0 to " + MAX_PORT);
    }
    WebOptions options =
        WebOptions.DEFAULT
            .withListen(new InetSocketAddress("127.0.0.1", port))
            .withReadsMarked(marked.isGiven());
    if (!connector.isGiven() && !UriNames.isFar(name) && !connector.isStore(name)) {
      return WebServer.show(Path.of(name), options);
    }
    OpenOptions heeding = OpenOptions.READ;
    connector
        .open(
            name,
            marked.isGiven() ? heeding.withProperty("clearConsistencyFlags", "true") : heeding)
        .close(); // fails now if there is no such file
    return WebServer.showOpened(name, options.withOpener(connector::open));
  }

  /**
   * Opens a link through a page that only this user can read, because all users can see the
   * arguments of a program.
   */
  private static void open(String link) throws IOException {
    Path page =
        Files.createTempFile(
            "hyperslab-view",
            ".html",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    page.toFile().deleteOnExit();
    Files.writeString(
        page, "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=" + link + "\">\n");
    new ProcessBuilder("xdg-open", page.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
