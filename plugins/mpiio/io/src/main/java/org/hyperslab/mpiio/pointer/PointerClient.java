package org.hyperslab.mpiio.pointer;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.StorageException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Consensus;
import org.hyperslab.mpiio.hint.Hints;

/**
 * A shared pointer that a helper owns ({@link PointerServer}). Ranks query it by messages, so they
 * need no file system with locks and may be on several nodes. Each rank connects at its first use.
 *
 * <p>A helper that does not answer in time is given up: its process may have been stopped, or its
 * node lost. Every later call fails at once, because nobody knows where the pointer is.
 */
public final class PointerClient implements SharedFilePointer {

  /** The name in hints. */
  public static final String NAME = "addproc";

  private static final int CONNECT_MILLIS = 10_000;

  /** The time for which the system may keep the helper from running, in milliseconds. */
  private static final long DELAY_MILLIS = 3_000;

  private final PointerServer helper;
  private final PointerServer.Where where;
  private Socket socket;
  private DataInputStream answers;
  private DataOutputStream questions;

  /** The time to wait for an answer, in milliseconds; 0 for ever. */
  private int limitMillis;

  /** Why the helper has been given up; null if it has not. */
  private MpiException lost;

  /**
   * Creates a pointer that no rank has used yet.
   *
   * @param helper the helper, which is closed with this; null on ranks that do not run it
   * @param where the address of the helper
   */
  public PointerClient(PointerServer helper, PointerServer.Where where) {
    this.helper = helper;
    this.where = where;
  }

  /**
   * Creates the pointer: rank 0 starts the helper, and sends its address to the others; collective.
   *
   * @param oneNode whether all ranks are on one node
   * @param initial the initial position
   * @param comm the communicator
   * @return this rank's pointer
   * @throws StorageException on all ranks, if the helper cannot be started
   */
  public static PointerClient agreed(Communicator comm, boolean oneNode, long initial) {
    PointerServer[] helper = new PointerServer[1];
    Consensus ranks = new Consensus(comm);
    ranks.runOnRoot(() -> {
      try {
        InetAddress address =
            oneNode ? InetAddress.getLoopbackAddress() : InetAddress.getLocalHost();
        long token = new SecureRandom().nextLong();
        helper[0] = new PointerServer(address, token, comm.size(), initial);
      } catch (IOException e) {
        throw new StorageException("shared file pointer: actual=" + e, e);
      }
    });
    byte[] mine = helper[0] == null ? new byte[0] : helper[0].where().encode();
    byte[] told = comm.allGatherBytes(mine)[0];
    return ranks.run(() -> new PointerClient(helper[0], PointerServer.Where.decode(told)));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public long get() {
    return ask(PointerServer.ADD, 0);
  }

  @Override
  public void set(long etypes) {
    ask(PointerServer.SET, etypes);
  }

  @Override
  public long take(long etypes) {
    return ask(PointerServer.ADD, etypes);
  }

  /**
   * {@inheritDoc} A little more is waited, so that a helper that the system has delayed is not
   * given up.
   */
  @Override
  public void limit(long nanos) {
    long millis = Math.min(nanos / 1_000_000 + DELAY_MILLIS, Integer.MAX_VALUE);
    limitExactly(nanos == Long.MAX_VALUE ? 0 : (int) millis);
  }

  /**
   * Limits how long to wait for an answer, in milliseconds; 0 for no limit.
   *
   * @param millis the millis
   */
  public synchronized void limitExactly(int millis) {
    limitMillis = millis;
  }

  private synchronized long ask(byte question, long number) {
    if (lost != null) {
      throw new MpiException(
          lost.call(), lost.rank(), lost.code(), lost.text() + "; given up before", lost);
    }
    try {
      if (socket == null) {
        connect();
      }
      socket.setSoTimeout(limitMillis);
      questions.writeByte(question);
      questions.writeLong(number);
      questions.flush();
      return answers.readLong();
    } catch (SocketTimeoutException silent) {
      lost = silence(silent);
      throw lost;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private void connect() throws IOException {
    Socket opened = new Socket();
    try {
      opened.setTcpNoDelay(true);
      int most = limitMillis == 0 ? CONNECT_MILLIS : Math.min(CONNECT_MILLIS, limitMillis);
      opened.connect(new InetSocketAddress(where.address(), where.port()), most);
      questions = new DataOutputStream(new BufferedOutputStream(opened.getOutputStream()));
      answers = new DataInputStream(opened.getInputStream());
      questions.writeLong(where.token());
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    socket = opened;
  }

  private MpiException silence(SocketTimeoutException silent) {
    return new MpiException(
        "shared file pointer",
        MpiException.NO_RANK,
        MpiException.NO_CODE,
        "actual="
            + silent.getMessage()
            + ", no answer from the helper of rank 0 at "
            + where
            + " within "
            + limitMillis
            + " ms, expected=the process of rank 0 runs and its node can be reached; the hint "
            + Hints.DEADLINE
            + " sets the time to wait",
        silent);
  }

  private StorageException failure(IOException e) {
    return new StorageException(
        "shared file pointer: actual=" + e + ", expected=the helper of rank 0, at=" + where, e);
  }

  @Override
  public synchronized void close() {
    try {
      if (socket != null) {
        socket.close();
      }
      if (helper != null) {
        helper.close();
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }
}
