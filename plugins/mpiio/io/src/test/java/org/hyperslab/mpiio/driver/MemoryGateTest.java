package org.hyperslab.mpiio.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.collective.CollectiveCall;
import org.hyperslab.mpiio.comm.SharedObjects;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.plan.AccessSummary;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileRangeLock;
import org.junit.jupiter.api.Test;

/** Tests which ranks may access the memory of a rank that abandons a transfer. */
final class MemoryGateTest {

  private static final int BYTES = 100;

  private static StepContext.Peers peers(MemoryGate gate) {
    StepContext.Peers peers = StepContext.Peers.none(2, null);
    peers.memory()[1] = MemoryExtents.contiguous(MemorySegment.ofArray(new byte[BYTES]));
    peers.gates()[1] = gate;
    return peers;
  }

  /** Runs a step by which rank 0 writes the memory of rank 1. */
  private static Schedule.Findings write(ByteStore store, MemoryGate gate) {
    Schedule.Findings[] found = new Schedule.Findings[1];
    ThreadWorld.run(
        1,
        comm -> {
          try (BufferPool pool = new BufferPool(0)) {
            StepContext.Locks locks =
                new StepContext.Locks(FileRangeLock.amongThreads("gate"), null);
            StepContext context =
                new StepContext(comm, 1, store, MemoryExtents.none(), peers(gate), pool, locks);
            Step step = new Step.Write(ExtentRuns.of(0, BYTES), new ByteLocation.Peer(1, 0));
            found[0] = context.run(new Schedule("test", 0, List.of(List.of(step, step))));
          }
        });
    return found[0];
  }

  @Test
  void gateIsHeldWhileAnotherRankTouchesTheMemory() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ByteStore slow =
        new StoreDecorator(new MemoryStore("slow")) {
          @Override
          public void write(long offset, MemorySegment source) {
            inside.countDown();
            try {
              goOn.await();
            } catch (InterruptedException interrupted) {
              throw new IllegalStateException(interrupted);
            }
            super.write(offset, source);
          }
        };
    MemoryGate gate = new MemoryGate();
    CompletableFuture<Schedule.Findings> found =
        CompletableFuture.supplyAsync(() -> write(slow, gate));
    inside.await();
    assertThat(gate.close()).as("nobody is inside").isFalse();
    goOn.countDown();
    assertThat(found.join().failure()).as("of the next step").isInstanceOf(MpiException.class);
    assertThat(gate.close()).as("nobody is inside").isTrue();
  }

  @Test
  void closedGateKeepsOtherRanksFromTheMemory() {
    MemoryGate gate = new MemoryGate();
    MemoryStore store = new MemoryStore("store");
    assertThat(write(store, gate).failure()).isNull();
    assertThat(store.size()).isEqualTo(BYTES);
    assertThat(gate.close()).isTrue();
    assertThat(write(store, gate).failure())
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("memory of rank 1: actual=given up by it");
  }

  @Test
  void rankThatGaveUpIsNamed() {
    AccessSummary.Circumstances gone =
        new AccessSummary.Circumstances(SharedObjects.process(), -1, 0, 0, 0, 0);
    AccessSummary summary = AccessSummary.of(ExtentRuns.of(0, BYTES), -1, gone);
    assertThatThrownBy(() ->
            new CollectiveCall.Reach(true, List.of())
                .put(new AccessSummary[] {summary, summary}, 0, StepContext.Peers.none(2, null)))
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("rank 1 has given up the transfer");
  }
}
