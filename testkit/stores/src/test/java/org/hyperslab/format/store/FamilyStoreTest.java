package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.StorageException;
import org.junit.jupiter.api.Test;

/** Tests families of which a member cannot be opened. */
final class FamilyStoreTest {

  private static final int MEMBER_BYTES = 16;

  private final List<Integer> open = new ArrayList<>();

  /**
   * Members of which the first {@code present} exist, and those from {@code broken} on cannot be
   * opened.
   */
  private FamilyStore.MemberOpener members(int present, int broken) {
    return (index, create) -> {
      if (index >= broken) {
        throw new StorageException("member " + index + " cannot be opened");
      }
      return index < present || create ? member(index) : null;
    };
  }

  private ByteStore member(int index) {
    open.add(index);
    return new StoreDecorator(new MemoryStore("member " + index)) {
      @Override
      public void close() {
        open.remove((Integer) index);
        super.close();
      }
    };
  }

  @Test
  void membersAreClosedIfALaterOneCannotBeOpened() {
    assertThatThrownBy(() -> new FamilyStore("family", MEMBER_BYTES, true, members(9, 3)))
        .isInstanceOf(StorageException.class)
        .hasMessage("member 3 cannot be opened");
    assertThat(open).isEmpty();
  }

  @Test
  void membersMadeBeforeAFailureAreClosedWithTheFamily() {
    FamilyStore family = new FamilyStore("family", MEMBER_BYTES, false, members(1, 3));
    MemorySegment long4 = MemorySegment.ofArray(new byte[4 * MEMBER_BYTES]);
    assertThatThrownBy(() -> family.write(0, long4)).hasMessage("member 3 cannot be opened");
    assertThat(open).containsExactly(0, 1, 2);
    family.close();
    assertThat(open).isEmpty();
  }
}
