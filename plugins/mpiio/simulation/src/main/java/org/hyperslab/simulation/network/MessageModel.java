package org.hyperslab.simulation.network;

import java.util.Arrays;
import org.hyperslab.machine.MessageCosts;
import org.hyperslab.machine.RankMap;

/**
 * Messages between ranks in virtual time. Messages have numbers from 0, which may be used again
 * once they have arrived. Times are nanoseconds from the start, and calls are made in their order.
 *
 * <p>Thread rule: one thread.
 */
public abstract sealed class MessageModel permits FlowMessages, LogGpMessages {

  /** Receives the arrivals of messages. */
  @FunctionalInterface
  public interface Arrivals {

    /**
     * Receives the arrival of a message.
     *
     * @param message its number
     * @param at when its last byte arrives
     * @param received when the receiving rank has taken it, too
     */
    void arrived(int message, double at, double received);
  }

  final Wires wires;
  final MessageCosts costs;
  final double copyBytesPerNano;
  final Arrivals arrivals;
  final EventQueue events;
  final double[] cpuFree;
  int[] from = new int[64];
  int[] to = new int[64];
  long[] bytes = new long[64];

  MessageModel(RankMap ranks, double copyBytesPerSecond, Arrivals arrivals) {
    this.wires = new Wires(ranks);
    this.costs = ranks.machine().messages();
    this.copyBytesPerNano = copyBytesPerSecond / 1e9;
    this.arrivals = arrivals;
    this.events = new EventQueue(ranks.size());
    this.cpuFree = new double[ranks.size()];
  }

  /** {@return whether a message leaves before its receiver waits for it} */
  public abstract boolean isEager();

  /**
   * {@return when a rank may begin to send}
   *
   * @param rank the rank
   * @param now the time from which it wants to
   */
  public double sendTime(int rank, double now) {
    return Math.max(now, cpuFree[rank]);
  }

  /**
   * Occupies a rank's processor for a time.
   *
   * @param rank the rank
   * @param now the time from which it wants to
   * @param nanos for how long
   * @return when it ends
   */
  public final double work(int rank, double now, double nanos) {
    cpuFree[rank] = Math.max(now, cpuFree[rank]) + nanos;
    return cpuFree[rank];
  }

  /**
   * Occupies a rank's processor with the overhead of sending.
   *
   * @param rank the sender
   * @param now the time, at least {@link #sendTime}
   * @return when the rank continues
   */
  public double overhead(int rank, double now) {
    return work(rank, now, costs.overheadNanos());
  }

  /**
   * {@return when a rank may begin a request to the file}
   *
   * @param rank the rank
   * @param now the time from which it wants to
   */
  public double requestTime(int rank, double now) {
    return now;
  }

  /**
   * Tells that a rank waits for a request to the file until {@link #release}.
   *
   * @param rank the rank
   */
  public void hold(int rank) {
    // Messages come meanwhile unless the model says otherwise.
  }

  /**
   * Tells that a rank's request to the file has ended.
   *
   * @param rank the rank
   * @param now the time
   */
  public void release(int rank, double now) {
    // See hold.
  }

  /**
   * Starts a message.
   *
   * @param message its number
   * @param sender the sending rank
   * @param receiver the receiving rank
   * @param length the number of bytes
   * @param ready when both sides are ready for it; the sender alone if messages are eager
   */
  public final void start(int message, int sender, int receiver, long length, double ready) {
    if (message >= from.length) {
      int room = Math.max(message + 1, 2 * from.length);
      from = Arrays.copyOf(from, room);
      to = Arrays.copyOf(to, room);
      bytes = Arrays.copyOf(bytes, room);
      grow(room);
    }
    from[message] = sender;
    to[message] = receiver;
    bytes[message] = length;
    launch(message, ready);
  }

  abstract void grow(int room);

  abstract void launch(int message, double ready);

  /**
   * {@return the sender of a message}
   *
   * @param message its number
   */
  public final int sender(int message) {
    return from[message];
  }

  /**
   * {@return the receiver of a message}
   *
   * @param message its number
   */
  public final int receiver(int message) {
    return to[message];
  }

  /**
   * {@return the length of a message in bytes}
   *
   * @param message its number
   */
  public final long length(int message) {
    return bytes[message];
  }

  /** {@return the time of the next event; infinite if there is none} */
  public double nextTime() {
    return events.nextTime();
  }

  /** Makes the next event happen. */
  public abstract void advance();
}
