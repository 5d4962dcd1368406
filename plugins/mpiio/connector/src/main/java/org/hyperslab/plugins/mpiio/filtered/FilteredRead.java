package org.hyperslab.plugins.mpiio.filtered;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.plugins.mpiio.agree.Agreement;
import org.hyperslab.plugins.mpiio.transfer.ChunkKey;
import org.hyperslab.plugins.mpiio.transfer.DatasetView;
import org.hyperslab.plugins.mpiio.transfer.RankChunkReader;
import org.hyperslab.plugins.mpiio.transfer.RawFile;
import org.hyperslab.plugins.mpiio.transfer.StagedBytes;
import org.hyperslab.plugins.mpiio.transfer.TransferPlan;

/**
 * A collective read of filtered chunks. Each chunk is read and decoded by one rank, its owner,
 * which sends the others the elements that they request; a chunk that only one rank reads belongs
 * to that rank. If no chunk is read by two ranks, each rank reads its chunks without messages.
 *
 * <p>It proceeds in rounds as a {@link FilteredWrite} does. Owners keep decoded chunks in the cache
 * of the dataset for later reads.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class FilteredRead {

  private final RawFile file;
  private final DatasetView view;
  private final RankChunkReader reader;
  private final Agreement agreement;
  private final Communicator comm;
  private final StagedBytes staged;
  private final PartExchange exchange;
  private TransferPlan plan;
  private TreeMap<ChunkKey, ChunkPiece> mine;

  public FilteredRead(RawFile file, DatasetView view, RankChunkReader reader, StagedBytes staged) {
    this.file = file;
    this.view = view;
    this.reader = reader;
    this.agreement = file.agreement();
    this.comm = agreement.comm();
    this.staged = staged;
    this.exchange = new PartExchange(comm, file.resources().buffers());
  }

  /**
   * Reads; returns a description with the number of rounds and of chunks that this rank decoded.
   */
  public String read(TransferPlan wanted) {
    plan = wanted;
    mine = ChunkClaims.of(plan, view);
    int dimensions = view.extent().length;
    long[][] claims = ChunkClaims.gathered(comm, ChunkClaims.encoded(mine, dimensions));
    ChunkOwners owners = ChunkOwners.forReading(dimensions, claims);
    if (!owners.areShared()) {
      agreement.requireSuccess(attempt(() -> reader.read(plan)));
      return "each rank reads its own chunks; no chunk is read by two ranks";
    }
    List<List<Integer>> rounds = ChunkClaims.rounds(owners, file, view);
    int owned = 0;
    for (List<Integer> round : rounds) {
      owned += round(new Round(owners.chunks(), round));
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
    } catch (RuntimeException | Error e) {
      return SharedFailure.typed(e, "reading chunks");
    }
  }

  /** Reads the chunks of a round; returns the number of them that this rank owns. */
  private int round(Round round) {
    try (PartExchange.Received questions = ask(round)) {
      long[] counts = new long[comm.size()];
      Map<Integer, List<long[]>> asked = asked(questions, counts);
      long bytes = Arrays.stream(counts).sum();
      int[] owned = new int[1];
      try (Lease answers = buffer(bytes)) {
        HyperslabException failure =
            attempt(() ->
                round.owned(
                    comm.rank(),
                    (number, chunk) -> {
                      owned[0]++;
                      List<long[]> theirs = asked.getOrDefault(number, List.of());
                      give(chunk, theirs, questions.bytes(), answers.segment());
                    }));
        staged.note(view.shape().chunkBytes());
        HyperslabException taken = exchangeAnswers(round, answers.segment(), counts);
        agreement.requireSuccess(failure == null ? taken : failure);
        staged.add(-bytes);
      }
      return owned[0];
    }
  }

  private Lease buffer(long bytes) {
    staged.add(bytes);
    return file.resources().buffers().take(bytes);
  }

  /** Sends this rank's requests to the owners of chunks, and receives the requests of others. */
  private PartExchange.Received ask(Round round) {
    long[] counts = new long[comm.size()];
    round.ofOthers(
        comm.rank(),
        mine,
        (number, owner, piece) ->
            counts[owner] += ChunkParts.questionBytes(piece, plan.selections()));
    return exchange.exchange(
        (message, at) ->
            round.ofOthers(
                comm.rank(),
                mine,
                (number, owner, piece) ->
                    at[owner] =
                        ChunkParts.ask(message, at[owner], number, piece, plan.selections())),
        counts,
        exchange.counts(counts));
  }

  /**
   * Returns the questions about each chunk: the offset of the question and of its answer.
   *
   * @param counts receives the number of bytes of the answers to each rank
   */
  private Map<Integer, List<long[]>> asked(PartExchange.Received questions, long[] counts) {
    Map<Integer, List<long[]>> asked = new HashMap<>();
    long answerAt = 0;
    for (int rank = 0; rank < counts.length; rank++) {
      long at = questions.offsets()[rank];
      while (at < questions.offsets()[rank + 1]) {
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

  /** Reads a chunk once for all ranks that request it. */
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

  private HyperslabException exchangeAnswers(Round round, MemorySegment sent, long[] counts) {
    long[] wanted = new long[comm.size()];
    round.ofOthers(
        comm.rank(),
        mine,
        (number, owner, piece) -> wanted[owner] += piece.elementCount() * view.type().size());
    long bytes = Arrays.stream(wanted).sum();
    staged.add(bytes);
    try (PartExchange.Received answers = exchange.exchange(sent, counts, wanted)) {
      long[] at = answers.offsets().clone();
      return attempt(() ->
          round.ofOthers(
              comm.rank(),
              mine,
              (number, owner, piece) ->
                  at[owner] =
                      ChunkParts.take(
                          answers.bytes(), at[owner], piece, plan.selections(), plan.mover())));
    } finally {
      staged.add(-bytes);
    }
  }
}
