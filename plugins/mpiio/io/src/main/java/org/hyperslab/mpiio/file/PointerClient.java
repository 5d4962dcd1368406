package org.hyperslab.mpiio.file;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.SecureRandom;
import org.hyperslab.error.StorageException;
import org.hyperslab.mpiio.comm.Communicator;

/**
 * A shared pointer that a helper owns ({@link PointerServer}). Ranks query it by messages, so they
 * need no file system with locks and may be on several nodes. Each rank connects at its first use.
 */
final class PointerClient implements SharedFilePointer {

  static final String NAME = "addproc";

  private static final int CONNECT_MILLIS = 10_000;

  private final PointerServer helper;
  private final PointerServer.Where where;
  private Socket socket;
  private DataInputStream answers;
  private DataOutputStream questions;

  /**
   * Creates a pointer that no rank has used yet.
   *
   * @param helper the helper, which is closed with this; null on ranks that do not run it
   * @param where the address of the helper
   */
  PointerClient(PointerServer helper, PointerServer.Where where) {
    this.helper = helper;
    this.where = where;
  }

  /**
   * Creates the pointer: rank 0 starts the helper, and sends its address to the others; collective.
   *
   * @param oneNode whether all ranks are on one node
   * @param initial the initial position
   * @throws StorageException on all ranks, if the helper cannot be started
   */
  static PointerClient agreed(Communicator comm, boolean oneNode, long initial) {
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

  private synchronized long ask(byte question, long number) {
    try {
      if (socket == null) {
        connect();
      }
      questions.writeByte(question);
      questions.writeLong(number);
      questions.flush();
      return answers.readLong();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private void connect() throws IOException {
    Socket opened = new Socket();
    try {
      opened.setTcpNoDelay(true);
      opened.connect(new InetSocketAddress(where.address(), where.port()), CONNECT_MILLIS);
      questions = new DataOutputStream(new java.io.BufferedOutputStream(opened.getOutputStream()));
      answers = new DataInputStream(opened.getInputStream());
      questions.writeLong(where.token());
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    socket = opened;
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
