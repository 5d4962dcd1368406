package org.hyperslab.plugins.compacting;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides what is to be done for a batch of requests: a function from values to a value.
 *
 * <p>Thread rule: no state.
 */
public final class Planner {

  private final CompactorOptions options;

  /** A planner that follows the options about merging. */
  public Planner(CompactorOptions options) {
    this.options = options;
  }

  /**
   * Plans for as many of the requests, from the first, as can be planned together: {@code
   * plan.traces()} has one trace for each of them. At least one is.
   *
   * @param requests requests on one dataset in the order of their arrival
   */
  public Plan plan(List<? extends RawRequest> requests) {
    Intake intake = new Intake(requests, options.enabled());
    intake.takeAll();
    if (intake.isComplicated()) {
      return alone(requests.getFirst());
    }
    Trace[] traces = new Trace[intake.taken()];
    List<MergedRead> reads = new ReadMerging(intake, options, traces).merge();
    List<List<MergedWrite>> waves = new ArrayList<>();
    for (int wave = 0; wave < intake.waves().size(); wave++) {
      List<MergedWrite> writes = new WriteMerging(intake, options, wave, traces).merge();
      if (!writes.isEmpty()) {
        waves.add(writes);
      }
    }
    return new Plan(intake.thefts(), reads, waves, List.of(traces));
  }

  /** A request by itself. */
  static Plan alone(RawRequest request) {
    List<Trace> traces = List.of(new Trace(request.origin(), Treatment.UNLIKE, List.of()));
    return switch (request) {
      case WriteRequest write ->
          new Plan(List.of(), List.of(), List.of(List.of(WriteMerging.single(write))), traces);
      case ReadRequest read ->
          new Plan(List.of(), List.of(ReadMerging.single(read)), List.of(), traces);
    };
  }
}
