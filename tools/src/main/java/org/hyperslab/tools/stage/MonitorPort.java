package org.hyperslab.tools.stage;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers GET requests of monitors by HTTP/1.1, one for each connection, in threads of its own.
 *
 * <p>What clients can take is bounded: connections (the one that has been open longest makes room
 * for another), the time of a connection, the bytes of a request. The body of a request is never
 * used.
 *
 * <p>Thread rule: any thread.
 */
final class MonitorPort implements AutoCloseable {

  /** The largest number of connections at a time. */
  static final int MOST_CONNECTIONS = 16;

  /** The largest request, in bytes. */
  static final int MOST_BYTES = 8 << 10;

  private static final Pattern REQUEST =
      Pattern.compile("([!-~]{1,32}) (?:https?://[^/?# ]*)?(/[!-~]*) HTTP/1\\.[01]\r?");

  private static final long PAUSE_NANOS = 100_000_000;

  private final ServerSocket socket;
  private final Duration limit;
  private final Function<String, Optional<Answer>> pages;
  private final ScheduledThreadPoolExecutor clock;

  /** The open connections, the oldest first; guarded by itself. */
  private final Set<Socket> open = new LinkedHashSet<>();

  /**
   * The reply to a request for a page.
   *
   * @param code the status code
   * @param type the media type
   * @param text the content
   */
  record Answer(int code, String type, String text) {

    /** {@return a page of plain text} */
    static Answer plain(int code, String text) {
      return new Answer(code, "text/plain; charset=utf-8", text + "\n");
    }
  }

  /**
   * Begins to answer.
   *
   * @param address the address
   * @param limit the longest time of a connection
   * @param pages returns the page of a path
   * @throws IOException if the address is not free
   */
  MonitorPort(InetSocketAddress address, Duration limit, Function<String, Optional<Answer>> pages)
      throws IOException {
    this.socket = new ServerSocket();
    this.limit = limit;
    this.pages = pages;
    try {
      socket.bind(address, MOST_CONNECTIONS);
    } catch (IOException | RuntimeException failed) {
      socket.close();
      throw failed;
    }
    this.clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("hyperslab-monitor-clock").factory());
    clock.setRemoveOnCancelPolicy(true);
    Thread.ofPlatform().daemon().name("hyperslab-monitor").start(this::accept);
  }

  /** {@return the address at which it answers} */
  InetSocketAddress address() {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        admit(socket.accept());
      } catch (IOException | RuntimeException refused) {
        LockSupport.parkNanos(PAUSE_NANOS); // closed, or no descriptor is left for now
      }
    }
  }

  private void admit(Socket client) {
    Socket oldest = null;
    synchronized (open) {
      open.add(client);
      if (open.size() > MOST_CONNECTIONS) {
        oldest = open.iterator().next();
        open.remove(oldest);
      }
    }
    if (oldest != null) {
      end(oldest);
    }
    ScheduledFuture<?> end;
    try {
      end = clock.schedule(() -> end(client), limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      end(client);
      return;
    }
    Thread.ofVirtual()
        .name("hyperslab-monitor-request")
        .start(() -> {
          try {
            answer(client);
          } catch (IOException gone) {
            // It has left, or its time is over.
          } finally {
            end.cancel(false);
            end(client);
          }
        });
  }

  private void end(Socket client) {
    synchronized (open) {
      open.remove(client);
    }
    try {
      client.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void answer(Socket client) throws IOException {
    InputStream in = new BufferedInputStream(client.getInputStream());
    StringBuilder head = new StringBuilder();
    Answer answer = readHead(in, head) ? answer(head.toString()) : tooLong(head);
    byte[] body = answer.text.getBytes(StandardCharsets.UTF_8);
    boolean bare = head.toString().startsWith("HEAD ");
    byte[] top = heading(answer, body.length).getBytes(StandardCharsets.ISO_8859_1);
    client.getOutputStream().write(top);
    client.getOutputStream().write(body, 0, bare ? 0 : body.length);
    client.shutdownOutput();
    in.skipNBytes(Long.MAX_VALUE); // to its end: closing earlier could take the answer away
  }

  private static Answer tooLong(StringBuilder head) throws IOException {
    if (head.length() < MOST_BYTES) {
      throw new IOException("a connection that ends without a request");
    }
    return Answer.plain(431, "a request has at most " + MOST_BYTES + " bytes");
  }

  private static String heading(Answer answer, int bytes) {
    return "HTTP/1.1 "
        + answer.code
        + (answer.code == 200 ? " OK" : " Refused")
        + (answer.code == 405 ? "\r\nAllow: GET" : "")
        + "\r\nContent-Type: "
        + answer.type
        + "\r\nContent-Length: "
        + bytes
        + "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff"
        + "\r\nConnection: close\r\n\r\n";
  }

  /** Reads to the empty line after the headers; returns false if there is none. */
  private static boolean readHead(InputStream in, StringBuilder head) throws IOException {
    int line = 0;
    while (head.length() < MOST_BYTES) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      head.append((char) next);
      if (next == '\n') {
        if (line == 0) {
          return true;
        }
        line = 0;
      } else if (next != '\r') {
        line++;
      }
    }
    return false;
  }

  private Answer answer(String head) {
    Matcher request = REQUEST.matcher(head.lines().findFirst().orElse(""));
    if (!request.matches()) {
      return Answer.plain(400, "not a request of HTTP/1");
    }
    if (!request.group(1).equals("GET")) {
      return Answer.plain(405, "GET only");
    }
    try {
      return pages
          .apply(request.group(2).replaceFirst("[?#].*", ""))
          .orElseGet(() -> Answer.plain(404, "no such page; see /metrics, /health, /status"));
    } catch (RuntimeException failed) {
      return Answer.plain(500, "the page could not be made");
    }
  }

  /** Stops answering, and ends all connections. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
    clock.shutdownNow();
    Set<Socket> left;
    synchronized (open) {
      left = Set.copyOf(open);
    }
    left.forEach(this::end);
  }
}
