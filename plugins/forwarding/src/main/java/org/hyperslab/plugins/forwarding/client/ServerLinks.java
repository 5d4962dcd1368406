package org.hyperslab.plugins.forwarding.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.vol.Connectors;

/**
 * The sessions of a connector, at most one with each server. A session that has ended is replaced
 * when it is asked for. One thread connects to a server, and those that ask for the same server
 * wait for it; nobody else waits.
 *
 * <p>Thread rule: any thread.
 */
final class ServerLinks {

  private final Map<Address, CompletableFuture<ServerLink>> links = new ConcurrentHashMap<>();
  private final Function<Address, ServerLink> connecting;

  /**
   * Creates a table without sessions.
   *
   * @param connecting connects to a server; may wait, and throws if that fails
   */
  ServerLinks(Function<Address, ServerLink> connecting) {
    this.connecting = connecting;
  }

  /**
   * Returns the session with a server, after connecting to it if there is none.
   *
   * @throws HyperslabException if the server cannot be reached or refuses
   */
  ServerLink with(Address address) {
    while (true) {
      CompletableFuture<ServerLink> known = links.get(address);
      if (known != null) {
        ServerLink link = awaited(known);
        if (!link.isDead()) {
          return link;
        }
      }
      CompletableFuture<ServerLink> mine = new CompletableFuture<>();
      boolean isFirst =
          known == null
              ? links.putIfAbsent(address, mine) == null
              : links.replace(address, known, mine);
      if (isFirst) {
        return connect(address, mine);
      }
    }
  }

  private ServerLink connect(Address address, CompletableFuture<ServerLink> mine) {
    try {
      ServerLink made = connecting.apply(address);
      mine.complete(made);
      return made;
    } catch (RuntimeException | Error failure) {
      links.remove(address, mine); // before others see the failure, so that they connect again
      mine.completeExceptionally(failure);
      throw failure;
    }
  }

  private static ServerLink awaited(CompletableFuture<ServerLink> known) {
    try {
      return known.join();
    } catch (CompletionException e) {
      HyperslabException failure =
          HyperslabException.of(Connectors.causeOf(e), "connecting to a server");
      throw failure.withMessage(failure.getMessage());
    }
  }

  /** {@return the sessions that have begun, of which some may have ended} */
  List<ServerLink> all() {
    return links.values().stream()
        .filter(each -> each.isDone() && !each.isCompletedExceptionally())
        .map(CompletableFuture::join)
        .toList();
  }
}
