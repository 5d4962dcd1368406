package org.hyperslab.plugins.forwarding.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.client.ForwardingConnector;
import org.hyperslab.plugins.forwarding.region.RegionConnector;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.base.Scheduling;

/**
 * Connects a server to its peers when necessary, with the server's own keys and token.
 *
 * <p>Thread rule: any thread.
 */
final class StagePeers implements RegionConnector.Peers {

  private final ServerOptions options;
  private final String mark;
  private final Scheduling.Pool workers;
  private final Map<Address, ForwardingConnector> connectors = new ConcurrentHashMap<>();

  /**
   * Creates peers without connections.
   *
   * @param options the options of the server
   * @param mark the mark of the folder, which all peers share
   * @param workers the server's threads; one more is added while one of them waits for a peer
   */
  StagePeers(ServerOptions options, String mark, Scheduling.Pool workers) {
    this.options = options;
    this.mark = mark;
    this.workers = workers;
  }

  /**
   * Requires that the peers include the server itself, because clients find a file's home by the
   * list.
   *
   * @throws InvalidUseException if they do not
   */
  static void requireOwn(ServerOptions options) {
    List<Address> peers = options.peers();
    if (!peers.isEmpty() && peers.stream().noneMatch(peer -> reaches(peer, options.address()))) {
      throw new InvalidUseException(
          "peers: actual="
              + peers.stream().map(Address::toString).collect(Collectors.joining(","))
              + ", expected=all servers that share the folder, this one included, at="
              + options.address());
    }
  }

  private static boolean reaches(Address peer, Address own) {
    if (peer.equals(own)) {
      return true;
    }
    if (!(peer instanceof Address.Tcp there && own instanceof Address.Tcp here)
        || there.port() != here.port()) {
      return false;
    }
    try {
      InetAddress listening = InetAddress.getByName(here.host());
      return listening.isAnyLocalAddress()
          || List.of(InetAddress.getAllByName(there.host())).contains(listening);
    } catch (UnknownHostException unresolved) {
      return false;
    }
  }

  @Override
  public Connector sharing(String text) {
    Address address = Address.parse(text);
    if (!options.peers().contains(address)) {
      throw new InvalidUseException(
          "home server: actual=" + text + ", expected=one of the peers " + options.peers());
    }
    ForwardingConnector peer =
        await(() -> connectors.computeIfAbsent(address, where -> connect(where)));
    String theirs = await(peer::rootMark);
    if (!theirs.equals(mark)) {
      throw new UnsupportedFeatureException(
          "folder of the home server: actual=another folder, expected=the same file system, at="
              + text);
    }
    return peer;
  }

  private ForwardingConnector connect(Address where) {
    return ForwardingConnector.peer(
        where, "server " + options.address(), options.token(), options.security());
  }

  @Override
  public <R> R await(Supplier<R> answer) {
    workers.grow(1);
    try {
      return answer.get();
    } finally {
      workers.grow(-1);
    }
  }

  @Override
  public void close() {
    List.copyOf(connectors.values()).forEach(ForwardingConnector::close);
  }
}
