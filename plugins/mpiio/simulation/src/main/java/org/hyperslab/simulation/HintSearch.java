package org.hyperslab.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.access.ExtentRuns;

/**
 * Searches hints for a job in virtual time, without a trial run. A closed model sorts combinations
 * of algorithm, number of aggregators and buffer; the best of each algorithm are simulated, then
 * their neighbours with fewer and more aggregators and smaller and larger buffers, as long as that
 * gains; then the next best of the model and their neighbours, as far as the number of ranks
 * allows. The default hints are always among the simulated ones.
 *
 * <p>Thread rule: one thread.
 */
public final class HintSearch {

  private static final List<String> ALGORITHMS = List.of("two-phase", "dynamic", "individual");
  private static final String COLLECTIVE = "hyperslab_collective";
  private static final String NODES = "cb_nodes";
  private static final String BUFFER = "cb_buffer_size";

  /** The ranks that are simulated in all, in about a second each 100,000. */
  private static final int RANKS_IN_ALL = 1 << 18;

  private static final int LEAST_SIMULATED = 4;
  private static final int MOST_SIMULATED = 40;

  private final SimulatedJob job;
  private final boolean write;
  private final IntFunction<SimulatedJob.Access> accesses;
  private final Map<Map<String, String>, Double> simulated = new LinkedHashMap<>();
  private final int budget;

  /**
   * What was found.
   *
   * @param hints the best hints; empty if nothing is better than the defaults
   * @param seconds their simulated time
   * @param simulated the simulated time of each combination in seconds, in the order of simulation;
   *     the first is that of the defaults
   * @param modelled how many combinations the closed model has compared
   */
  public record Found(
      Map<String, String> hints,
      double seconds,
      Map<Map<String, String>, Double> simulated,
      int modelled) {}

  private HintSearch(
      SimulatedJob job, boolean write, IntFunction<SimulatedJob.Access> accesses, int budget) {
    this.job = job;
    this.write = write;
    this.accesses = accesses;
    this.budget = budget;
  }

  /**
   * {@return the best hints for a collective access}
   *
   * @param job the job; its hints are the defaults, which the search changes
   * @param write whether the file is written
   * @param accesses the access of each rank, from 0
   * @throws InvalidUseException if a hint or an access is not valid
   */
  public static Found of(
      SimulatedJob job, boolean write, IntFunction<SimulatedJob.Access> accesses) {
    int most = RANKS_IN_ALL / Math.max(1, job.ranks().size());
    int budget = Math.clamp(most, LEAST_SIMULATED, MOST_SIMULATED);
    return new HintSearch(job, write, accesses, budget).search();
  }

  /**
   * {@return all combinations that a search compares, the defaults first}
   *
   * @param job the job
   */
  public static List<Map<String, String>> combinations(SimulatedJob job) {
    Set<Map<String, String>> all = new LinkedHashSet<>();
    all.add(Map.of());
    for (String algorithm : ALGORITHMS) {
      if (algorithm.equals("individual")) {
        all.add(Map.of(COLLECTIVE, algorithm));
        continue;
      }
      for (int count : counts(job)) {
        for (long bytes : buffers()) {
          all.add(combination(algorithm, count, bytes));
        }
      }
    }
    return List.copyOf(all);
  }

  private static Map<String, String> combination(String algorithm, int count, long bytes) {
    Map<String, String> hints = new LinkedHashMap<>();
    hints.put(COLLECTIVE, algorithm);
    hints.put(NODES, Integer.toString(count));
    hints.put(BUFFER, Long.toString(bytes));
    return hints;
  }

  /** Returns numbers of aggregators: multiples and parts of the nodes and of the servers. */
  private static List<Integer> counts(SimulatedJob job) {
    int ranks = job.ranks().size();
    TreeSet<Integer> used = new TreeSet<>();
    for (int rank = 0; rank < ranks; rank++) {
      used.add(job.ranks().node(rank));
    }
    int servers = SimulatedHints.striped(job.ranks().machine().storage(), job.hints()).count();
    TreeSet<Integer> counts = new TreeSet<>();
    for (long base : new long[] {used.size(), servers}) {
      for (int power = -3; power <= 2; power++) {
        long count = power < 0 ? base >> -power : base << power;
        if (count >= 1) {
          counts.add((int) Math.min(ranks, count));
        }
      }
    }
    return List.copyOf(counts);
  }

  private static List<Long> buffers() {
    return List.of(1L << 20, 1L << 22, 1L << 24, 1L << 26);
  }

