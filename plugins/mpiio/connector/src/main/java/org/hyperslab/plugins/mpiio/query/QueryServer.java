package org.hyperslab.plugins.mpiio.query;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Answers the questions of other ranks while rank 0's own threads do something else, each rank's on
 * a thread of its own.
 *
 * <p>Only who knows the server's secret is answered. The server listens until every rank has
 * connected, or it is closed; at the loopback address if all ranks are on one machine.
 *
 * <p>Thread rule: any thread.
 */
public final class QueryServer implements AutoCloseable {

  /** The most bytes of a question: more than any operation on metadata has. */
  private static final int LONGEST_QUESTION = 64 << 20;

  /** The time in which a new connection must say the secret. */
  private static final int GREETING_MILLIS = 10_000;

  /** Answers the questions of one rank, in order. Closed when its connection ends. */
  public interface Conversation extends AutoCloseable {
    /**
     * Returns the answer to a question.
     *
     * @param question the bytes that the rank sent
     * @return the answer; null if the rank expects none
     */
    byte[] answer(byte[] question);

    @Override
    void close();
  }

  private final ServerSocket listening;
  private final QueryAddress address;
  private final Supplier<Conversation> conversations;
  private final AtomicInteger expected;
  private final Set<Socket> connected = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Starts to listen.
   *
   * @param others how many ranks may connect
   * @param oneMachine whether all ranks are on this machine
   * @param conversations makes what answers a rank that connects
   * @throws IOException if this process may not listen
   */
  public QueryServer(int others, boolean oneMachine, Supplier<Conversation> conversations)
      throws IOException {
    this.conversations = conversations;
    this.expected = new AtomicInteger(others);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    this.listening = new ServerSocket(0, others + 1, oneMachine ? loopback : null);
    byte[] secret = new byte[QueryAddress.SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    List<String> hosts = oneMachine ? List.of(loopback.getHostAddress()) : hosts();
    this.address = new QueryAddress(hosts, listening.getLocalPort(), secret);
    started("hyperslab-mpiio-listen", this::listen);
  }

  private static void started(String name, Runnable action) {
    Thread.ofPlatform().daemon().name(name).start(action);
  }

  /** Returns the addresses of this machine: that of its name, then those of its networks. */
  private static List<String> hosts() throws IOException {
    Set<String> found = new LinkedHashSet<>();
    try {
      InetAddress named = InetAddress.getLocalHost();
      if (!named.isLoopbackAddress()) {
        found.add(named.getHostAddress());
      }
    } catch (UnknownHostException nameless) {
      // The addresses of its networks remain.
    }
    NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
        .sorted((a, b) -> Boolean.compare(a instanceof Inet6Address, b instanceof Inet6Address))
        .forEach(each -> found.add(each.getHostAddress()));
    return new ArrayList<>(found);
  }

  /** {@return what a {@link QueryLine} of another rank needs to connect} */
  public byte[] address() {
    return address.encoded();
  }

  private void listen() {
    try (listening) {
      while (!closed && expected.get() > 0) {
        Socket socket = listening.accept();
        connected.add(socket);
        started("hyperslab-mpiio-queries", () -> serve(socket));
      }
    } catch (IOException ended) {
      // It was closed, by the owner or because all ranks have connected.
    }
  }

  private void serve(Socket socket) {
    try (socket;
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()))) {
      socket.setSoTimeout(GREETING_MILLIS);
      byte[] said = in.readNBytes(QueryAddress.SECRET_BYTES);
      if (!closed && MessageDigest.isEqual(said, address.secret())) {
        if (expected.decrementAndGet() == 0) {
          listening.close();
        }
        socket.setSoTimeout(0);
        socket.setTcpNoDelay(true);
        converse(in, out);
      }
    } catch (IOException ended) {
      // The rank has ended or closed its connection, or is none.
    } finally {
      connected.remove(socket);
    }
  }

  private void converse(DataInputStream in, DataOutputStream out) throws IOException {
    try (Conversation conversation = conversations.get()) {
      while (!closed) {
        int length = in.readInt();
        if (length < 0 || length > LONGEST_QUESTION) {
          return;
        }
        byte[] answer = conversation.answer(in.readNBytes(length));
        if (answer != null) {
          out.writeInt(answer.length);
          out.write(answer);
          out.flush();
        }
      }
    }
  }

  /** Ends all connections; a rank that waits for an answer gets an error. */
  @Override
  public void close() {
    closed = true;
    QueryLine.closeQuietly(listening);
    connected.forEach(QueryLine::closeQuietly);
  }
}
