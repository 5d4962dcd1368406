package org.hyperslab.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Checks hand-written {@code toString} methods of records against the form that the compiler
 * generates.
 */
public final class RecordTexts {

  private RecordTexts() {}

  /**
   * Requires that the text of a record names every component, in order, with its value.
   *
   * @param value the record
   */
  public static void assertComplete(Record value) {
    String expected =
        Arrays.stream(value.getClass().getRecordComponents())
            .map(component -> component.getName() + "=" + valueOf(component, value))
            .collect(Collectors.joining(", ", value.getClass().getSimpleName() + "[", "]"));
    assertEquals(expected, value.toString());
  }

  private static Object valueOf(RecordComponent component, Record value) {
    try {
      return component.getAccessor().invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
