package org.hyperslab.plugins.compacting.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.options.FullPolicy;
import org.hyperslab.plugins.compacting.options.GatherPolicy;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.ElementKind;
import org.hyperslab.plugins.compacting.plan.MergedWrite;
import org.hyperslab.plugins.compacting.plan.RawRequest;
import org.hyperslab.plugins.compacting.plan.ReadRequest;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.plugins.compacting.plan.RequestPiece;
import org.hyperslab.plugins.compacting.plan.Requests;
import org.hyperslab.plugins.compacting.plan.WriteRequest;
import org.hyperslab.plugins.compacting.report.CompactorCounts;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.hyperslab.plugins.compacting.report.RequestOutcome;

/**
 * A random history: requests of several clients on several datasets, submitted to a compactor whose
 * threads and clock a random scheduler controls, and compared with a model that executes the same
 * requests one by one.
 *
 * <p>Of a write that failed, the model knows only that each element is as before or as written.
 */
final class RequestHistory {

  private static final long[][] EXTENTS = {{}, {1}, {24}, {6, 5}, {3, 4, 2}, {40}, {2, 1, 3, 2}};

  private final Random random;
  private final Scheduler scheduler;
  private final MemoryLayer layer;
  private final Compactor compactor;
  private final Map<DataKey, long[]> extents = new HashMap<>();
  private final List<Step> steps = new ArrayList<>();
  private int replies;

  /** A request and its result. */
  private static final class Step {
    /** A raw or an ordered request. */
    Object request;

    Region added;
    byte[] payload;
    byte[] answer;
    Map<DataKey, short[]> seen;
    int replies;
    Throwable failure;
    Reply reply;

    @Override
    public String toString() {
      Object where = request instanceof RawRequest raw ? offsets(raw.region(), false) : "";
      return request + " " + where + " -> " + (failure != null ? failure : reply);
    }
  }

  RequestHistory(Random random) {
    this.random = random;
    this.scheduler = new Scheduler(random);
    double failures = random.nextInt(3) == 0 ? 0.2 : 0;
    this.layer = new MemoryLayer(random, scheduler, failures);
    this.compactor = new Compactor(layer, options(), scheduler, scheduler, 1 + random.nextInt(60));
  }

  private CompactorOptions options() {
    CompactorOptions options =
        CompactorOptions.DEFAULT
            .withMerging(1 + random.nextInt(80), 1 + random.nextInt(120))
            .withEnabled(random.nextInt(8) > 0);
    if (random.nextInt(4) == 0) {
      options = options.withQueue(200, 5, FullPolicy.REJECT);
    }
    return switch (random.nextInt(3)) {
      case 0 -> options;
      case 1 -> options.withGather(new GatherPolicy(1 + random.nextInt(6), 0));
      default -> options.withGather(new GatherPolicy(1 + random.nextInt(6), 1000));
    };
  }

  void run() {
    int datasets = 1 + random.nextInt(3);
    for (int i = 0; i < datasets; i++) {
      DataKey key = new DataKey(i / 2, i);
      long[] extent = EXTENTS[random.nextInt(EXTENTS.length)];
      extents.put(key, extent);
      short[] data = new short[(int) volume(extent)];
      for (int e = 0; e < data.length; e++) {
        data[e] = (short) random.nextInt();
      }
      layer.datasets.put(key, data);
    }
    Map<DataKey, short[]> before = snapshot();
    int number = 2 + random.nextInt(14);
    for (int i = 0; i < number; i++) {
      submit(i);
      for (int s = random.nextInt(4); s > 0; s--) {
        scheduler.step();
      }
    }
    finish();
    judge(before);
  }

  private static long volume(long[] extent) {
    long volume = 1;
    for (long dim : extent) {
      volume *= dim;
    }
    return volume;
  }

  private Map<DataKey, short[]> snapshot() {
    Map<DataKey, short[]> copy = new HashMap<>();
    layer.datasets.forEach((key, data) -> copy.put(key, data.clone()));
    return copy;
  }

  private void finish() {
    while (scheduler.step() || (random.nextBoolean() && scheduler.tick())) {}
    while (scheduler.tick()) {
      scheduler.runAll();
    }
    compactor.release();
    scheduler.runAll();
    compactor.close();
  }

  // --- asking ---

  private void submit(int number) {
    Step step = new Step();
    steps.add(step);
    RequestOrigin origin = new RequestOrigin(random.nextInt(3), number);
    DataKey key = new ArrayList<>(extents.keySet()).get(random.nextInt(extents.size()));
    int kind = random.nextInt(20);
    step.request =
        kind < 11
            ? write(step, key, origin)
            : kind < 17 ? read(step, key, origin) : ordered(step, key, origin);
    CompletableFuture<Reply> reply =
        step.request instanceof WriteRequest write && random.nextInt(4) == 0
            ? compactor.submitAndRun(write)
            : step.request instanceof OrderedRequest ordered
                ? compactor.submit(ordered)
                : compactor.submit((RawRequest) step.request);
    reply.whenComplete((value, failure) -> replied(step, value, failure));
  }

