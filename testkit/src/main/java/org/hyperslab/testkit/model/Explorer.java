package org.hyperslab.testkit.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/**
 * Searches all states of a protocol, the nearest first, for one that breaks a promise, and for one
 * that leads to no end.
 *
 * <p>Thread rule: without state.
 */
public final class Explorer {

  /** The trouble of states from which no state can be reached that may be the last one. */
  public static final String NO_END = "does not end";

  private Explorer() {}

  /**
   * What a search through all states of a protocol has found.
   *
   * @param states the number of states
   * @param depth the greatest number of steps that lead to a state, on the shortest way
   * @param trouble the promise that does not hold; empty if all do
   * @param way the names of the steps that lead to the trouble, a shortest one; empty without
   *     trouble
   */
  public record Found(int states, int depth, Optional<String> trouble, List<String> way) {}

  /** How a state is reached. */
  private record Arrival<S>(S from, String step, int depth) {}

  /**
   * Searches all states.
   *
   * @param protocol the protocol
   * @param mostStates the most states that it may have
   * @param <S> the states
   * @return what was found
   * @throws IllegalStateException if there are more states
   */
  public static <S> Found explore(Protocol<S> protocol, int mostStates) {
    Map<S, Arrival<S>> arrivals = new HashMap<>();
    Map<S, List<S>> before = new HashMap<>();
    Queue<S> next = new ArrayDeque<>();
    for (S start : protocol.starts()) {
      arrivals.put(start, new Arrival<>(null, "", 0));
      next.add(start);
    }
    int depth = 0;
    while (!next.isEmpty()) {
      S state = next.remove();
      depth = arrivals.get(state).depth;
      Optional<String> broken = protocol.broken(state);
      if (broken.isPresent()) {
        return new Found(arrivals.size(), depth, broken, way(arrivals, state));
      }
      for (Protocol.Step<S> step : protocol.steps(state)) {
        before.computeIfAbsent(step.next(), each -> new ArrayList<>()).add(state);
        if (arrivals.putIfAbsent(step.next(), new Arrival<>(state, step.name(), depth + 1))
            == null) {
          next.add(step.next());
        }
      }
      if (arrivals.size() > mostStates) {
        throw new IllegalStateException("more than " + mostStates + " states");
      }
    }
    Optional<S> endless = endless(protocol, arrivals, before);
    return new Found(
        arrivals.size(),
        depth,
        endless.map(state -> NO_END),
        endless.map(state -> way(arrivals, state)).orElse(List.of()));
  }

  /** Returns a state from which none can be reached that may be the last one. */
  private static <S> Optional<S> endless(
      Protocol<S> protocol, Map<S, Arrival<S>> arrivals, Map<S, List<S>> before) {
    Set<S> ending = new HashSet<>();
    Queue<S> next = new ArrayDeque<>();
    for (S state : arrivals.keySet()) {
      if (protocol.mayEnd(state)) {
        ending.add(state);
        next.add(state);
      }
    }
    while (!next.isEmpty()) {
      for (S state : before.getOrDefault(next.remove(), List.of())) {
        if (ending.add(state)) {
          next.add(state);
        }
      }
    }
    return arrivals.entrySet().stream()
        .filter(each -> !ending.contains(each.getKey()))
        .min((a, b) -> Integer.compare(a.getValue().depth, b.getValue().depth))
        .map(Map.Entry::getKey);
  }

  private static <S> List<String> way(Map<S, Arrival<S>> arrivals, S state) {
    List<String> steps = new ArrayList<>();
    for (Arrival<S> at = arrivals.get(state); at.from != null; at = arrivals.get(at.from)) {
      steps.addFirst(at.step);
    }
    return steps;
  }
}
