package org.hyperslab.plugins.forwarding.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.ChildJvm;

/** A server in a separate process, to be killed. */
public final class StageChild {

  /** The name of the folder of a server's own files, below its root. */
  public static final String STATE = ConfinedNames.PRIVATE;

  private final Process process;

  private StageChild(Process process) {
    this.process = process;
  }

  /** Starts one and waits until it is ready. */
  public static StageChild start(Path root, Path socket) throws IOException {
    return new StageChild(
        launch(command(StageChild.class, root.toString(), socket.toString()), "ready"));
  }

  /** Starts one of several on one folder; the sockets of all are named. */
  public static StageChild start(Path root, Path socket, List<Path> all) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(root.toString(), socket.toString()));
    all.forEach(peer -> arguments.add(peer.toString()));
    return new StageChild(
        launch(command(StageChild.class, arguments.toArray(String[]::new)), "ready"));
  }

  /** Starts a server whose files cannot be longer than a number of bytes, a multiple of 1024. */
  static StageChild withFilesUpTo(long bytes, Path root, Path socket) throws IOException {
    return limited("-S -f " + bytes / 1024, root, socket);
  }

  /** Starts a server with a limit on open files and connections. */
  static StageChild withHandlesUpTo(int count, Path root, Path socket) throws IOException {
    return limited("-n " + count, root, socket);
  }

  private static StageChild limited(String limit, Path root, Path socket) throws IOException {
    List<String> all =
        new ArrayList<>(List.of("bash", "-c", "ulimit " + limit + "; exec \"$@\"", "limited"));
    all.addAll(command(StageChild.class, root.toString(), socket.toString()));
    return new StageChild(launch(all, "ready"));
  }

  /** A Java process of this class path. */
  static List<String> command(Class<?> main, String... arguments) {
    return ChildJvm.command(512, main, arguments);
  }

  private static Process launch(List<String> command, String ready) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectErrorStream(true);
    Process process = builder.start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals(ready)) {
        return process;
      }
      said.append(line).append('\n');
    }
    throw new IOException("server did not start: " + said);
  }

  /** From now on its files may have any length. */
  void liftLimit() throws IOException, InterruptedException {
    Process lift =
        new ProcessBuilder("prlimit", "--pid", "" + process.pid(), "--fsize=unlimited:")
            .inheritIO()
            .start();
    if (lift.waitFor() != 0) {
      throw new IOException("prlimit: actual=" + lift.exitValue() + ", expected=0");
    }
  }

  /** Kills it as kill -9 does, and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** The server process. */
  public static void main(String[] arguments) throws InterruptedException {
    List<Address> peers = Arrays.stream(arguments).skip(2).<Address>map(Address.Unix::new).toList();
    StageServer server =
        StageServer.start(
            ServerOptions.of(new Address.Unix(arguments[1]), Path.of(arguments[0]))
                .withPeers(peers));
    System.out.println(server.recovered() + "ready");
    System.out.flush();
    Thread.currentThread().join();
  }
}
