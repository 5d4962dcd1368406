package org.hyperslab.plugins.forwarding.server;

import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.compacting.report.Trace;
import org.hyperslab.plugins.forwarding.wire.Hello;

/**
 * Begins, finds and ends the sessions of a server.
 *
 * <p>Thread rule: any thread.
 */
final class SessionTable {

  private static final int MAX_SESSIONS = 1 << 20;

  /**
   * The time for which an abandoned session is kept even if its memory is needed, in milliseconds.
   */
  static final long MIN_GRACE_MILLIS = 3000;

  private final ServerOptions options;
  private final SessionServices services;
  private final StageLog log;
  private final Map<Long, ClientSession> sessions = new ConcurrentHashMap<>();

  /** The counters of sessions, by the number that the compactor uses for a session. */
  private final Map<Long, SessionCounts> counts = new ConcurrentHashMap<>();

  private final AtomicInteger numbers = new AtomicInteger();
  private final SecureRandom random = new SecureRandom();
  private boolean closing;

  SessionTable(ServerOptions options, SessionServices services, StageLog log) {
    this.options = options;
    this.services = services;
    this.log = log;
  }

  /**
   * Returns the session that a client continues, or begins a new one.
   *
   * @param hello the client's hello
   * @return the session
   * @throws InvalidUseException if the session to continue is unknown
   * @throws StorageException if there is no memory left, or the server is closing
   */
  ClientSession of(Hello hello) {
    ClientSession session = hello.session() == 0 ? begin(hello) : sessions.get(hello.session());
    if (session == null) {
      throw new InvalidUseException(
          "session: actual=unknown, expected=a session of this server; it has ended, or the "
              + "server was restarted");
    }
    return session;
  }

  private synchronized ClientSession begin(Hello hello) {
    MemoryGrants grants = services.grants();
    long wished = hello.windowBytes() <= 0 ? options.windowBytes() : hello.windowBytes();
    long window = grants.window(Math.min(wished, options.windowBytes()));
    if (window < ServerOptions.MIN_WINDOW_BYTES) {
      endLongestAway();
    }
    if (closing || window < ServerOptions.MIN_WINDOW_BYTES) {
      throw new StorageException(
          "session: actual="
              + (closing ? "server is closing" : "the memory of the server is in use")
              + ", expected=room; try again later");
    }
    grants.grant(MemoryGrants.sessionBytes(window));
    int number = freeNumber();
    long id = random.nextLong() >>> 1 | 1;
    ClientSession session = new ClientSession(services, id, number, hello, window);
    sessions.put(id, session);
    counts.put((long) number, session.counts());
    return session;
  }

  /**
   * Returns how long a session is kept whose connection was lost. A local connection usually breaks
   * because its process has ended, so its session is kept for a short time only, unless the client
   * was told how long to reconnect: what looks local may be a tunnel or a proxy.
   *
   * @param grace the longest time
   * @param local whether the connection came from this machine
   * @param reconnectSeconds the time for which the client was told to reconnect, in seconds; 0 if
   *     it was not told
   * @return the time in milliseconds
   */
  static long graceMillis(Duration grace, boolean local, long reconnectSeconds) {
    long asked = 1000L * Math.clamp(reconnectSeconds, 0, Integer.MAX_VALUE);
    return local ? Math.min(grace.toMillis(), Math.max(MIN_GRACE_MILLIS, asked)) : grace.toMillis();
  }

  /** Ends the session whose client has been away longest, to make room for another. */
  private void endLongestAway() {
    sessions.values().stream()
        .filter(session -> session.awayMillis() > MIN_GRACE_MILLIS)
        .max(Comparator.comparingLong(ClientSession::awayMillis))
        .ifPresent(away -> retire(away, null));
  }

  private int freeNumber() {
    while (true) {
      int number = 1 + Math.floorMod(numbers.getAndIncrement(), MAX_SESSIONS);
      if (sessions.values().stream().noneMatch(other -> other.number() == number)) {
        return number;
      }
    }
  }

  /** Counts a request that the compactor has handled. */
  void count(Trace trace) {
    SessionCounts session = counts.get(trace.origin().client());
    if (session != null) {
      session.count(trace.outcome());
    }
  }

  /**
   * Ends a session whose client has violated the protocol.
   *
   * @param id identifies the session
   * @param why the reason that the client is told
   */
  void expel(long id, String why) {
    ClientSession session = sessions.get(id);
    if (session != null) {
      log.of(Level.WARNING, "expelled", session.client(), session.number(), "reason", why);
      session.goodbye(why);
      retire(session, null);
    }
  }

  /**
   * Ends a session in a new thread, after carrying out the requests that have arrived.
   *
   * @param session the session
   * @param why the reason that the client is told; null to send none
   */
  void retire(ClientSession session, String why) {
    if (sessions.remove(session.id()) == null) {
      return;
    }
    counts.remove((long) session.number());
    log.of(
        StageLog.USUAL,
        "ended",
        session.client(),
        session.number(),
        "requests",
        session.counts().requests.sum(),
        "failures",
        session.counts().failures.sum());
    services
        .grants()
        .releaseAfter(() -> session.end(why), MemoryGrants.sessionBytes(session.window()));
  }

  /** {@return whether a session has not ended} */
  boolean holds(ClientSession session) {
    return sessions.get(session.id()) == session;
  }

  /** {@return the sessions} */
  List<ClientSession> all() {
    return List.copyOf(sessions.values());
  }

  /** Refuses new sessions; returns false if this was called before. */
  synchronized boolean close() {
    boolean first = !closing;
    closing = true;
    return first;
  }
}
