package org.hyperslab.plugins.mpiio.query;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where rank 0 answers questions.
 *
 * @param hosts the addresses of its machine, the likeliest first
 * @param port the TCP port
 * @param secret what a rank says first, so that no other process is answered
 */
record QueryAddress(List<String> hosts, int port, byte[] secret) {

  /** The length of the secret, in bytes. */
  static final int SECRET_BYTES = 32;

  byte[] encoded() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(port);
      out.write(secret);
      for (String host : hosts) {
        out.writeUTF(host);
      }
      out.flush();
      return bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  static QueryAddress decoded(byte[] encoded) {
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded));
      int port = in.readInt();
      byte[] secret = in.readNBytes(SECRET_BYTES);
      List<String> hosts = new ArrayList<>();
      while (in.available() > 0) {
        hosts.add(in.readUTF());
      }
      return new QueryAddress(hosts, port, secret);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Compares by identity: the secret is an array, and nobody compares addresses. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
