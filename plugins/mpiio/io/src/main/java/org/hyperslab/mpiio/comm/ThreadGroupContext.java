package org.hyperslab.mpiio.comm;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The state that the ranks of one thread communicator share.
 *
 * <p>Each rank posts its part of a collective call on a board. Boards are written before and read
 * after {@link #barrier}, which makes the writes visible. Calls alternate between two boards, so
 * that a fast rank's next call does not overwrite a part that a slow rank still reads.
 *
 * @param universe the state of the world
 * @param worldRanks the rank in the world of each rank here
 * @param boards an entry for each rank on the first board, then on the second
 * @param barrier the barrier of these ranks
 * @param lanes the messages from rank s to rank d, in {@code lanes[s * size + d]}; created on first
 *     use
 */
record ThreadGroupContext(
    ThreadUniverse universe,
    int[] worldRanks,
    Posting[] boards,
    ThreadBarrier barrier,
    AtomicReferenceArray<MessageQueue> lanes) {

  /**
   * One rank's part of a collective call.
   *
   * @param call the name of the call and the arguments on which all ranks must agree
   * @param part the data for the other ranks
   */
  record Posting(String call, Object part) {}

  static ThreadGroupContext of(ThreadUniverse universe, int[] worldRanks) {
    int size = worldRanks.length;
    return new ThreadGroupContext(
        universe,
        worldRanks,
        new Posting[2 * size],
        new ThreadBarrier(size),
        new AtomicReferenceArray<>(Math.multiplyExact(size, size)));
  }

  static ThreadGroupContext world(ThreadUniverse universe) {
    int[] worldRanks = new int[universe.settings().ranks()];
    for (int i = 0; i < worldRanks.length; i++) {
      worldRanks[i] = i;
    }
    return of(universe, worldRanks);
  }

  int size() {
    return worldRanks.length;
  }

  void post(int turn, int rank, Posting posting) {
    boards[turn * size() + rank] = posting;
  }

  Posting posted(int turn, int rank) {
    return boards[turn * size() + rank];
  }

  MessageQueue lane(int source, int destination) {
    int at = source * size() + destination;
    MessageQueue lane = lanes.get(at);
    if (lane == null) {
      lanes.compareAndSet(at, null, new MessageQueue());
      lane = lanes.get(at);
    }
    return lane;
  }
}
