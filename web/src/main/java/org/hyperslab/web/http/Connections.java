package org.hyperslab.web.http;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The open connections of a server, of which there is a greatest number, also for each address. If
 * there are too many, the one that has waited longest for a request is closed, so that clients that
 * send nothing, or send slowly, keep no others out.
 *
 * <p>Thread rule: any thread.
 */
final class Connections {

  private final int most;
  private final int mostOfAddress;

  /** The connections, those that have waited longest first. */
  private final List<Channel> waiting = new ArrayList<>();

  private final List<Channel> busy = new ArrayList<>();
  private boolean closed;

  /**
   * Creates a set without connections.
   *
   * @param most the greatest number of connections
   * @param mostOfAddress the greatest number of connections of one address
   */
  Connections(int most, int mostOfAddress) {
    this.most = most;
    this.mostOfAddress = mostOfAddress;
  }

  /**
   * {@return whether a new connection is accepted}
   *
   * @param channel the connection
   */
  boolean accept(Channel channel) {
    Channel victim;
    synchronized (this) {
      if (closed) {
        return false;
      }
      InetAddress address = address(channel);
      long ofAddress = countOf(address, waiting) + countOf(address, busy);
      boolean isFull = waiting.size() + busy.size() >= most;
      victim = null;
      if (ofAddress >= mostOfAddress) {
        victim = firstOf(address);
      } else if (isFull) {
        victim = waiting.isEmpty() ? null : waiting.getFirst();
      }
      if (victim == null && (isFull || ofAddress >= mostOfAddress)) {
        return false;
      }
      waiting.remove(victim);
      waiting.add(channel);
    }
    if (victim != null) {
      victim.close();
    }
    channel.closeFuture().addListener(closing -> forget(channel));
    return true;
  }

  private static InetAddress address(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? address.getAddress()
        : null;
  }

  private static long countOf(InetAddress address, List<Channel> channels) {
    return channels.stream().filter(each -> isOf(address, each)).count();
  }

  private static boolean isOf(InetAddress address, Channel channel) {
    InetAddress other = address(channel);
    return address == null ? other == null : address.equals(other);
  }

  private Channel firstOf(InetAddress address) {
    return waiting.stream().filter(each -> isOf(address, each)).findFirst().orElse(null);
  }

  private synchronized void forget(Channel channel) {
    waiting.remove(channel);
    busy.remove(channel);
  }

  /** Notes that a connection has sent a request, which is handled. */
  synchronized void busy(Channel channel) {
    if (waiting.remove(channel)) {
      busy.add(channel);
    }
  }

  /** Notes that a connection waits for the next request. */
  synchronized void waiting(Channel channel) {
    if (busy.remove(channel)) {
      waiting.add(channel);
    }
  }

  /** Closes all connections, and accepts no more. */
  void close() {
    List<Channel> all;
    synchronized (this) {
      closed = true;
      all = new ArrayList<>(waiting);
      all.addAll(busy);
    }
    all.forEach(Channel::close);
  }
}
