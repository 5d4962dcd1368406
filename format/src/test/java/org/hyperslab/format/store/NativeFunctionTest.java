package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.junit.jupiter.api.Test;

/** Calls functions of the C library with each kind of parameter and result. */
final class NativeFunctionTest {

  private static NativeFunction function(String name, int parameters) {
    return NativeFunction.ofCLibrary(name, parameters).orElseThrow();
  }

  @Test
  void passesAndReturnsIntsOfEitherSign() {
    NativeFunction abs = function("abs", 1);

    assertThat((int) abs.call(value(-5))).isEqualTo(5);
    assertThat((int) abs.call(value(Integer.MAX_VALUE))).isEqualTo(Integer.MAX_VALUE);
    assertThat((int) function("atoi", 1).call(Arena.ofAuto().allocateFrom("-7"))).isEqualTo(-7);
  }

  @Test
  void passesAndReturnsLongs() {
    assertThat(function("labs", 1).call(value(Long.MIN_VALUE + 1))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void passesAndReturnsPointersBesideIntegers() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom("hyperslab");

      long found = function("memchr", 3).call(text, value('s'), value(text.byteSize()));

      assertThat(found).isEqualTo(text.address() + 5);
      assertThat(function("strlen", 1).call(text)).isEqualTo(9);
    }
  }

  @Test
  void callsFunctionsWithoutParameters() {
    assertThat((int) function("getpid", 0).call()).isEqualTo((int) ProcessHandle.current().pid());
  }

  @Test
  void refusesFreedAndHeapMemory() {
    NativeFunction strlen = function("strlen", 1);
    Arena arena = Arena.ofConfined();
    MemorySegment gone = arena.allocateFrom("gone");
    arena.close();

    assertThatThrownBy(() -> strlen.call(gone)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> strlen.call(MemorySegment.ofArray(new byte[4])))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesOtherNumbersOfArguments() {
    NativeFunction strlen = function("strlen", 1);

    assertThatThrownBy(() -> strlen.call(MemorySegment.NULL, value(1)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("actual=2, expected=1");
    assertThatThrownBy(() -> NativeFunction.ofCLibrary("strlen", 11))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("actual=11");
  }

  @Test
  void reportsFunctionsThatTheLibraryLacks() {
    assertThat(NativeFunction.ofCLibrary("no_such_function_here", 1)).isEmpty();
  }
}