  private void replied(Step step, Reply reply, Throwable failure) {
    step.replies++;
    step.reply = reply;
    step.failure = failure;
    replies++;
    if (step.request instanceof RawRequest raw) {
      if (raw instanceof ReadRequest) {
        step.answer = raw.buffer().toArray(ValueLayout.JAVA_BYTE);
      }
      // The buffer belongs to the user again and is reused.
      raw.buffer().fill((byte) 0x55);
    }
  }

  private WriteRequest write(Step step, DataKey key, RequestOrigin origin) {
    Region region = region(key);
    ElementKind kind = kind();
    step.payload = new byte[(int) (region.elements() * kind.bytes())];
    random.nextBytes(step.payload);
    MemorySegment buffer = MemorySegment.ofArray(step.payload.clone());
    return new WriteRequest(key, origin, region, kind, buffer);
  }

  private ReadRequest read(Step step, DataKey key, RequestOrigin origin) {
    Region region = region(key);
    ElementKind kind = kind();
    MemorySegment buffer =
        MemorySegment.ofArray(new byte[(int) (region.elements() * kind.bytes())]);
    return new ReadRequest(key, origin, region, kind, buffer);
  }

  private ElementKind kind() {
    return random.nextInt(5) == 0 ? Requests.WIDE : Requests.STORED;
  }

  /** Adds one to all elements of a region, or looks at all that it is ordered against. */
  private OrderedRequest ordered(Step step, DataKey key, RequestOrigin origin) {
    boolean failing = layer.fails();
    if (random.nextBoolean()) {
      Region region = region(key);
      OrderScope scope =
          random.nextBoolean() ? new OrderScope.Part(key, region) : new OrderScope.Dataset(key);
      Region claimed = scope instanceof OrderScope.Part ? region : null;
      step.added = region;
      return new OrderedRequest(
          origin, scope, () -> act(key, claimed, failing, () -> add(key, region)));
    }
    OrderScope scope =
        random.nextBoolean() ? new OrderScope.File(key.file()) : new OrderScope.Everything();
    DataKey claimed = scope instanceof OrderScope.File ? key : null;
    return new OrderedRequest(
        origin, scope, () -> act(claimed, null, failing, () -> step.seen = snapshot()));
  }

  private CompletionStage<?> act(DataKey key, Region region, boolean failing, Runnable action) {
    if (failing && random.nextBoolean()) {
      throw new StorageException("action: actual=thrown, expected=done");
    }
    return layer.later(
        key,
        region,
        true,
        () -> {
          if (failing) {
            throw new StorageException("action: actual=failed, expected=done");
          }
          action.run();
        });
  }

  private void add(DataKey key, Region region) {
    short[] data = layer.datasets.get(key);
    for (int offset : offsets(region, true)) {
      data[offset]++;
    }
  }

  private Region region(DataKey key) {
    long[] extent = extents.get(key);
    return Region.of(selection(extent), extent);
  }

  private Selection selection(long[] extent) {
    int kind = random.nextInt(16);
    if (extent.length == 0 || kind == 0) {
      return random.nextInt(6) == 0 ? Selection.none() : Selection.all();
    }
    if (kind == 1) {
      return Selection.none();
    }
    if (kind < 4) {
      long[] coordinates = new long[extent.length * random.nextInt(5)];
      for (int i = 0; i < coordinates.length; i++) {
        coordinates[i] = random.nextInt((int) extent[i % extent.length]);
      }
      return coordinates.length == 0
          ? Selection.none()
          : Selection.points(extent.length, coordinates);
    }
    Selection first = kind < 12 ? box(extent) : strided(extent);
    return random.nextInt(8) == 0 ? first.xor(box(extent)) : first;
  }

  private Selection box(long[] extent) {
    long[] start = new long[extent.length];
    long[] count = new long[extent.length];
    for (int d = 0; d < extent.length; d++) {
      start[d] = random.nextInt((int) extent[d]);
      count[d] = 1 + random.nextInt((int) (extent[d] - start[d]));
      if (random.nextInt(3) == 0) {
        start[d] = 0;
        count[d] = extent[d];
      }
    }
    return Selection.box(start, count);
  }

  private Selection strided(long[] extent) {
    long[] start = new long[extent.length];
    long[] stride = new long[extent.length];
    long[] count = new long[extent.length];
    long[] block = new long[extent.length];
    for (int d = 0; d < extent.length; d++) {
      start[d] = random.nextInt((int) extent[d]);
      long room = extent[d] - start[d];
      block[d] = 1 + random.nextInt((int) Math.min(3, room));
      stride[d] = block[d] + random.nextInt(3);
      count[d] = 1 + random.nextInt((int) ((room - block[d]) / stride[d] + 1));
    }
    return Selection.hyperslab(start, stride, count, block);
  }

  // --- judging ---

