package org.hyperslab.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Checks that options are built as all options of this project are: every option has a setter of
 * its name in the builder, is printed, and makes options unequal.
 *
 * <p>Thread rule: no state.
 */
public final class OptionRules {

  private static final Set<String> NO_OPTIONS = Set.of("toBuilder", "hashCode", "toString");

  private OptionRules() {}

  /**
   * Checks each option that has a setter. Other methods without parameters derive something from
   * options.
   *
   * @param options the options, which are not changed
   * @param other returns another value for an option of a name and value, which no check refuses
   * @throws ReflectiveOperationException if a method cannot be called
   */
  public static void require(Object options, BiFunction<String, Object, Object> other)
      throws ReflectiveOperationException {
    Object copy = build(builder(options));
    assertEquals(options, copy);
    assertEquals(options.hashCode(), copy.hashCode());
    List<Method> accessors = accessors(options);
    assertFalse(accessors.isEmpty(), "options of " + options.getClass());
    for (Method accessor : accessors) {
      String name = accessor.getName();
      Object value = accessor.invoke(options);
      Object another = other.apply(name, value);
      Object builder = builder(options);
      builder.getClass().getMethod(name, accessor.getReturnType()).invoke(builder, another);
      Object changed = build(builder);
      assertPrinted(options, name, value);
      assertPrinted(changed, name, another);
      assertEquals(another, accessor.invoke(changed), name);
      assertNotEquals(options, changed, name);
    }
  }

  private static void assertPrinted(Object options, String name, Object value) {
    String expected = name + "=" + value;
    assertTrue(options.toString().contains(expected), () -> expected + " is missing in " + options);
  }

  private static Object builder(Object options) throws ReflectiveOperationException {
    return options.getClass().getMethod("toBuilder").invoke(options);
  }

  private static Object build(Object builder) throws ReflectiveOperationException {
    return builder.getClass().getMethod("build").invoke(builder);
  }

  /** Returns the accessors of options, which are those that have a setter. */
  private static List<Method> accessors(Object options) throws ReflectiveOperationException {
    Class<?> builder = builder(options).getClass();
    return Arrays.stream(options.getClass().getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> !NO_OPTIONS.contains(method.getName()))
        .filter(method -> method.getReturnType() != options.getClass())
        .filter(method -> !isDerived(options.getClass(), builder, method))
        .toList();
  }

  /** Returns whether neither a setter nor a field has the name of a method. */
  private static boolean isDerived(Class<?> options, Class<?> builder, Method method) {
    boolean stored =
        Arrays.stream(options.getDeclaredFields())
            .anyMatch(field -> field.getName().equals(method.getName()));
    boolean set =
        Arrays.stream(builder.getMethods())
            .anyMatch(each -> each.getName().equals(method.getName()));
    return !stored && !set;
  }
}
