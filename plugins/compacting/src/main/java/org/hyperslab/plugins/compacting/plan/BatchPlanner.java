package org.hyperslab.plugins.compacting.plan;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.hyperslab.plugins.compacting.report.Trace;

/**
 * Plans how a batch of requests is carried out: a function from values to a value, without I/O.
 *
 * <p>Thread rule: immutable.
 */
public class BatchPlanner {

  private final MergeOptions options;

  /**
   * Creates a planner.
   *
   * @param options the limits for merging
   */
  public BatchPlanner(MergeOptions options) {
    this.options = options;
  }

  /**
   * Plans as many of the requests, starting with the first, as can be planned together: {@code
   * plan.traces()} has one trace for each of them. That is at least one request. If the selections
   * are too complex or too large to be united, the plan is for the first request alone. Any other
   * exception is a defect.
   *
   * @param requests at least one request, all on one dataset, in the order of arrival
   * @return the plan
   */
  public Plan plan(List<? extends RawRequest> requests) {
    try {
      return merge(requests);
    } catch (HyperslabException | ArithmeticException | StackOverflowError | OutOfMemoryError e) {
      return alone(requests.getFirst());
    }
  }

  private Plan merge(List<? extends RawRequest> requests) {
    BatchAnalysis analysis = new BatchAnalysis(requests, options.enabled());
    analysis.takeAll();
    if (analysis.isTooComplex()) {
      return alone(requests.getFirst());
    }
    Trace[] traces = new Trace[analysis.taken()];
    List<MergedRead> reads = new ReadMerging(analysis, options, traces).merge();
    List<List<MergedWrite>> waves = new ArrayList<>();
    for (int wave = 0; wave < analysis.waves().size(); wave++) {
      List<MergedWrite> writes = new WriteMerging(analysis, options, wave, traces).merge();
      if (!writes.isEmpty()) {
        waves.add(writes);
      }
    }
    return new Plan(analysis.copies(), reads, waves, List.of(traces));
  }

  private static Plan alone(RawRequest request) {
    List<Trace> traces = List.of(new Trace(request.origin(), RequestOutcome.UNLIKE, List.of()));
    return switch (request) {
      case WriteRequest write ->
          new Plan(List.of(), List.of(), List.of(List.of(MergedWrite.of(write))), traces);
      case ReadRequest read -> new Plan(List.of(), List.of(MergedRead.of(read)), List.of(), traces);
    };
  }

  /**
   * Merges the parts of reads that the storage must supply. If the selections are too complex to be
   * united, each part becomes a separate read.
   *
   * @param reads the parts, in the order of arrival; at least one
   * @return the merged reads
   */
  public List<MergedRead> mergeReads(List<RemainingRead> reads) {
    try {
      return ReadMerging.merge(reads, options);
    } catch (HyperslabException | ArithmeticException | StackOverflowError | OutOfMemoryError e) {
      return reads.stream().map(ReadMerging::alone).toList();
    }
  }
}
