package org.hyperslab.simulation;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.simulation.network.LongNumbers;

/**
 * The messages under way, and the sends and receives that wait for their other side, each pair of
 * ranks in its order. Allocates only when it grows.
 */
final class SimulatedMessages {

  /** What a message is. */
  enum Kind {
    /** Of a send and a receive. */
    PAIR,
    /** Of a send, whose receive need not have been posted. */
    EAGER,
    /** A put into a window. */
    PUT,
    /** The number of a fence. */
    FENCE
  }

  private static final int NONE = -1;

  private Kind[] kind = new Kind[64];
  private int[] sendSlot = new int[64];
  private int[] receiveSlot = new int[64];
  private long[] epoch = new long[64];
  private int[] nextFree = new int[64];
  private int free = NONE;
  private int messages;

  private final LongNumbers heads = new LongNumbers();
  private int[] halfSlot = new int[64];
  private long[] halfBytes = new long[64];
  private double[] halfAt = new double[64];
  private boolean[] halfSends = new boolean[64];
  private int[] halfNext = new int[64];
  private int[] halfLast = new int[64];
  private int freeHalf = NONE;
  private int halves;

  /** Returns the number of a new message. */
  int create(Kind what, int sender, int receiver, long number) {
    int message = free;
    if (message == NONE) {
      if (messages == kind.length) {
        int room = 2 * messages;
        kind = Arrays.copyOf(kind, room);
        sendSlot = Arrays.copyOf(sendSlot, room);
        receiveSlot = Arrays.copyOf(receiveSlot, room);
        epoch = Arrays.copyOf(epoch, room);
        nextFree = Arrays.copyOf(nextFree, room);
      }
      message = messages++;
    } else {
      free = nextFree[message];
    }
    kind[message] = what;
    sendSlot[message] = sender;
    receiveSlot[message] = receiver;
    epoch[message] = number;
    return message;
  }

  /** Makes a number free for other messages. */
  void release(int message) {
    nextFree[message] = free;
    free = message;
  }

  Kind kind(int message) {
    return kind[message];
  }

  int sendSlot(int message) {
    return sendSlot[message];
  }

  int receiveSlot(int message) {
    return receiveSlot[message];
  }

  long epoch(int message) {
    return epoch[message];
  }

  /**
   * Looks for the first waiting side of a pair of ranks that this side completes.
   *
   * @return its number, for {@link #slot} and {@link #at} until the next call; -1 if there is none,
   *     and then this side waits
   */
  int match(int from, int to, boolean sends, int slot, long bytes, double at) {
    long lane = (long) from << Integer.SIZE | to;
    int head = heads.get(lane);
    if (head == NONE || halfSends[head] == sends) {
      add(lane, head, sends, slot, bytes, at);
      return NONE;
    }
    if (halfBytes[head] != bytes) {
      throw new InvalidUseException(
          "schedules: actual=a message of "
              + (sends ? bytes : halfBytes[head])
              + " bytes from rank "
              + from
              + " to "
              + to
              + ", expected="
              + (sends ? halfBytes[head] : bytes));
    }
    int following = halfNext[head];
    if (following == NONE) {
      heads.remove(lane);
    } else {
      halfLast[following] = halfLast[head];
      heads.put(lane, following);
    }
    halfNext[head] = freeHalf;
    freeHalf = head;
    return head;
  }

  private void add(long lane, int head, boolean sends, int slot, long bytes, double at) {
    int half = freeHalf;
    if (half == NONE) {
      if (halves == halfSlot.length) {
        int room = 2 * halves;
        halfSlot = Arrays.copyOf(halfSlot, room);
        halfBytes = Arrays.copyOf(halfBytes, room);
        halfAt = Arrays.copyOf(halfAt, room);
        halfSends = Arrays.copyOf(halfSends, room);
        halfNext = Arrays.copyOf(halfNext, room);
        halfLast = Arrays.copyOf(halfLast, room);
      }
      half = halves++;
    } else {
      freeHalf = halfNext[half];
    }
    halfSlot[half] = slot;
    halfBytes[half] = bytes;
    halfAt[half] = at;
    halfSends[half] = sends;
    halfNext[half] = NONE;
    if (head == NONE) {
      halfLast[half] = half;
      heads.put(lane, half);
    } else {
      halfNext[halfLast[head]] = half;
      halfLast[head] = half;
    }
  }

  int slot(int half) {
    return halfSlot[half];
  }

  double at(int half) {
    return halfAt[half];
  }
}
