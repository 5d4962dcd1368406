package org.hyperslab.mpiio.schedule;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The actions of one rank in a collective: rounds of steps that run in order. A schedule is a value
 * that can be printed, compared and replayed; it depends on no clock, thread or network. Rounds may
 * be computed when they are asked for, so that a long schedule needs no memory of its own.
 *
 * <p>Thread rule: immutable if the rounds are.
 *
 * @param algorithm which algorithm made it, for messages
 * @param rank whose it is
 * @param rounds the steps of each round
 */
public record Schedule(String algorithm, int rank, List<List<Step>> rounds) {

  private static final int SHOWN_STEPS = 200;

  /**
   * {@return a schedule that does nothing}
   *
   * @param algorithm the name of the algorithm
   * @param rank the rank, from 0
   */
  public static Schedule empty(String algorithm, int rank) {
    return new Schedule(algorithm, rank, List.of());
  }

  /**
   * {@return a schedule whose i-th round {@code round} computes; it must be a pure function}
   *
   * @param algorithm the name of the algorithm
   * @param rank the rank, from 0
   * @param rounds how many rounds
   * @param round computes the steps of a round, counted from 0
   */
  public static Schedule computed(
      String algorithm, int rank, int rounds, IntFunction<List<Step>> round) {
    return new Schedule(
        algorithm,
        rank,
        new AbstractList<>() {
          @Override
          public List<Step> get(int index) {
            return round.apply(index);
          }

          @Override
          public int size() {
            return rounds;
          }
        });
  }

  /** {@return all steps in order} */
  public List<Step> steps() {
    List<Step> all = new ArrayList<>();
    rounds.forEach(all::addAll);
    return all;
  }

  /** The first rounds, a step a line. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(algorithm + ", rank " + rank);
    int shown = 0;
    for (int i = 0; i < rounds.size(); i++) {
      text.append("\nround ").append(i).append(':');
      for (Step step : rounds.get(i)) {
        if (++shown > SHOWN_STEPS) {
          return text.append("\n  …").toString();
        }
        text.append("\n  ").append(step);
      }
    }
    return text.toString();
  }
}
