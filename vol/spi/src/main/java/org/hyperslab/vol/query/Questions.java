package org.hyperslab.vol.query;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.Condition;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about the values of a dataset by the operations {@code Describe} and {@code
 * Read} of a connector. Blocks whose summaries tell the answer are not read; the others are, by
 * several threads.
 *
 * <p>Thread rule: any thread.
 */
public final class Questions {

  private static final int MOST_THREADS = 8;

  private final Connector connector;
  private final DatasetOperation.Question<?> question;
  private final DatasetInfo info;
  private final long[] extent;
  private final @Nullable BlockFacts facts;
  private final int threads;

  private Questions(
      Connector connector,
      DatasetOperation.Question<?> question,
      DatasetInfo info,
      @Nullable BlockFacts facts,
      int threads) {
    this.connector = connector;
    this.question = question;
    this.info = info;
    this.extent = info.space().dims();
    this.facts = facts;
    this.threads = threads;
  }

  /**
   * Answers a question by reading all elements, by as many threads as there are processors.
   *
   * @param connector the connector that describes and reads the dataset
   * @param question the question
   * @return its answer
   */
  public static Object byReading(Connector connector, DatasetOperation.Question<?> question) {
    int processors = Runtime.getRuntime().availableProcessors();
    return answer(connector, question, null, Math.min(MOST_THREADS, processors));
  }

  /**
   * Answers a question.
   *
   * @param connector the connector that describes and reads the dataset
   * @param question the question
   * @param facts what is known of blocks of the dataset; null if nothing is
   * @param threads how many threads read at most; 1 for the calling one alone
   * @return its answer
   */
  public static Object answer(
      Connector connector,
      DatasetOperation.Question<?> question,
      @Nullable BlockFacts facts,
      int threads) {
    DatasetInfo info =
        await(connector, new DatasetOperation.Describe(question.dataset(), false, true));
    Questions asked = new Questions(connector, question, info, facts, threads);
    return switch (question) {
      case DatasetOperation.Select select -> asked.select(select);
      case DatasetOperation.Summarize summarize -> asked.summarize(summarize);
    };
  }

  private static <R> R await(Connector connector, Operation<R> operation) {
    try {
      return connector.submit(operation).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw HyperslabException.of(Connectors.causeOf(e), operation.toString());
    }
  }

  private boolean isEmpty() {
    return info.space().kind() == Dataspace.Kind.NULL || info.space().elementCount() == 0;
  }

  // --- elements that meet a condition ---

  private DatasetOperation.Matches select(DatasetOperation.Select select) {
    TestCompiler.Compiled compiled =
        TestCompiler.compile(select.condition(), info.type(), info.options().fill());
    if (isEmpty()) {
      return new DatasetOperation.Matches(0, places(select, Selection.none()), 0);
    }
    if (compiled.memoryType() == null) {
      boolean all = compiled.test().judge(field -> null) == ElementTest.Verdict.ALL;
      return new DatasetOperation.Matches(
          all ? info.space().elementCount() : 0,
          places(select, all ? Selection.all() : Selection.none()),
          0);
    }
    AtomicLong runs = new AtomicLong();
    List<Selecting> parts = new ArrayList<>();
    run(
        compiled.memoryType(),
        reader -> {
          Selecting part = new Selecting(reader, compiled.test(), new FoundRuns(extent, runs));
          part.places = select.places() && extent.length > 0;
          parts.add(part);
          return part;
        });
    long count = parts.stream().mapToLong(part -> part.count).sum();
    long read = parts.stream().mapToLong(part -> part.reader.elements).sum();
    Selection selection = null;
    if (select.places()) {
      FoundRuns[] found = parts.stream().map(part -> part.found).toArray(FoundRuns[]::new);
      selection =
          extent.length > 0
              ? FoundRuns.selection(found, extent)
              : count > 0 ? Selection.all() : Selection.none();
    }
    return new DatasetOperation.Matches(count, Optional.ofNullable(selection), read);
  }

  private static Optional<Selection> places(DatasetOperation.Select select, Selection selection) {
    return select.places() ? Optional.of(selection) : Optional.empty();
  }

  private Optional<ValueSummary> known(long[] block, Condition.Field field) {
    return facts == null ? Optional.empty() : facts.of(block, field);
  }

