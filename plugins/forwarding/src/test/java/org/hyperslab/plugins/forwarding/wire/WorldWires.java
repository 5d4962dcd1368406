package org.hyperslab.plugins.forwarding.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hyperslab.testkit.world.World;
import org.hyperslab.testkit.world.WorldProcess;

/**
 * What connects the processes of a world: bytes of a connection arrive in order, after a delay of
 * their own, so that connections overtake each other.
 */
public final class WorldWires {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final World world;
  private final Map<Integer, WorldListener> listening = new HashMap<>();
  private final Set<Line> lines = new LinkedHashSet<>();
  private long slowestNanos = 2 * NANOS_PER_MILLI;

  /** Creates a network without connections. */
  public WorldWires(World world) {
    this.world = world;
  }

  World world() {
    return world;
  }

  /** {@return the sockets of a process} */
  public WireNetwork of(WorldProcess process) {
    return new WorldNetwork(this, process);
  }

  /** Changes the longest delay. */
  public void slow(long nanoseconds) {
    slowestNanos = nanoseconds;
  }

  /** Cuts a connection, or ends one of its directions only, as the seed decides. */
  public void cutOne() {
    if (!lines.isEmpty()) {
      List<Line> all = new ArrayList<>(lines);
      all.get(world.random().nextInt(all.size())).cut(world.random().nextInt(3));
    }
  }

  long delay() {
    return world.random().nextInt(8) == 0
        ? world.random().nextLong(slowestNanos)
        : world.random().nextLong(slowestNanos / 20 + 1);
  }

  boolean listen(int port, WorldListener listener) {
    return listening.putIfAbsent(port, listener) == null;
  }

  void unlisten(int port, WorldListener listener) {
    listening.remove(port, listener);
  }

  WorldListener at(int port) {
    return listening.get(port);
  }

  Line line(WorldSocket client, WorldSocket server) {
    Line line = new Line(client, server);
    lines.add(line);
    return line;
  }

  /** A connection: two directions. */
  final class Line {
    private final WorldSocket client;
    private final WorldSocket server;
    private long clientLast;
    private long serverLast;
    private boolean lost;

    Line(WorldSocket client, WorldSocket server) {
      this.client = client;
      this.server = server;
    }

    private WorldSocket other(WorldSocket from) {
      return from == client ? server : client;
    }

    /** Carries out an action at the other end, after everything sent before. */
    private void arrive(WorldSocket from, Runnable action) {
      long at = world.nanoTime() + delay();
      if (from == client) {
        clientLast = Math.max(clientLast + 1, at);
        at = clientLast;
      } else {
        serverLast = Math.max(serverLast + 1, at);
        at = serverLast;
      }
      WorldSocket to = other(from);
      WorldSocket.at(world, to.process(), at - world.nanoTime(), action);
    }

    void send(WorldSocket from, byte[] bytes) {
      if (!lost) {
        arrive(
            from,
            () -> {
              if (!lost) {
                other(from).arrived(bytes);
              }
            });
      }
    }

    /** Tells the other end that nothing more comes. */
    void end(WorldSocket from) {
      lines.remove(this);
      if (!lost) {
        arrive(from, () -> other(from).ended(false));
      }
    }

    /** Cuts the connection: what is under way is lost, and the ends learn it, early or late. */
    void cut(int how) {
      lost = true;
      lines.remove(this);
      long soon = delay();
      long late = how == 0 ? delay() : world.random().nextLong(20_000) * NANOS_PER_MILLI;
      WorldSocket.at(world, client.process(), how == 1 ? late : soon, () -> client.ended(true));
      WorldSocket.at(world, server.process(), how == 1 ? soon : late, () -> server.ended(true));
    }
  }
}
