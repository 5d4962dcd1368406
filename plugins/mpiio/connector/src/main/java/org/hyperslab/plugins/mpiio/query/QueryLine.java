package org.hyperslab.plugins.mpiio.query;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.MpiException;

/**
 * One rank's connection to the {@link QueryServer} of rank 0, which is made at the first question.
 *
 * <p>Thread rule: any thread; questions take turns.
 */
public final class QueryLine implements AutoCloseable {

  private static final int CONNECT_MILLIS = 5_000;

  private final QueryAddress address;
  private final int patienceMillis;
  private Socket socket;
  private DataInputStream in;
  private DataOutputStream out;

  /**
   * Creates a connection, which does not connect yet.
   *
   * @param address the result of {@link QueryServer#address}
   * @param deadlineNanos how long an answer may take, in nanoseconds; {@link Long#MAX_VALUE} for no
   *     limit
   */
  public QueryLine(byte[] address, long deadlineNanos) {
    this.address = QueryAddress.decoded(address);
    long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos);
    this.patienceMillis = millis > Integer.MAX_VALUE ? 0 : (int) Math.max(1, millis);
  }

  /**
   * {@return the answer of rank 0}
   *
   * @param question the bytes of the question
   * @throws MpiException if rank 0 cannot be reached, has ended, or does not answer in time
   */
  public synchronized byte[] ask(byte[] question) {
    try {
      send(question);
      return in.readNBytes(in.readInt());
    } catch (IOException failure) {
      close();
      throw failed(failure);
    }
  }

  /**
   * Sends a message to which there is no answer, if a question has been asked before. A failure
   * does not matter: rank 0 forgets what it keeps for this rank when the connection ends.
   *
   * @param message the bytes of the message
   */
  public synchronized void tell(byte[] message) {
    if (socket == null) {
      return;
    }
    try {
      send(message);
    } catch (IOException ended) {
      close();
    }
  }

  private void send(byte[] message) throws IOException {
    if (socket == null) {
      connect();
    }
    out.writeInt(message.length);
    out.write(message);
    out.flush();
  }

  private void connect() throws IOException {
    IOException failure = new IOException("no address");
    for (String host : address.hosts()) {
      Socket made = new Socket();
      try {
        made.connect(new InetSocketAddress(host, address.port()), CONNECT_MILLIS);
        made.setTcpNoDelay(true);
        made.setSoTimeout(patienceMillis);
        in = new DataInputStream(made.getInputStream());
        out = new DataOutputStream(new BufferedOutputStream(made.getOutputStream()));
        out.write(address.secret());
        socket = made;
        return;
      } catch (IOException e) {
        closeQuietly(made);
        e.addSuppressed(failure);
        failure = e;
      }
    }
    throw failure;
  }

  private MpiException failed(IOException failure) {
    return new MpiException(
        "question to rank 0",
        0,
        MpiException.NO_CODE,
        "actual="
            + failure
            + ", expected=an answer from port "
            + address.port()
            + " of "
            + address.hosts()
            + "; with the option metadata=collective of the connector, all ranks read metadata"
            + " together and need no connection",
        failure);
  }

  @Override
  public synchronized void close() {
    if (socket != null) {
      closeQuietly(socket);
      socket = null;
    }
  }

  static void closeQuietly(Closeable resource) {
    try {
      resource.close();
    } catch (IOException closed) {
      // There is nothing left to do.
    }
  }
}
