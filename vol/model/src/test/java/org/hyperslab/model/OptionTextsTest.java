package org.hyperslab.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.RecordTexts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that different options have different texts, by which ranks detect that they pass different
 * options.
 */
final class OptionTextsTest {

  static Stream<Record> options() {
    return Stream.of(
        CreateOptions.DEFAULT,
        GroupOptions.DEFAULT,
        OpenOptions.EDIT.withProperty("name", "value"),
        DatasetOptions.DEFAULT,
        AttributeStorage.DEFAULT,
        SpaceStrategy.DEFAULT,
        LinkOptions.DEFAULT,
        new Layout.Auto());
  }

  @ParameterizedTest
  @MethodSource("options")
  void everyComponentIsPrinted(Record options) {
    RecordTexts.assertComplete(options);
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