  /** What a thread does with each piece. */
  private interface PieceUse {
    /** Uses all elements of a piece, of which nothing is known. */
    void read(PieceGrid.Piece piece);

    /**
     * Uses a piece without reading it.
     *
     * @param block the block of facts that it is
     * @return whether its elements need not be read
     */
    boolean isKnown(PieceGrid.Piece piece, long[] block);
  }

  private final class Selecting implements PieceUse {
    final PieceReader reader;
    private final ElementTest test;
    private final FoundRuns found;
    private boolean places;
    private long count;
    private long[] marks = new long[0];

    Selecting(PieceReader reader, ElementTest test, FoundRuns found) {
      this.reader = reader;
      this.test = test;
      this.found = found;
    }

    @Override
    public void read(PieceGrid.Piece piece) {
      ElementTest.Elements elements = reader.read(piece);
      int words = (elements.count() + Long.SIZE - 1) / Long.SIZE;
      if (marks.length < words) {
        marks = new long[words];
      }
      test.test(elements, marks);
      int rest = elements.count() % Long.SIZE;
      if (rest != 0) {
        marks[words - 1] &= -1L >>> (Long.SIZE - rest);
      }
      long matching = 0;
      for (int i = 0; i < words; i++) {
        matching += Long.bitCount(marks[i]);
      }
      count += matching;
      if (places && matching == elements.count()) {
        found.add(piece);
      } else if (places && matching > 0) {
        found.add(piece, marks);
      }
    }

    @Override
    public boolean isKnown(PieceGrid.Piece piece, long[] block) {
      ElementTest.Verdict verdict = test.judge(field -> known(block, field).orElse(null));
      if (verdict == ElementTest.Verdict.ALL) {
        count += piece.elements();
        if (places) {
          found.add(piece);
        }
      }
      return verdict != ElementTest.Verdict.SOME;
    }
  }

  // --- summaries ---

  private ValueSummary summarize(DatasetOperation.Summarize summarize) {
    Summarizer summarizer = Summarizer.of(summarize.field(), info.type(), info.options().fill());
    ValueSummary nothing = summarizer.nothing();
    if (isEmpty()) {
      return nothing;
    }
    List<Summing> parts = new ArrayList<>();
    run(
        summarizer.memoryType(),
        reader -> {
          Summing part = new Summing(reader, summarizer, summarize.field(), nothing);
          parts.add(part);
          return part;
        });
    return parts.stream().map(part -> part.summary).reduce(nothing, ValueSummary::with);
  }

  private final class Summing implements PieceUse {
    private final PieceReader reader;
    private final Summarizer summarizer;
    private final Condition.Field field;
    private ValueSummary summary;

    Summing(
        PieceReader reader, Summarizer summarizer, Condition.Field field, ValueSummary nothing) {
      this.reader = reader;
      this.summarizer = summarizer;
      this.field = field;
      this.summary = nothing;
    }

    @Override
    public void read(PieceGrid.Piece piece) {
      ElementTest.Elements elements = reader.read(piece);
      summary = summary.with(summarizer.of(elements.segment(), elements.count(), elements.count()));
    }

    @Override
    public boolean isKnown(PieceGrid.Piece piece, long[] block) {
      Optional<ValueSummary> known = known(block, field);
      known.ifPresent(of -> summary = summary.with(of));
      return known.isPresent();
    }
  }

  // --- pieces ---

  /** Makes what a thread does. */
  private interface Uses {
    PieceUse of(PieceReader reader);
  }

