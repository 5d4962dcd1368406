package org.hyperslab.plugins.forwarding.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.Connection;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameHandler;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.plugins.forwarding.wire.Hello;
import org.hyperslab.plugins.forwarding.wire.Transport;
import org.hyperslab.plugins.forwarding.wire.Welcome;
import org.hyperslab.plugins.forwarding.wire.WireClient;
import org.hyperslab.plugins.forwarding.wire.WireLimits;
import org.hyperslab.vol.base.Scheduling;

/**
 * Connects to a server and exchanges hello and welcome.
 *
 * <p>Thread rule: one thread connects at a time; the other methods are for any thread.
 */
final class ServerHandshake {

  private final Address address;
  private final ClientOptions options;
  private final WireClient wire;
  private final Scheduling scheduling;
  private volatile CompletableFuture<Welcome> welcoming = new CompletableFuture<>();

  /**
   * A connection over which the server has sent its welcome.
   *
   * @param connection the connection
   * @param welcome the limits that the server grants
   */
  record Welcomed(Connection connection, Welcome welcome) {}

  ServerHandshake(Address address, ClientOptions options, WireClient wire, Scheduling scheduling) {
    this.scheduling = scheduling;
    this.address = address;
    this.options = options;
    this.wire = wire;
  }

  /**
   * Connects and waits for the welcome.
   *
   * @param session the session to continue, or 0 for a new one
   * @param acknowledged all replies below this number have arrived
   * @param longest the time limit for both
   * @param handler handles the frames of the connection
   * @return the connection
   * @throws HyperslabException if the server cannot be reached or refuses
   */
  Welcomed connect(long session, long acknowledged, Duration longest, FrameHandler handler) {
    CompletableFuture<Welcome> answer = new CompletableFuture<>();
    welcoming = answer;
    long end = scheduling.nanoTime() + longest.toNanos();
    Connection made =
        wire.connect(address, options.security(), WireLimits.DEFAULT, longest, handler);
    Hello hello =
        new Hello(
            options.name(),
            session,
            options.token(),
            options.windowBytes(),
            options.awaited().toSeconds());
    int flags = Hello.TAKES_RUNS | (options.observes() ? Hello.OBSERVES : 0);
    made.send(new Frame(FrameType.HELLO, flags, 0, acknowledged, hello.encode(), List.of()));
    try {
      return new Welcomed(made, scheduling.limit(answer, end - scheduling.nanoTime()).get());
    } catch (ExecutionException e) {
      made.close();
      if (e.getCause() instanceof TimeoutException) {
        throw unanswered(longest, e);
      }
      throw e.getCause() instanceof HyperslabException typed
          ? typed
          : new RemoteException("server: " + e.getCause() + ", at=" + address, e.getCause());
    } catch (InterruptedException e) {
      made.close();
      Thread.currentThread().interrupt();
      throw new RemoteException("server: actual=interrupted, at=" + address, e);
    }
  }

  private RemoteException unanswered(Duration longest, Exception cause) {
    return new RemoteException(
        "server: actual=no welcome in "
            + longest.toMillis()
            + " ms, expected=one, at="
            + address
            + "; is it `hyperslab stage`, and not suspended?",
        cause);
  }

  /** Accepts the welcome that has arrived. */
  void welcome(Welcome welcome) {
    welcoming.complete(welcome);
  }

  /** Records that the server has refused. */
  void refused(RemoteException reason) {
    welcoming.completeExceptionally(reason);
  }

  /** Records that the connection has closed, possibly before the welcome. */
  void closed(Throwable reason) {
    if (!welcoming.isDone()) {
      welcoming.completeExceptionally(unwelcome(reason));
    }
  }

  /** {@return the reason why there was no welcome, as far as it is known} */
  private RemoteException unwelcome(Throwable reason) {
    for (Throwable cause = reason; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException) {
        return new RemoteException(
            "TLS: actual="
                + Transport.reason(cause)
                + ", expected=a server and a client that trust each other's certificates, at="
                + address
                + "; check that both sides have certificate, key and trust, and that they match",
            reason);
      }
    }
    return new RemoteException(
        "server: actual=connection closed before it welcomed, expected=a welcome, at="
            + address
            + (options.security().isEmpty()
                ? "; a server with keys (TLS) does so to clients without: give certificate, key and"
                    + " trust"
                : "; a server that does not trust this client's certificate, or has no keys, does"
                    + " so"),
        reason);
  }
}
