package org.hyperslab.plugins.compacting.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.junit.jupiter.api.Test;

/** Tests that pieces are combined exactly when they are adjacent. */
final class ContiguousPiecesTest {

  private static final int PARTS = 4;
  private static final long BYTES = 16;

  private final MemorySegment memory = Arena.ofAuto().allocate(PARTS * BYTES, 64);

  /** A piece that is all of a request's buffer. */
  private static RequestPiece piece(MemorySegment buffer) {
    Region region = Region.of(Requests.range(0, BYTES / 2), 64);
    return new RequestPiece(
        new WriteRequest(Requests.KEY, new RequestOrigin(1, 1), region, Requests.STORED, buffer),
        0,
        BYTES);
  }

  private RequestPiece part(int number) {
    return piece(memory.asSlice(number * BYTES, BYTES));
  }

  @Test
  void piecesInARowAreOneSegmentOfTheSameBytes() {
    memory.set(ValueLayout.JAVA_INT, 3 * BYTES, 77);
    MemorySegment whole = ContiguousPieces.of(List.of(part(1), part(2), part(3))).orElseThrow();
    assertThat(whole.address()).isEqualTo(memory.address() + BYTES);
    assertThat(whole.byteSize()).isEqualTo(3 * BYTES);
    assertThat(whole.scope()).isEqualTo(memory.scope());
    assertThat(whole.get(ValueLayout.JAVA_INT, 2 * BYTES)).isEqualTo(77);
  }

  @Test
  void positionInABufferDecidesWhetherPiecesAdjoin() {
    RequestPiece end = new RequestPiece(part(0).request(), 8, 8);
    RequestPiece begin = new RequestPiece(part(1).request(), 0, 8);
    RequestPiece behind = new RequestPiece(part(1).request(), 8, 8);
    assertThat(ContiguousPieces.of(List.of(end, begin)).orElseThrow().byteSize()).isEqualTo(16);
    assertThat(ContiguousPieces.of(List.of(end, behind))).isEmpty();
  }

  @Test
  void onePieceIsContiguous() {
    RequestPiece onHeap = piece(MemorySegment.ofArray(new byte[(int) BYTES]));
    assertThat(ContiguousPieces.of(List.of(onHeap))).map(MemorySegment::byteSize).contains(BYTES);
  }

  @Test
  void gapsOtherOrdersOtherMemoryAndTheHeapAreNotContiguous() {
    RequestPiece onHeap = piece(MemorySegment.ofArray(new byte[(int) BYTES]));
    RequestPiece elsewhere = piece(Arena.ofAuto().allocate(BYTES, 64));
    assertThat(ContiguousPieces.of(List.of(part(0), part(2)))).isEmpty();
    assertThat(ContiguousPieces.of(List.of(part(1), part(0)))).isEmpty();
    assertThat(ContiguousPieces.of(List.of(part(0), part(0)))).isEmpty();
    assertThat(ContiguousPieces.of(List.of(part(0), elsewhere))).isEmpty();
    assertThat(ContiguousPieces.of(List.of(onHeap, onHeap))).isEmpty();
    assertThat(ContiguousPieces.of(List.of(part(0), onHeap))).isEmpty();
  }

  /** Makes two adjacent pieces, one of which belongs to another lifetime of the memory. */
  @Test
  @SuppressWarnings("restricted") // to have neighbours that no arena would promise
  void neighboursOfAnotherArenaAreNotContiguous() {
    try (Arena other = Arena.ofConfined()) {
      MemorySegment second = memory.asSlice(BYTES, BYTES).reinterpret(BYTES, other, null);
      Optional<MemorySegment> whole = ContiguousPieces.of(List.of(part(0), piece(second)));
      assertThat(whole).isEmpty();
    }
  }
}