  private Found search() {
    List<Map<String, String>> all = combinations(job);
    List<ExtentRuns> lists = new ArrayList<>();
    for (int rank = 0; rank < job.ranks().size(); rank++) {
      lists.add(SimulatedJob.extents(accesses.apply(rank)));
    }
    HintModel model = HintModel.of(job, lists);
    Map<Map<String, String>, Double> estimated = new LinkedHashMap<>();
    for (Map<String, String> each : all) {
      if (!each.isEmpty()) {
        estimated.put(each, model.nanos(job.hints().with(each)));
      }
    }
    List<Map<String, String>> sorted =
        estimated.keySet().stream().sorted(Comparator.comparingDouble(estimated::get)).toList();
    seconds(Map.of());
    for (Map<String, String> start : starts(sorted)) {
      seconds(start);
    }
    descend(all);
    for (Map<String, String> next : ofEachCount(sorted)) {
      seconds(next);
    }
    descend(all);
    Map<String, String> best = best();
    return new Found(best, simulated.get(best), new LinkedHashMap<>(simulated), estimated.size());
  }

  /** Returns the best combination of each algorithm by the model, the best of all first. */
  private static List<Map<String, String>> starts(List<Map<String, String>> sorted) {
    Map<String, Map<String, String>> first = new LinkedHashMap<>();
    for (Map<String, String> each : sorted) {
      first.putIfAbsent(each.get(COLLECTIVE), each);
    }
    return List.copyOf(first.values());
  }

  /** Returns the best combination of each algorithm and number of aggregators by the model. */
  private static List<Map<String, String>> ofEachCount(List<Map<String, String>> sorted) {
    Map<List<String>, Map<String, String>> first = new LinkedHashMap<>();
    for (Map<String, String> each : sorted) {
      first.putIfAbsent(List.of(each.get(COLLECTIVE), each.getOrDefault(NODES, "")), each);
    }
    return List.copyOf(first.values());
  }

  /** Simulates the neighbours of the best combination until none is better. */
  private void descend(List<Map<String, String>> all) {
    List<Map<String, String>> open = byTime();
    for (Map<String, String> start : open) {
      Map<String, String> at = start;
      Map<String, String> before = null;
      while (at != before && at.containsKey(NODES)) {
        before = at;
        for (Map<String, String> next : neighbours(before, all)) {
          if (seconds(next) < seconds(at)) {
            at = next;
          }
        }
      }
    }
  }

  private List<Map<String, String>> byTime() {
    return simulated.keySet().stream().sorted(Comparator.comparingDouble(simulated::get)).toList();
  }

  private Map<String, String> best() {
    Map<String, String> best = byTime().getFirst();
    double defaults = simulated.get(Map.<String, String>of());
    return simulated.get(best) < defaults ? best : Map.of();
  }

  private List<Map<String, String>> neighbours(
      Map<String, String> at, List<Map<String, String>> all) {
    List<Integer> counts = counts(job);
    List<Long> buffers = buffers();
    int count = counts.indexOf(Integer.valueOf(at.get(NODES)));
    int buffer = buffers.indexOf(Long.valueOf(at.get(BUFFER)));
    List<Map<String, String>> found = new ArrayList<>();
    int[][] moves = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int[] move : moves) {
      int c = count + move[0];
      int b = buffer + move[1];
      if (c >= 0 && c < counts.size() && b >= 0 && b < buffers.size()) {
        found.add(combination(at.get(COLLECTIVE), counts.get(c), buffers.get(b)));
      }
    }
    found.retainAll(all);
    return found;
  }

  /** Returns the simulated time; infinite if no more is to be simulated. */
  private double seconds(Map<String, String> changed) {
    Double known = simulated.get(changed);
    if (known != null) {
      return known;
    }
    if (simulated.size() >= budget) {
      return Double.POSITIVE_INFINITY;
    }
    double found = seconds(job, write, accesses, changed);
    simulated.put(changed, found);
    return found;
  }

  /**
   * {@return the simulated time of an access with changed hints, in seconds}
   *
   * @param job the job
   * @param write whether the file is written
   * @param accesses the access of each rank
   * @param changed the hints that differ from those of the job
   */
  public static double seconds(
      SimulatedJob job,
      boolean write,
      IntFunction<SimulatedJob.Access> accesses,
      Map<String, String> changed) {
    SimulatedJob other =
        new SimulatedJob(job.ranks(), job.hints().with(changed), job.costs(), job.network());
    return (write ? other.write(accesses) : other.read(accesses)).seconds();
  }
}
