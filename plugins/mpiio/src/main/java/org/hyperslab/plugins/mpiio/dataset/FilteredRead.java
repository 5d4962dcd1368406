package org.hyperslab.plugins.mpiio.dataset;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.plugins.mpiio.agree.Agreement;
import org.hyperslab.plugins.mpiio.agree.Failures;
import org.hyperslab.plugins.mpiio.comm.Communicator;
import org.hyperslab.plugins.nativevol.transfer.BufferPool;

/**
 * A collective read of filtered chunks. Each chunk is read and decoded by one rank, its owner,
 * which gives the others the elements that they ask for; a chunk that only one rank wants is that
 * rank's. Where no chunk is wanted by two, each rank reads its own without a message.
 *
 * <p>It goes in rounds as a {@link FilteredWrite} does. Owners keep decoded chunks in the cache of
 * the dataset, so that a later read finds them.
 *
 * <p>Thread rule: confined to one thread.
 */
final class FilteredRead {

  private final RawFile file;
  private final DatasetView view;
  private final ChunkReader reader;
  private final Agreement agreement;
  private final Communicator comm;
  private final StagedBytes staged;
  private TransferPlan plan;
  private TreeMap<ChunkKey, ChunkPiece> mine;

  FilteredRead(RawFile file, DatasetView view, ChunkReader reader, StagedBytes staged) {
    this.file = file;
    this.view = view;
    this.reader = reader;
    this.agreement = file.agreement();
    this.comm = agreement.comm();
    this.staged = staged;
  }

  /** Bytes that came from each rank, one after the other in order of ranks. */
  private record Received(BufferPool.Buffer buffer, long[] offsets) implements AutoCloseable {
    MemorySegment bytes() {
      return buffer.segment();
    }

