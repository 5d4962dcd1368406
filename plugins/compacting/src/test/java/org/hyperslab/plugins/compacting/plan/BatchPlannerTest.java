package org.hyperslab.plugins.compacting.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;
import org.hyperslab.format.space.Selection;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.hyperslab.plugins.compacting.report.Trace;
import org.junit.jupiter.api.Test;

/** Tests the plan of a batch. */
final class BatchPlannerTest {

  private final Requests requests = new Requests(Requests.KEY, 256);
  private final BatchPlanner planner = new BatchPlanner(MergeOptions.DEFAULT);

  private static List<RequestOutcome> outcomes(Plan plan) {
    return plan.traces().stream().map(Trace::outcome).toList();
  }

  private static Selection ranges(long... bounds) {
    Selection all = Selection.none();
    for (int i = 0; i < bounds.length; i += 2) {
      all = all.or(Requests.range(bounds[i], bounds[i + 1]));
    }
    return all;
  }

  /**
   * The worked example of the literature: 0–32, 48–96, 96–128 and 160–256 are written first, 16–64,
   * 112–160 and 176–208 second. Eight pieces remain, for 48–96 and 96–128 are adjacent and of one
   * writer.
   */
  @Test
  void planOfTheWorkedExampleIsOneWrite() {
    WriteRequest first = requests.write(1, ranges(0, 32, 48, 96, 96, 128, 160, 256), 1);
    WriteRequest second = requests.write(1, ranges(16, 64, 112, 160, 176, 208), 2);
    Plan plan = planner.plan(List.of(first, second));
    assertThat(plan.waves()).hasSize(1);
    assertThat(plan.waves().getFirst()).hasSize(1);
    MergedWrite write = plan.waves().getFirst().getFirst();
    assertThat(write.region().elements()).isEqualTo(256);
    // From the first writer's buffer, whose 208 elements lie one behind the other, and the
    // second's.
    assertThat(write.pieces())
        .containsExactly(
            new RequestPiece(first, 0, 2 * 16),
            new RequestPiece(second, 0, 2 * 48),
            new RequestPiece(first, 2 * 48, 2 * 48),
            new RequestPiece(second, 2 * 48, 2 * 48),
            new RequestPiece(first, 2 * 112, 2 * 16),
            new RequestPiece(second, 2 * 96, 2 * 32),
            new RequestPiece(first, 2 * 160, 2 * 48));
  }

  @Test
  void mergesDisjointWritesOfManyClientsIntoOne() {
    Requests rows = new Requests(Requests.KEY, 128, 64);
    List<WriteRequest> writes =
        LongStream.range(0, 128)
            .map(i -> i * 37 % 128)
            .mapToObj(row ->
                rows.write(row, Selection.box(new long[] {row, 0}, new long[] {1, 64}), (int) row))
            .toList();
    Plan plan = planner.plan(writes);
    assertThat(plan.waves()).hasSize(1);
    MergedWrite merged = plan.waves().getFirst().getFirst();
    assertThat(plan.waves().getFirst()).hasSize(1);
    assertThat(merged.region().elements()).isEqualTo(128 * 64);
    assertThat(merged.pieces().stream().map(piece -> piece.request().origin().client()))
        .isSorted()
        .hasSize(128);
    assertThat(outcomes(plan)).containsOnly(RequestOutcome.MERGED);
    assertThat(plan.traces().getFirst().partners()).hasSize(Trace.MAX_PARTNERS);
  }

  @Test
  void keepsMergedRequestsBelowTheirLargestSize() {
    BatchPlanner small = new BatchPlanner(new MergeOptions(true, 1000, 64));
    List<WriteRequest> writes =
        LongStream.range(0, 8)
            .mapToObj(i -> requests.write(i, Requests.range(16 * i, 16 * i + 16), 1))
            .toList();
    Plan plan = small.plan(writes);
    assertThat(plan.waves().getFirst()).hasSize(4).allMatch(write -> write.bytes() == 64);
  }