  private void run(Datatype memoryType, Uses uses) {
    long[] blockDims = facts != null ? facts.blockDims() : blockDims(memoryType);
    PieceGrid grid = new PieceGrid(extent, blockDims, memoryType.size());
    int wanted = (int) Math.min(threads, grid.pieces());
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (Arena arena = Arena.ofShared()) {
      List<CompletableFuture<Void>> others = new ArrayList<>();
      PieceUse mine = uses.of(new PieceReader(memoryType, grid, arena));
      for (int i = 1; i < wanted; i++) {
        PieceUse use = uses.of(new PieceReader(memoryType, grid, arena));
        CompletableFuture<Void> done = new CompletableFuture<>();
        others.add(done);
        Thread.ofPlatform()
            .daemon()
            .name("hyperslab-question-" + i)
            .start(() -> {
              work(grid, blockDims, use, failure);
              done.complete(null);
            });
      }
      work(grid, blockDims, mine, failure);
      others.forEach(CompletableFuture::join);
    }
    Throwable cause = failure.get();
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause != null) {
      throw HyperslabException.of(cause, question.toString());
    }
  }

  private void work(
      PieceGrid grid, long[] blockDims, PieceUse use, AtomicReference<Throwable> failure) {
    try {
      PieceGrid.Piece piece = grid.next();
      while (piece != null && failure.get() == null) {
        if (facts == null) {
          use.read(piece);
        } else {
          blocks(grid, blockDims, piece, use);
        }
        piece = grid.next();
      }
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Uses the blocks of a piece: those that are known at once, the others by reading. */
  private void blocks(PieceGrid grid, long[] blockDims, PieceGrid.Piece piece, PieceUse use) {
    long[] step = new long[extent.length];
    for (int d = 0; d < step.length; d++) {
      step[d] = Math.min(blockDims[d], grid.pieceDims()[d]);
    }
    List<PieceGrid.Piece> unknown = new ArrayList<>();
    long[] start = piece.start().clone();
    long blocks = 0;
    while (true) {
      long[] dims = new long[step.length];
      long[] block = new long[step.length];
      boolean whole = true;
      for (int d = 0; d < step.length; d++) {
        dims[d] = Math.min(step[d], piece.start()[d] + piece.count()[d] - start[d]);
        block[d] = start[d] / blockDims[d];
        whole &=
            start[d] % blockDims[d] == 0 && dims[d] == Math.min(blockDims[d], extent[d] - start[d]);
      }
      PieceGrid.Piece one = new PieceGrid.Piece(start.clone(), dims);
      blocks++;
      if (!whole || !use.isKnown(one, block)) {
        unknown.add(one);
      }
      int d = step.length - 1;
      while (d >= 0) {
        start[d] += step[d];
        if (start[d] < piece.start()[d] + piece.count()[d]) {
          break;
        }
        start[d] = piece.start()[d];
        d--;
      }
      if (d < 0) {
        break;
      }
    }
    if (unknown.size() == blocks) {
      use.read(piece);
    } else {
      unknown.forEach(use::read);
    }
  }

  /** Returns the lengths of the blocks in which the elements are best read. */
  private long[] blockDims(Datatype memoryType) {
    if (info.options().layout() instanceof Layout.Chunked chunked
        && chunked.dims().size() == extent.length) {
      return chunked.dimsArray();
    }
    long[] dims = new long[extent.length];
    Arrays.fill(dims, 1);
    long bytes = memoryType.size();
    for (int d = dims.length - 1; d >= 0 && bytes < PieceGrid.USUAL_BYTES; d--) {
      dims[d] = Math.clamp(PieceGrid.USUAL_BYTES / bytes, 1, extent[d]);
      bytes *= dims[d];
      if (dims[d] < extent[d]) {
        break;
      }
    }
    return dims;
  }

  /** Reads pieces into memory of one thread. */
  private final class PieceReader {
    private final Datatype memoryType;
    private final DataBuffer buffer;
    private long elements;

    PieceReader(Datatype memoryType, PieceGrid grid, Arena arena) {
      this.memoryType = memoryType;
      long most = 1;
      for (int d = 0; d < extent.length; d++) {
        most *= Math.min(grid.pieceDims()[d], extent[d]);
      }
      MemorySegment memory = arena.allocate(Math.multiplyExact(most, memoryType.size()), 64);
      this.buffer =
          new DataBuffer(memory, memoryType.hasOutOfLineParts() ? new VlenHeap() : VlenHeap.none());
    }

    ElementTest.Elements read(PieceGrid.Piece piece) {
      int count = Math.toIntExact(piece.elements());
      Dataspace space = extent.length == 0 ? Dataspace.scalar() : Dataspace.simple(piece.count());
      Selection selection =
          extent.length == 0 ? Selection.all() : Selection.box(piece.start(), piece.count());
      if (memoryType.hasOutOfLineParts()) {
        buffer.heap().clear();
      }
      DatasetOperation.Transfer transfer =
          new DatasetOperation.Transfer(
              memoryType, space, Selection.all(), selection, TransferOptions.DEFAULT);
      await(connector, new DatasetOperation.Read(question.dataset(), transfer, buffer));
      elements += count;
      return new ElementTest.Elements(buffer.elements(), memoryType.size(), buffer.heap(), count);
    }
  }
}
