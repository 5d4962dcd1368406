package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.vol.Handle;
import org.junit.jupiter.api.Test;

class HandleTableTest {

  private final HandleTable table = new HandleTable(3);

  @Test
  void failuresThatNobodyClosesAreBounded() {
    List<Handle> failed = fail(100_000, "missing");
    assertThat(kept(failed)).isBetween(1000L, 10_000L);
    assertThatThrownBy(() -> table.require(failed.getLast())).isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> table.require(failed.getFirst()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("never opened");
  }

  @Test
  void failuresWithLongMessagesAreBoundedByTheirLength() {
    List<Handle> failed = fail(1000, "x".repeat(60_000));
    assertThat(kept(failed) * 60_000).isBetween(1L << 20, 8L << 20);
    List<Handle> one = fail(1, "x".repeat(20_000_000));
    assertThatThrownBy(() -> table.require(one.getFirst())).isInstanceOf(NotFoundException.class);
  }

  @Test
  void closedFailuresMakeRoomForOthers() {
    fail(10_000, "x".repeat(1000)).forEach(table::remove);
    List<Handle> failed = fail(2000, "x".repeat(1000));
    assertThat(kept(failed)).isEqualTo(2000);
  }

  @Test
  void openHandlesAreBounded() {
    List<Handle> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      open.add(Handle.fresh());
      table.bind(open.getLast(), file(open.getLast()));
    }
    Handle more = Handle.fresh();
    assertThatThrownBy(() -> table.bind(more, file(more)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("open handles: actual=3");
    table.remove(open.getFirst());
    table.bind(more, file(more));
    assertThat(table.require(more).isFile()).isTrue();
    assertThatThrownBy(() -> table.bind(more, file(more))).isInstanceOf(InvalidUseException.class);
  }

  private static OpenObject file(Handle handle) {
    return new OpenObject(FileOpening.of(handle, null, true), null, 0, ObjectKind.GROUP, true);
  }

  private List<Handle> fail(int count, String message) {
    List<Handle> failed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      failed.add(Handle.fresh());
      table.fail(failed.getLast(), new NotFoundException(message));
    }
    return failed;
  }

  private long kept(List<Handle> handles) {
    return handles.stream().filter(this::isFailure).count();
  }

  private boolean isFailure(Handle handle) {
    try {
      table.require(handle);
      return false;
    } catch (NotFoundException kept) {
      return true;
    } catch (InvalidUseException forgotten) {
      return false;
    }
  }
}