    @Override
    public void close() {
      buffer.close();
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** Reads; says in how many rounds, and how many chunks this rank decoded. */
  String read(TransferPlan wanted) {
    plan = wanted;
    mine = ChunkClaims.of(plan, view);
    int dimensions = view.extent().length;
    long[][] claims = ChunkClaims.gathered(comm, ChunkClaims.encoded(mine, dimensions));
    ChunkOwners owners = ChunkOwners.forReading(dimensions, claims);
    if (!owners.areShared()) {
      agreement.requireSuccess(attempt(() -> reader.read(plan)));
      return "each rank its chunks, of which none is wanted by two";
    }
    List<List<Integer>> rounds = ChunkClaims.rounds(owners, file, view);
    int owned = 0;
    for (List<Integer> round : rounds) {
      owned += round(owners.chunks(), round);
    }
    return "filtered chunks with a reader each: "
        + owners.chunks().size()
        + " chunks in "
        + rounds.size()
        + " rounds, "
        + owned
        + " read by this rank";
  }

  private static HyperslabException attempt(Runnable action) {
    try {
      action.run();
      return null;
    } catch (RuntimeException | OutOfMemoryError e) {
      return Failures.typed(e, "reading chunks");
    }
  }

  /** Reads some chunks; how many of them this rank owns. */
  private int round(List<ChunkOwners.Touched> chunks, List<Integer> round) {
    try (Received questions = ask(chunks, round)) {
      long[] counts = new long[comm.size()];
      Map<Integer, List<long[]>> asked = asked(questions, counts);
      long[] offsets = ChunkMaker.offsets(counts);
      int[] owned = new int[1];
      try (BufferPool.Buffer answers = buffer(offsets[comm.size()])) {
        HyperslabException failure =
            attempt(() -> {
              for (int number : round) {
                if (chunks.get(number).owner() == comm.rank()) {
                  owned[0]++;
                  ChunkKey chunk = chunks.get(number).scaled();
                  List<long[]> theirs = asked.getOrDefault(number, List.of());
                  give(chunk, theirs, questions.bytes(), answers.segment());
                }
              }
            });
        staged.note(view.shape().chunkBytes());
        HyperslabException taken = exchangeAnswers(chunks, round, answers.segment(), counts);
        agreement.requireSuccess(failure == null ? taken : failure);
        staged.add(-offsets[comm.size()]);
      }
      return owned[0];
    }
  }

  private BufferPool.Buffer buffer(long bytes) {
    staged.add(bytes);
    return file.resources().buffers().take(bytes);
  }

  private ChunkPiece pieceOfOther(ChunkOwners.Touched chunk) {
    return chunk.owner() == comm.rank() ? null : mine.get(chunk.scaled());
  }

  /** Tells owners what this rank wants of their chunks, and hears what others want. */
  private Received ask(List<ChunkOwners.Touched> chunks, List<Integer> round) {
    long[] counts = new long[comm.size()];
    for (int number : round) {
      ChunkOwners.Touched chunk = chunks.get(number);
      ChunkPiece piece = pieceOfOther(chunk);
      if (piece != null) {
        counts[chunk.owner()] += ChunkParts.ask(null, 0, number, piece, plan.selections());
      }
    }
    long[] offsets = ChunkMaker.offsets(counts);
    try (BufferPool.Buffer sent = file.resources().buffers().take(offsets[comm.size()])) {
      long[] at = offsets.clone();
      for (int number : round) {
        ChunkOwners.Touched chunk = chunks.get(number);
        ChunkPiece piece = pieceOfOther(chunk);
        if (piece != null) {
          at[chunk.owner()] =
              ChunkParts.ask(sent.segment(), at[chunk.owner()], number, piece, plan.selections());
        }
      }
      long[] theirs = new long[comm.size()];
      comm.allToAll(counts, theirs, 1);
      return exchange(sent.segment(), counts, theirs);
    }
  }

  private Received exchange(MemorySegment sent, long[] counts, long[] theirs) {
    int ranks = comm.size();
    long[] offsets = ChunkMaker.offsets(counts);
    long[] theirOffsets = ChunkMaker.offsets(theirs);
    BufferPool.Buffer received = file.resources().buffers().take(theirOffsets[ranks]);
    try {
      comm.allToAllV(
          sent,
          counts,
          Arrays.copyOf(offsets, ranks),
          received.segment(),
          theirs,
          Arrays.copyOf(theirOffsets, ranks));
      return new Received(received, theirOffsets);
    } catch (RuntimeException | Error failure) {
      received.close();
      throw failure;
    }
  }

  /**
   * For each chunk the questions about it: where the question is, and where its answer goes.
   *
   * @param counts becomes how many bytes each rank is answered
   */
  private Map<Integer, List<long[]>> asked(Received questions, long[] counts) {
    Map<Integer, List<long[]>> asked = new HashMap<>();
    long answerAt = 0;
    for (int rank = 0; rank < counts.length; rank++) {
      long at = questions.offsets[rank];
      while (at < questions.offsets[rank + 1]) {
        int number = (int) ChunkParts.number(questions.bytes(), at);
        asked.computeIfAbsent(number, n -> new ArrayList<>()).add(new long[] {at, answerAt});
        long bytes = ChunkParts.elements(questions.bytes(), at) * view.type().size();
        counts[rank] += bytes;
        answerAt += bytes;
        at = ChunkParts.endOfQuestion(questions.bytes(), at);
      }
    }
    return asked;
  }

  /** Reads a chunk once for everybody. */
  private void give(
      ChunkKey chunk, List<long[]> theirs, MemorySegment questions, MemorySegment answers) {
    ChunkPiece own = mine.get(chunk);
    reader.lend(
        chunk.scaled(),
        view.extent(),
        bytes -> {
          if (own != null) {
            ChunkParts.read(own, plan.selections(), plan.mover(), bytes);
          }
          for (long[] each : theirs) {
            ChunkParts.answer(questions, each[0], bytes, answers, each[1], view.type().size());
          }
        });
  }

  private HyperslabException exchangeAnswers(
      List<ChunkOwners.Touched> chunks, List<Integer> round, MemorySegment sent, long[] counts) {
    long[] wanted = new long[comm.size()];
    for (int number : round) {
      ChunkPiece piece = pieceOfOther(chunks.get(number));
      if (piece != null) {
        wanted[chunks.get(number).owner()] += piece.elementCount() * view.type().size();
      }
    }
    long bytes = Arrays.stream(wanted).sum();
    staged.add(bytes);
    try (Received answers = exchange(sent, counts, wanted)) {
      return attempt(() -> {
        long[] at = answers.offsets.clone();
        for (int number : round) {
          ChunkOwners.Touched chunk = chunks.get(number);
          ChunkPiece piece = pieceOfOther(chunk);
          if (piece != null) {
            at[chunk.owner()] =
                ChunkParts.take(
                    answers.bytes(), at[chunk.owner()], piece, plan.selections(), plan.mover());
          }
        }
      });
    } finally {
      staged.add(-bytes);
    }
  }
}
