package org.hyperslab.examples.ffbench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.examples.flashio.FlashFile;
import org.hyperslab.examples.flashio.FlashIo;
import org.hyperslab.examples.flashio.FlashMesh;
import org.hyperslab.examples.flashio.FlashProgress;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.passthrough.IoProfile;
import org.hyperslab.vol.passthrough.TracingConnector;

/**
 * Runs the scenarios with and without a compactor. A tracing connector below the compactor, if any,
 * counts the requests that pass.
 *
 * <p>Thread rule: confined to one thread, which starts others.
 */
public final class FfBench {

  private final FfSetup setup;
  private final FfSizes sizes;

  /**
   * Prepares a measurement.
   *
   * @param setup connectors and costs
   * @param sizes the amounts of data
   */
  public FfBench(FfSetup setup, FfSizes sizes) {
    this.setup = setup;
    this.sizes = sizes;
  }

  /**
   * Runs scenarios, each with and without the compactor in turn, and checks what is read.
   *
   * @param scenarios the scenarios to run
   * @param done receives each result as soon as it is available
   * @return all results
   * @throws IllegalStateException if a value read differs from what was written
   * @throws org.hyperslab.error.HyperslabException if a connector fails
   */
  public List<FfResult> run(List<FfScenario> scenarios, Consumer<FfResult> done) {
    List<FfResult> results = new ArrayList<>();
    // One session for all runs, like a long-running server whose buffers have been used before.
    try (Session without = Hdf5.session(setup.without());
        Session with = Hdf5.session(setup.with())) {
      for (FfScenario scenario : scenarios) {
        FfResult result = run(scenario, without, with);
        results.add(result);
        done.accept(result);
      }
    }
    return results;
  }

  /**
   * Runs both in turn, in alternating order, because the second run finds another state of the page
   * cache. The first pair warms up and is not counted.
   */
  private FfResult run(FfScenario scenario, Session without, Session with) {
    List<FfResult.Run> left = new ArrayList<>();
    List<FfResult.Run> right = new ArrayList<>();
    for (int i = 0; i <= setup.repeats(); i++) {
      boolean swapped = i % 2 == 1;
      FfResult.Run early = swapped ? with(scenario, with) : without(scenario, without);
      FfResult.Run late = swapped ? without(scenario, without) : with(scenario, with);
      if (i > 0) {
        left.add(swapped ? late : early);
        right.add(swapped ? early : late);
      }
    }
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      ratios.add(right.get(i).seconds() / left.get(i).seconds());
    }
    return new FfResult(scenario, median(left), median(right), FfRatio.of(ratios));
  }

  private FfResult.Run without(FfScenario scenario, Session session) {
    return run(scenario, setup.without(), session);
  }

  private FfResult.Run with(FfScenario scenario, Session session) {
    return run(scenario, setup.with(), session);
  }

  private static FfResult.Run median(List<FfResult.Run> runs) {
    List<FfResult.Run> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingDouble(FfResult.Run::seconds));
    return sorted.get(sorted.size() / 2);
  }

  private FfResult.Run run(FfScenario scenario, String connector, Session session) {
    return switch (scenario) {
      case ROWS, OVERLAP, STEAL -> matrix(scenario, connector, session);
      case CHECKPOINT, CENTRED_PLOTFILE, CORNER_PLOTFILE -> flash(scenario, session);
    };
  }

  private FfResult.Run matrix(FfScenario scenario, String connector, Session session) {
    try (FfMatrix matrix = new FfMatrix(setup, sizes, connector, session)) {
      long before = requestsBelow(session);
      FfMatrix.Outcome outcome = matrix.run(scenario);
      long below = before < 0 ? -1 : requestsBelow(session) - before;
      matrix.verify(scenario);
      return new FfResult.Run(outcome.requests(), below, outcome.bytes(), outcome.seconds());
    }
  }

  private FfResult.Run flash(FfScenario scenario, Session session) {
    FlashFile kind = scenario.flashFile();
    FlashMesh mesh = new FlashMesh(sizes.flashRanks());
    FlashIo flash =
        new FlashIo(session, mesh, setup.folder(), FlashProgress.NONE)
            .withProperties(setup.properties());
    long before = requestsBelow(session);
    double seconds = flash.writeWithoutWaiting(kind);
    long below = before < 0 ? -1 : requestsBelow(session) - before;
    FlashIo.Result result = flash.verify(kind, seconds);
    session.delete(result.name());
    return new FfResult.Run(flash.requests(kind), below, result.sizeBytes(), seconds);
  }

  /**
   * Returns the number of raw-data requests that have passed the lowest tracing connector; -1 if
   * there is none.
   */
  private static long requestsBelow(Session session) {
    Optional<TracingConnector> tracing =
        Connectors.find(session.connector(), TracingConnector.class);
    if (tracing.isEmpty()) {
      return -1;
    }
    Map<String, IoProfile.Figures> kinds = tracing.get().profile().kinds();
    return count(kinds, "Dataset.Write") + count(kinds, "Dataset.Read");
  }

  private static long count(Map<String, IoProfile.Figures> kinds, String kind) {
    return kinds.containsKey(kind) ? kinds.get(kind).operations() : 0;
  }
}
