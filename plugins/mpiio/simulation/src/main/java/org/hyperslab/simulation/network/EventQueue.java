package org.hyperslab.simulation.network;

import java.util.Arrays;

/**
 * The next time of each of many things: a heap of times, in which each number has one time at most,
 * which may change. Of equal times the lowest number comes first, so that a simulation is
 * deterministic.
 *
 * <p>Allocates only when it grows. Thread rule: one thread.
 */
public final class EventQueue {

  private static final int ARITY = 4;

  private double[] times;
  private int[] ids;
  private int[] places;
  private int size;

  /**
   * Creates an empty queue.
   *
   * @param numbers how many numbers are expected; it grows if there are more
   */
  public EventQueue(int numbers) {
    int room = Math.max(16, numbers);
    times = new double[room];
    ids = new int[room];
    places = new int[room];
    Arrays.fill(places, -1);
  }

  /** {@return whether nothing has a time} */
  public boolean isEmpty() {
    return size == 0;
  }

  /** {@return the earliest time; infinite if nothing has one} */
  public double nextTime() {
    return size == 0 ? Double.POSITIVE_INFINITY : times[0];
  }

  /** {@return the number with the earliest time} */
  public int nextId() {
    return ids[0];
  }

  /**
   * Removes the number with the earliest time.
   *
   * @return the number
   */
  public int poll() {
    int id = ids[0];
    remove(id);
    return id;
  }

  /**
   * Gives a number a time, instead of its earlier one.
   *
   * @param id the number, at least 0
   * @param time its time
   */
  public void set(int id, double time) {
    reserve(id);
    int at = places[id];
    if (at < 0) {
      rise(size++, id, time);
    } else if (before(time, id, times[at], id)) {
      rise(at, id, time);
    } else {
      sink(at, id, time);
    }
  }

  /**
   * Gives a number that has none a time, without order: {@link #order} must follow before anything
   * else is asked.
   *
   * @param id the number, at least 0
   * @param time its time
   */
  void append(int id, double time) {
    reserve(id);
    put(size++, id, time);
  }

  /** Restores the order after calls of {@link #append}. */
  void order() {
    for (int at = (size - 2) / ARITY; at >= 0 && size > 1; at--) {
      sink(at, ids[at], times[at]);
    }
  }

  /** Takes the times of all numbers away. */
  void clear() {
    for (int at = 0; at < size; at++) {
      places[ids[at]] = -1;
    }
    size = 0;
  }

  private void reserve(int id) {
    if (id >= places.length) {
      int before = places.length;
      places = Arrays.copyOf(places, Math.max(id + 1, 2 * before));
      Arrays.fill(places, before, places.length, -1);
    }
    if (size == ids.length) {
      ids = Arrays.copyOf(ids, 2 * size);
      times = Arrays.copyOf(times, 2 * size);
    }
  }

  /**
   * Takes a number's time away.
   *
   * @param id the number; nothing happens if it has no time
   */
  public void remove(int id) {
    int at = id < places.length ? places[id] : -1;
    if (at < 0) {
      return;
    }
    places[id] = -1;
    int last = --size;
    if (at == last) {
      return;
    }
    int moved = ids[last];
    double time = times[last];
    if (at > 0 && before(time, moved, times[(at - 1) / ARITY], ids[(at - 1) / ARITY])) {
      rise(at, moved, time);
    } else {
      sink(at, moved, time);
    }
  }

  private static boolean before(double time, int id, double other, int otherId) {
    return time < other || (time == other && id < otherId);
  }

  private void put(int at, int id, double time) {
    ids[at] = id;
    times[at] = time;
    places[id] = at;
  }

  private void rise(int from, int id, double time) {
    int at = from;
    while (at > 0) {
      int above = (at - 1) / ARITY;
      if (!before(time, id, times[above], ids[above])) {
        break;
      }
      put(at, ids[above], times[above]);
      at = above;
    }
    put(at, id, time);
  }

  private void sink(int from, int id, double time) {
    int at = from;
    while (true) {
      int first = ARITY * at + 1;
      int least = -1;
      for (int child = first; child < Math.min(size, first + ARITY); child++) {
        if (least < 0 || before(times[child], ids[child], times[least], ids[least])) {
          least = child;
        }
      }
      if (least < 0 || !before(times[least], ids[least], time, id)) {
        break;
      }
      put(at, ids[least], times[least]);
      at = least;
    }
    put(at, id, time);
  }
}
