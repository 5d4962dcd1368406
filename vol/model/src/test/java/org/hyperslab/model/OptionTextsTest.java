package org.hyperslab.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.OptionRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that different options have different texts, by which ranks detect that they pass different
 * options.
 */
final class OptionTextsTest {

  static Stream<Object> options() {
    return Stream.of(
        CreateOptions.DEFAULT,
        GroupOptions.builder().creationOrderTracked(true).build(),
        OpenOptions.EDIT.withProperty("name", "value"),
        DatasetOptions.DEFAULT,
        LinkOptions.DEFAULT,
        CopyOptions.DEFAULT,
        TransferOptions.DEFAULT.withProperty("name", "value"));
  }

  /** Every option has a setter of its name, is printed, and makes options unequal. */
  @ParameterizedTest
  @MethodSource("options")
  void everyOptionCanBeSetAndIsPrintedAndCompared(Object options) throws Exception {
    OptionRules.require(options, (_, value) -> other(value));
  }

  /** Returns another value of the class of a value, which no check refuses. */
  private static Object other(Object value) {
    return switch (value) {
      case Boolean on -> !on;
      case Integer number -> number == 6 ? 7 : number + 1;
      case Long number -> number + 1;
      case Map<?, ?> _ -> Map.of("other", "property");
      case List<?> _ -> List.of(FilterSpec.deflate(3));
      case AttributeStorage _ -> new AttributeStorage(false, false, 9, 5);
      case GroupOptions group -> group.withTimes(!group.trackTimes());
      case SpaceStrategy _ -> new SpaceStrategy(SpaceStrategy.Kind.PAGE, true, 5, 512);
      case OpenOptions open -> open.withThreads(open.threads() + 1);
      case Layout _ -> new Layout.Compact();
      case FillValue _ -> FillValue.of(7);
      case FormatVersion _ -> FormatVersion.V18;
      case Enum<?> constant ->
          Arrays.stream(constant.getDeclaringClass().getEnumConstants())
              .filter(each -> each != constant)
              .findFirst()
              .orElseThrow();
      default -> throw new AssertionError("no other value of " + value.getClass());
    };
  }

  @Test
  void optionsThatContradictEachOtherAreRefused() {
    assertThatThrownBy(() -> GroupOptions.builder().creationOrderIndexed(true).build())
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("indexed but not tracked");
    assertThatThrownBy(
            () -> OpenOptions.builder().low(FormatVersion.V200).high(FormatVersion.V18).build())
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("version bounds");
    assertThatThrownBy(() -> CreateOptions.builder().symbolLeafK(0).build())
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("symbolLeafK");
  }

  @Test
  void negativeNumbersAreRefused() {
    assertThatThrownBy(() -> OpenOptions.READ.withThreads(-1))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("-1 threads");
    assertThatThrownBy(() -> OpenOptions.READ.withCacheBytes(-5))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("-5 bytes");
  }

  @Test
  void spaceStrategiesAreEqualIfAllComponentsAre() {
    SpaceStrategy.Kind page = SpaceStrategy.Kind.PAGE;
    SpaceStrategy strategy = new SpaceStrategy(page, true, 5, 512);

    assertThat(strategy)
        .isEqualTo(new SpaceStrategy(page, true, 5, 512))
        .hasSameHashCodeAs(new SpaceStrategy(page, true, 5, 512))
        .isNotEqualTo(new SpaceStrategy(SpaceStrategy.Kind.NONE, true, 5, 512))
        .isNotEqualTo(new SpaceStrategy(page, false, 5, 512))
        .isNotEqualTo(new SpaceStrategy(page, true, 6, 512))
        .isNotEqualTo(new SpaceStrategy(page, true, 5, 4096))
        .isNotEqualTo("strategy");
  }

  @Test
  void propertiesAreInOrder() {
    OpenOptions options = OpenOptions.READ;
    for (String name : "h c f a e b g d".split(" ")) {
      options = options.withProperty(name, "1");
    }

    // Maps that cannot be changed have another order in each JVM: ranks would differ.
    assertThat(options.toString()).contains("properties={a=1, b=1, c=1, d=1, e=1, f=1, g=1, h=1}");
  }
}