  private void judge(Map<DataKey, short[]> before) {
    assertThat(layer.complaints).isEmpty();
    assertThat(replies).isEqualTo(steps.size());
    Map<DataKey, List<TreeSet<Short>>> possible = new HashMap<>();
    before.forEach((key, data) -> {
      List<TreeSet<Short>> values = new ArrayList<>();
      for (short value : data) {
        values.add(new TreeSet<>(List.of(value)));
      }
      possible.put(key, values);
    });
    for (Step step : steps) {
      assertThat(step.replies).as("%s", step).isEqualTo(1);
      judge(step, possible);
    }
    layer.datasets.forEach((key, data) -> judge("at the end", key, data, possible));
    CompactorCounts counts = compactor.counts();
    assertThat(counts.replied()).isEqualTo(counts.submitted()).isEqualTo(steps.size());
    assertThat(counts.queuedRequests()).isZero();
    assertThat(counts.queuedBytes()).isZero();
  }

  private void judge(Step step, Map<DataKey, List<TreeSet<Short>>> possible) {
    switch (step.request) {
      case WriteRequest write -> applyWrite(step, write, possible.get(write.key()));
      case ReadRequest read -> {
        if (step.failure == null) {
          judgeRead(step, read, possible.get(read.key()));
        }
      }
      case OrderedRequest ordered -> {
        if (step.failure == null) {
          judgeOrdered(step, ordered, possible);
        }
      }
      default -> throw new AssertionError(step.request);
    }
  }

  private void applyWrite(Step step, WriteRequest write, List<TreeSet<Short>> values) {
    if (step.failure != null && step.failure.getMessage().startsWith("queue of the compactor")) {
      return;
    }
    MemorySegment payload = MemorySegment.ofArray(step.payload);
    int at = 0;
    for (int offset : offsets(write.region(), false)) {
      TreeSet<Short> value = values.get(offset);
      if (step.failure == null) {
        value.clear();
      }
      value.add(MemoryLayer.element(payload, at++, write.kind()));
    }
  }

  private void judgeRead(Step step, ReadRequest read, List<TreeSet<Short>> values) {
    MemorySegment answer = MemorySegment.ofArray(step.answer);
    int at = 0;
    for (int offset : offsets(read.region(), false)) {
      if (read.kind().stored()) {
        short value = MemoryLayer.element(answer, at++, read.kind());
        assertThat(values.get(offset)).as("%s element %d", step, offset).contains(value);
      } else {
        int value = answer.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * at++);
        assertThat(value).isEqualTo((short) value);
        assertThat(values.get(offset)).as("%s element %d", step, offset).contains((short) value);
      }
    }
  }

  private void judgeOrdered(
      Step step, OrderedRequest ordered, Map<DataKey, List<TreeSet<Short>>> possible) {
    switch (ordered.scope()) {
      case OrderScope.Part part -> addOne(part.key(), step, possible);
      case OrderScope.Dataset dataset -> addOne(dataset.key(), step, possible);
      case OrderScope.File file ->
          step.seen.forEach((key, data) -> {
            if (key.file() == file.file()) {
              judge(step.toString(), key, data, possible);
            }
          });
      case OrderScope.Everything() ->
          step.seen.forEach((key, data) -> judge(step.toString(), key, data, possible));
    }
  }

  private void addOne(DataKey key, Step step, Map<DataKey, List<TreeSet<Short>>> possible) {
    for (int offset : offsets(step.added, true)) {
      TreeSet<Short> old = possible.get(key).get(offset);
      TreeSet<Short> next = new TreeSet<>();
      old.forEach(value -> next.add((short) (value + 1)));
      possible.get(key).set(offset, next);
    }
  }

  private static void judge(
      String when, DataKey key, short[] data, Map<DataKey, List<TreeSet<Short>>> possible) {
    for (int i = 0; i < data.length; i++) {
      if (!possible.get(key).get(i).contains(data[i])) {
        assertThat(possible.get(key).get(i))
            .as("%s: element %d of %s", when, i, key)
            .contains(data[i]);
      }
    }
  }

  /** The offsets of a region in the order of transfer, by the selection's own runs. */
  private static List<Integer> offsets(Region region, boolean once) {
    List<Integer> offsets = new ArrayList<>();
    RunCursor runs = region.selection().runs(region.extent());
    while (runs.next()) {
      for (long i = 0; i < runs.length(); i++) {
        offsets.add((int) (runs.offset() + i));
      }
    }
    return once ? new ArrayList<>(new TreeSet<>(offsets)) : offsets;
  }

  /** The number of requests with each outcome. */
  Map<RequestOutcome, Long> outcomes() {
    return compactor.counts().outcomes();
  }

  /** For a failed test: what was asked. */
  String describe() {
    StringBuilder text = new StringBuilder();
    steps.forEach(step -> text.append(step).append('\n'));
    for (MergedWrite write : layer.writes) {
      text.append("below: ").append(offsets(write.region(), false));
      for (RequestPiece piece : write.pieces()) {
        text.append(' ').append(piece.request().origin());
        text.append('@').append(piece.offsetBytes()).append('+').append(piece.lengthBytes());
      }
      text.append('\n');
    }
    return text.toString();
  }
}
