package org.hyperslab.mpiio.schedule;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * The actions of one rank in a collective: rounds of steps that run in order. A schedule is a value
 * that can be printed, compared and replayed; it depends on no clock, thread or network. Rounds may
 * be computed on demand, so that a long schedule takes no memory.
 *
 * <p>Thread rule: immutable if the rounds are.
 *
 * @param algorithm the algorithm that made it, for messages
 * @param rank the rank that runs it
 * @param rounds the steps of each round
 * @param next computes the continuation from the findings so far; null if there is none
 */
public record Schedule(
    String algorithm, int rank, List<List<Step>> rounds, Function<Findings, Schedule> next) {

  private static final int SHOWN_STEPS = 200;

  /**
   * Creates a schedule without continuation.
   *
   * @param algorithm which algorithm made it, for messages
   * @param rank the rank that runs it
   * @param rounds the steps of each round
   */
  public Schedule(String algorithm, int rank, List<List<Step>> rounds) {
    this(algorithm, rank, rounds, null);
  }

  /**
   * {@return this schedule with the continuation that {@code next} computes when its last step has
   * ended}
   *
   * @param next computes the continuation; called once, on the thread that drives the schedule;
   *     must not wait
   */
  public Schedule then(Function<Findings, Schedule> next) {
    return new Schedule(algorithm, rank, rounds, next);
  }

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
   * @param rounds the number of rounds
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

  /**
   * {@return this schedule for another place of the file, without its continuation}
   *
   * @param distance bytes towards the end of the file; below 0 towards the beginning
   */
  public Schedule moved(long distance) {
    return distance == 0
        ? new Schedule(algorithm, rank, rounds)
        : computed(
            algorithm,
            rank,
            rounds.size(),
            i -> rounds.get(i).stream().map(step -> step.moved(distance)).toList());
  }

  /**
   * {@return this schedule with a lock around each write that holds none, without its continuation}
   * Concurrent accesses that read holes and write them back hold the same lock.
   */
  public Schedule withWritesLocked() {
    return computed(algorithm, rank, rounds.size(), i -> withWritesLocked(rounds.get(i)));
  }

  private static List<Step> withWritesLocked(List<Step> steps) {
    List<Step> locked = new ArrayList<>();
    boolean held = false;
    for (Step step : steps) {
      held = step instanceof Step.Lock || (held && !(step instanceof Step.Unlock));
      ExtentRuns written = held ? ExtentRuns.empty() : written(step);
      if (written.isEmpty()) {
        locked.add(step);
      } else {
        locked.add(new Step.Lock(written.first(), written.endExclusive()));
        locked.add(step);
        locked.add(new Step.Unlock());
      }
    }
    return locked;
  }

  private static ExtentRuns written(Step step) {
    return switch (step) {
      case Step.Write write -> write.file();
      case Step.ListTransfer list when list.write() -> list.file();
      default -> ExtentRuns.empty();
    };
  }

  /** {@return all steps in order} */
  public List<Step> steps() {
    List<Step> all = new ArrayList<>();
    rounds.forEach(all::addAll);
    return all;
  }

  /** Returns the first rounds, with one step in each line. */
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

  /** The findings and the counts of a rank in a schedule so far. */
  public interface Findings {

    /**
     * {@return the result of the last {@link Step.GatherAll}, {@link Step.ExchangeAll} (by rank) or
     * {@link Step.ReduceAll} (one element) of a slot that was awaited}
     *
     * @param slot the slot
     */
    long[][] received(int slot);

    /** {@return the counts so far} */
    StepCounts tally();

    /** {@return the first failure on this rank; null if there is none} */
    RuntimeException failure();
  }
}
