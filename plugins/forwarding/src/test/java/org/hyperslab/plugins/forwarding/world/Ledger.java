package org.hyperslab.plugins.forwarding.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the clients of a history have done, and what they were told: the auditor. It knows the
 * promises of the documents only, and judges what is read against them.
 *
 * <p>An object (a dataset, or an attribute, which is one element) is changed by one client only.
 * Its events are in the order in which that client submitted them.
 */
final class Ledger {

  private final Map<String, Thing> things = new LinkedHashMap<>();
  private final Map<String, Boolean> files = new LinkedHashMap<>();
  private static final boolean TRACE = Boolean.getBoolean("hyperslab.world.trace");

  private final boolean storageFails;
  private long clock;

  /**
   * Creates an empty ledger.
   *
   * @param storageFails whether a change may fail before its client is told
   */
  Ledger(boolean storageFails) {
    this.storageFails = storageFails;
  }

  /** An object: a dataset, or an attribute. */
  static final class Thing {
    final String file;
    final String path;
    final String attribute;
    final int owner;
    final int length;
    final List<Event> events = new ArrayList<>();

    Thing(String file, String path, String attribute, int owner, int length) {
      this.file = file;
      this.path = path;
      this.attribute = attribute;
      this.owner = owner;
      this.length = length;
    }

    boolean isDeleted() {
      return !events.isEmpty() && events.getLast().deletes;
    }

    @Override
    public String toString() {
      return file + ":" + path + (attribute == null ? "" : "@" + attribute);
    }
  }

  /** A change of an object, and what is known of it. */
  final class Event {
    final int low;
    final int high;
    final int value;
    final boolean deletes;
    final Object session;
    final long issued = ++clock;
    long acknowledged = Long.MAX_VALUE;
    boolean failed;
    boolean durable;

    Event(int low, int high, int value, boolean deletes, Object session) {
      this.low = low;
      this.high = high;
      this.value = value;
      this.deletes = deletes;
      this.session = session;
    }

    /** Records the acknowledgement. */
    void done(boolean isApplied, boolean isDurable) {
      say("done " + isApplied + " " + isDurable + " " + this);
      acknowledged = isApplied ? ++clock : acknowledged;
      durable |= isDurable;
    }

    void fail() {
      say("fails " + this);
      failed = true;
    }

    @Override
    public String toString() {
      return (deletes ? "delete" : value + "[" + low + ".." + high + ")")
          + "@"
          + issued
          + (acknowledged < Long.MAX_VALUE ? " applied@" + acknowledged : "")
          + (failed ? " failed" : "")
          + (durable ? " durable" : "");
    }
  }

  Thing thing(String file, String path, String attribute, int owner, int length) {
    Thing made = new Thing(file, path, attribute, owner, length);
    things.put(made.toString(), made);
    return made;
  }

  List<Thing> things() {
    return List.copyOf(things.values());
  }

  List<Thing> thingsOf(String file) {
    return things.values().stream().filter(thing -> thing.file.equals(file)).toList();
  }

  /** Records a file; durable if it must exist from now on. */
  void file(String name, boolean durable) {
    files.merge(name, durable, Boolean::logicalOr);
  }

  Map<String, Boolean> files() {
    return Map.copyOf(files);
  }

  Event event(Thing thing, int low, int high, int value, Object session) {
    Event event = new Event(low, high, value, false, session);
    say("begins " + thing + " " + event);
    thing.events.add(event);
    return event;
  }

  Event deletion(Thing thing, Object session) {
    Event event = new Event(0, thing.length, 0, true, session);
    thing.events.add(event);
    return event;
  }

  private static void say(String what) {
    if (TRACE) {
      System.err.println("    " + what);
    }
  }

  long now() {
    return ++clock;
  }

  /**
   * Records that a flush or a close has returned: what its session had submitted before, and what
   * others were told before, is durable.
   */
  void flushed(String file, Object session, long since) {
    say("flushed " + file + " since " + since);
    for (Thing thing : thingsOf(file)) {
      for (Event event : thing.events) {
        boolean before =
            event.session == session ? event.issued < since : event.acknowledged < since;
        event.durable |= before && !event.failed;
      }
    }
    file(file, true);
  }

  /** Records that a flush of a session has failed: its events may be lost. */
  void doubt(String file, Object session) {
    for (Thing thing : thingsOf(file)) {
      for (Event event : thing.events) {
        event.failed |= event.session == session && !event.durable;
      }
    }
  }

  /** What a reader may find. */
  enum Rule {
    /** Everything that was acknowledged as applied before the read began. */
    APPLIED,
    /** Everything that is durable. */
    DURABLE
  }

  /**
   * Judges what was read.
   *
   * @param values the elements; null if the object is absent
   * @param since when the read was submitted; events that were acknowledged before it are seen
   * @param reader the session that reads, which sees everything that it has submitted before
   * @return what is wrong; null if nothing is
   */
  String judge(Thing thing, int[] values, Rule rule, long since, Object reader) {
    for (int at = 0; at < thing.length; at++) {
      Set<String> allowed = allowed(thing, at, rule, since, reader);
      String found = values == null ? "absent" : at < values.length ? "" + values[at] : "missing";
      if (!allowed.contains(found)) {
        return thing
            + "["
            + at
            + "]: actual="
            + found
            + ", expected="
            + allowed
            + " by "
            + rule
            + " since "
            + since
            + "; events "
            + thing.events;
      }
      if (values == null) {
        return null;
      }
    }
    return null;
  }

  private Set<String> allowed(Thing thing, int at, Rule rule, long since, Object reader) {
    Set<String> allowed = new TreeSet<>();
    allowed.add("absent");
    for (Event event : thing.events) {
      if (at < event.low || at >= event.high) {
        continue;
      }
      boolean isSeen =
          rule == Rule.DURABLE
              ? event.durable
              : event.acknowledged < since
                  || (!storageFails && event.session == reader && event.issued < since);
      if (isSeen && !event.failed) {
        allowed.clear();
      }
      allowed.add(event.deletes ? "absent" : "" + event.value);
    }
    return allowed;
  }

  /** Continues from what was found after a crash: that, and nothing before, is what there is. */
  void settle(Thing thing, int[] values, Object session) {
    if (values == null) {
      thing.events.clear();
      Event gone = deletion(thing, session);
      gone.done(true, true);
      return;
    }
    thing.events.clear();
    for (int at = 0; at < thing.length; ) {
      int end = at + 1;
      while (end < thing.length && values[end] == values[at]) {
        end++;
      }
      event(thing, at, end, values[at], session).done(true, true);
      at = end;
    }
  }

  static int[] filled(int length, int value) {
    int[] all = new int[length];
    Arrays.fill(all, value);
    return all;
  }
}
