package org.hyperslab.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A web server of one resource, /file.h5, that answers range requests, or fails on demand. */
final class RangeServer implements AutoCloseable {

  volatile byte[] content = {};
  volatile boolean servesRanges = true;

  /** The entity tag; null for none. */
  volatile String version = "\"1\"";

  /** Header lines of every answer, each with its end. */
  volatile String more = "";

  /** Status and header lines of the next answers, each sent once without a body. */
  final Queue<String> refusals = new ConcurrentLinkedQueue<>();

  /** The requests as they were sent: the first line and the headers. */
  final Queue<String> received = new ConcurrentLinkedQueue<>();

  /** Answers instead of this server; null to answer truthfully. */
  volatile Lie lie;

  /** The names of all headers of requests, in lower case. */
  final Set<String> headers = ConcurrentHashMap.newKeySet();

  final AtomicInteger failures = new AtomicInteger();
  final AtomicInteger requests = new AtomicInteger();
  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

  /** Answers a request for bytes; the connection stays open unless an error is thrown. */
  @FunctionalInterface
  interface Lie {

    /** Sends any bytes instead of those from {@code first} to {@code last}. */
    void answer(OutputStream out, int first, int last) throws IOException;
  }

  RangeServer() throws IOException {
    Thread.ofVirtual().start(this::accept);
  }

  URI uri(String path) {
    return URI.create(
        "http://"
            + InetAddress.getLoopbackAddress().getHostAddress()
            + ":"
            + listener.getLocalPort()
            + path);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        Thread.ofVirtual().start(() -> serveAll(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serveAll(Socket socket) {
    try (socket;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        StringBuilder whole = new StringBuilder(line);
        String path = line.split(" ", -1)[1];
        String range = "bytes=0-0";
        for (String header = in.readLine(); !header.isEmpty(); header = in.readLine()) {
          whole.append('\n').append(header);
          headers.add(header.split(":", 2)[0].toLowerCase(Locale.ROOT));
          if (header.startsWith("Range: ")) {
            range = header.substring("Range: ".length());
          }
        }
        received.add(whole.toString());
        answer(path, range, socket.getOutputStream());
      }
    } catch (IOException gone) {
      failures.set(0);
    }
  }

  private void answer(String path, String range, OutputStream out) throws IOException {
    requests.incrementAndGet();
    String refusal = refusals.poll();
    if (refusal != null) {
      String head = "HTTP/1.1 " + refusal + "\r\nContent-Length: 0\r\n\r\n";
      out.write(head.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      return;
    }
    byte[] bytes = content;
    String[] ends = range.substring("bytes=".length()).split("-", -1);
    boolean fromEnd = ends[0].isEmpty();
    int first = fromEnd ? bytes.length - Integer.parseInt(ends[1]) : Integer.parseInt(ends[0]);
    int last = (int) Math.min(fromEnd ? bytes.length : Long.parseLong(ends[1]), bytes.length - 1L);
    Lie told = lie;
    if (told != null) {
      told.answer(out, first, last);
      out.flush();
    } else if (!path.equals("/file.h5") && !path.startsWith("/file.h5?X-Amz-")) {
      send(out, "404 Not Found", "", bytes, 0, 0);
    } else if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      send(out, "503 Service Unavailable", "", bytes, 0, 0);
    } else if (!servesRanges) {
      send(out, "200 OK", "", bytes, 0, bytes.length);
    } else if (first >= bytes.length) {
      String header = "Content-Range: bytes */" + bytes.length + "\r\n";
      send(out, "416 Range Not Satisfiable", header, bytes, 0, 0);
    } else {
      String header = "Content-Range: bytes " + first + "-" + last + "/" + bytes.length + "\r\n";
      send(out, "206 Partial Content", header, bytes, first, last - first + 1);
    }
  }

  private void send(
      OutputStream out, String status, String header, byte[] bytes, int first, int length)
      throws IOException {
    String head =
        "HTTP/1.1 "
            + status
            + "\r\n"
            + header
            + (version == null ? "" : "ETag: " + version + "\r\n")
            + more
            + "Content-Length: "
            + length
            + "\r\n\r\n";
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    out.write(bytes, first, length);
    out.flush();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