  @Test
  void overlappingWritesOfDifferentClientsKeepTheirOrder() {
    WriteRequest a = requests.write(1, Requests.range(0, 20), 1);
    WriteRequest b = requests.write(2, Requests.range(10, 30), 2);
    WriteRequest c = requests.write(1, Requests.range(15, 40), 3);
    Plan plan = planner.plan(List.of(a, b, c));
    assertThat(plan.waves()).hasSize(3);
    assertThat(plan.waves().get(0).getFirst().sources()).containsExactly(a);
    assertThat(plan.waves().get(1).getFirst().sources()).containsExactly(b);
    assertThat(plan.waves().get(2).getFirst().sources()).containsExactly(c);
    assertThat(outcomes(plan))
        .containsExactly(
            RequestOutcome.ALONE,
            RequestOutcome.AFTER_OTHER_CLIENT,
            RequestOutcome.AFTER_OTHER_CLIENT);
    assertThat(plan.traces().get(1).partners()).containsExactly(a.origin());
  }

  @Test
  void coveredWriteIsOmitted() {
    WriteRequest a = requests.write(1, Requests.range(10, 20), 1);
    WriteRequest b = requests.write(1, Requests.range(0, 40), 2);
    Plan plan = planner.plan(List.of(a, b));
    assertThat(outcomes(plan)).containsExactly(RequestOutcome.COVERED, RequestOutcome.MORPHED);
    MergedWrite write = plan.waves().getFirst().getFirst();
    assertThat(write.pieces()).containsExactly(new RequestPiece(b, 0, 80));
    assertThat(write.inPlace()).isPresent();
  }

  @Test
  void readsAreSuppliedByWritesWhollyPartlyOrNotAtAll() {
    WriteRequest a = requests.write(1, Requests.range(0, 20), 1);
    WriteRequest b = requests.write(2, Requests.range(20, 40), 2);
    ReadRequest whole = requests.read(3, Requests.range(10, 30));
    ReadRequest part = requests.read(3, Requests.range(30, 60));
    ReadRequest none = requests.read(3, Requests.range(100, 110));
    Plan plan = planner.plan(List.of(a, b, whole, part, none));
    assertThat(outcomes(plan).subList(2, 5))
        .containsExactly(
            RequestOutcome.STOLEN, RequestOutcome.PARTLY_STOLEN, RequestOutcome.MERGED);
    assertThat(plan.traces().get(2).partners()).containsExactly(a.origin(), b.origin());
    assertThat(plan.copies()).hasSize(3);
    assertThat(plan.reads()).hasSize(1);
    assertThat(plan.reads().getFirst().region().elements()).isEqualTo(20 + 10);
  }

  @Test
  void onlyEqualTypesAreMerged() {
    WriteRequest a = requests.write(1, Requests.range(0, 20), 1);
    Region region = requests.region(Requests.range(20, 40));
    WriteRequest wide =
        new WriteRequest(
            Requests.KEY,
            new RequestOrigin(1, 9),
            region,
            Requests.WIDE,
            MemorySegment.ofArray(new byte[80]));
    Plan plan = planner.plan(List.of(a, wide));
    assertThat(plan.waves().getFirst()).hasSize(2);
    // What would be converted is not stolen: the plan ends before the read.
    Plan short2 = planner.plan(List.of(wide, requests.read(1, Requests.range(25, 26))));
    assertThat(short2.traces()).hasSize(1);
  }

  @Test
  void largeWriteIsNotMerged() {
    BatchPlanner small = new BatchPlanner(new MergeOptions(true, 40, 1000));
    Plan plan =
        small.plan(
            List.of(
                requests.write(1, Requests.range(0, 20), 1),
                requests.write(2, Requests.range(20, 30), 2),
                requests.write(3, Requests.range(30, 40), 2)));
    assertThat(outcomes(plan))
        .containsExactly(RequestOutcome.LARGE, RequestOutcome.MERGED, RequestOutcome.MERGED);
    assertThat(plan.waves().getFirst()).hasSize(2);
  }
}
