package org.hyperslab.mpiio.pointer;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.error.StorageException;

/**
 * Owns a shared pointer and serves requests of ranks, as OMPIO's additional process does, with a
 * thread of rank 0 that listens on TCP, and one for each rank. A connection begins with a token
 * that only the job's ranks know; others are closed. Any number of requests follow, each a byte and
 * a big-endian long; the reply to each is the previous position of the pointer.
 */
public final class PointerServer implements AutoCloseable {

  /** Moves the pointer by the number. */
  static final byte ADD = 1;

  /** Moves the pointer to the number. */
  static final byte SET = 2;

  private static final int TOKEN_MILLIS = 10_000;

  private final ServerSocket server;
  private final long token;
  private final int most;
  private final AtomicLong pointer;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /**
   * The address at which a helper listens.
   *
   * @param address the address of its machine
   * @param port its port
   * @param token the token with which a connection begins
   */
  public record Where(InetAddress address, int port, long token) {

    /** Returns the port, the token and the address, for {@link #decode}. */
    byte[] encode() {
      byte[] raw = address.getAddress();
      ByteBuffer all = ByteBuffer.allocate(Integer.BYTES + Long.BYTES + raw.length);
      return all.putInt(port).putLong(token).put(raw).array();
    }

    static Where decode(byte[] told) {
      ByteBuffer all = ByteBuffer.wrap(told);
      int port = all.getInt();
      long token = all.getLong();
      byte[] raw = new byte[all.remaining()];
      all.get(raw);
      try {
        return new Where(InetAddress.getByAddress(raw), port, token);
      } catch (UnknownHostException wrongLength) {
        throw new StorageException("shared file pointer: actual=" + wrongLength, wrongLength);
      }
    }

    /** {@return a text for display, without the token} */
    @Override
    public String toString() {
      return address.getHostAddress() + ":" + port;
    }
  }

  /**
   * Starts to listen.
   *
   * @param address the address of this machine at which ranks reach it
   * @param token the token with which connections must begin
   * @param ranks the greatest number of connections
   * @param initial the initial position
   * @throws IOException if it cannot listen there
   */
  public PointerServer(InetAddress address, long token, int ranks, long initial)
      throws IOException {
    this.server = new ServerSocket(0, ranks, address);
    this.token = token;
    this.most = ranks;
    this.pointer = new AtomicLong(initial);
    Thread.ofVirtual().name("shared pointer").start(this::accept);
  }

  /** {@return where the server listens} */
  public Where where() {
    return new Where(server.getInetAddress(), server.getLocalPort(), token);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        if (sockets.size() >= most) {
          socket.close();
          continue;
        }
        sockets.add(socket);
        Thread.ofVirtual().name("shared pointer of a rank").start(() -> answer(socket));
      } catch (IOException closed) {
        // The helper has been closed, or the connection was gone before it was taken.
      }
    }
  }

  private void answer(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TOKEN_MILLIS);
      DataInputStream questions = new DataInputStream(socket.getInputStream());
      DataOutputStream answers = new DataOutputStream(socket.getOutputStream());
      if (questions.readLong() != token) {
        return;
      }
      socket.setSoTimeout(0);
      while (true) {
        byte question = questions.readByte();
        long number = questions.readLong();
        switch (question) {
          case ADD -> answers.writeLong(pointer.getAndAdd(number));
          case SET -> answers.writeLong(pointer.getAndSet(number));
          default -> throw new EOFException("question " + question);
        }
      }
    } catch (IOException gone) {
      // The rank has closed its end, or the client is not a rank of this job.
    } finally {
      sockets.remove(socket);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
