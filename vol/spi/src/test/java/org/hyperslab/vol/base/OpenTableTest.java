package org.hyperslab.vol.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.vol.Handle;
import org.junit.jupiter.api.Test;

class OpenTableTest {

  private final OpenTable<String> table = new OpenTable<>(3);

  @Test
  void aHandleNamesWhatItWasBoundToUntilItIsRemoved() {
    Handle handle = Handle.fresh();
    table.bind(handle, "a");
    assertThat(table.require(handle)).isEqualTo("a");
    assertThat(table.find(handle)).contains("a");
    assertThat(table.remove(handle)).contains("a");
    assertThat(table.remove(handle)).isEmpty();
    assertThat(table.find(handle)).isEmpty();
    assertThatThrownBy(() -> table.require(handle))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("closed or never opened");
  }

  @Test
  void handlesInUseAreRefused() {
    Handle handle = Handle.fresh();
    table.bind(handle, "a");
    assertThatThrownBy(() -> table.bind(handle, "b"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("in use");
    assertThat(table.require(handle)).isEqualTo("a");
    Handle failed = Handle.fresh();
    table.fail(failed, new NotFoundException("no such object"));
    assertThatThrownBy(() -> table.bind(failed, "b")).isInstanceOf(InvalidUseException.class);
  }

  @Test
  void openHandlesAreBounded() {
    List<Handle> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      open.add(Handle.fresh());
      table.bind(open.getLast(), "x");
    }
    Handle more = Handle.fresh();
    assertThatThrownBy(() -> table.bind(more, "more"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("open handles: actual=3");
    table.remove(open.getFirst());
    table.bind(more, "more");
    assertThat(table.require(more)).isEqualTo("more");
  }

  @Test
  void refusedHandlesTakeNoRoom() {
    Handle handle = Handle.fresh();
    table.bind(handle, "a");
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> table.bind(handle, "b")).hasMessageContaining("in use");
    }
    table.bind(Handle.fresh(), "b");
    table.bind(Handle.fresh(), "c");
    assertThat(table.values()).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void operationsOnAHandleThatCouldNotBeOpenedFailWithItsCause() {
    Handle handle = Handle.fresh();
    NotFoundException cause = new NotFoundException("no such file");
    table.fail(handle, cause);
    table.fail(handle, new NotFoundException("another"));
    assertThatThrownBy(() -> table.require(handle)).isSameAs(cause);
    assertThat(table.find(handle)).isEmpty();
    table.remove(handle);
    assertThatThrownBy(() -> table.require(handle)).isInstanceOf(InvalidUseException.class);
  }

  @Test
  void aHandleThatIsOpenStaysOpen() {
    Handle handle = Handle.fresh();
    table.bind(handle, "a");
    table.fail(handle, new NotFoundException("opened again"));
    assertThat(table.require(handle)).isEqualTo("a");
  }

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
  void handlesAreRemovedByWhatTheyName() {
    Map<Handle, String> bound = new HashMap<>();
    for (String name : List.of("a", "b", "a")) {
      bound.put(Handle.fresh(), name);
    }
    bound.forEach(table::bind);
    Map<Handle, String> seen = new HashMap<>();
    table.forEach(seen::put);
    assertThat(seen).isEqualTo(bound);
    table.removeIf("a"::equals);
    assertThat(table.values()).containsExactly("b");
    table.bind(Handle.fresh(), "c");
    table.bind(Handle.fresh(), "d");
    assertThat(table.values()).hasSize(3);
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
    } catch (NotFoundException failure) {
      return true;
    } catch (InvalidUseException unknown) {
      return false;
    }
  }
}
