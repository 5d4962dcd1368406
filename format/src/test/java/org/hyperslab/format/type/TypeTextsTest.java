package org.hyperslab.format.type;

import java.util.stream.Stream;
import org.hyperslab.testkit.RecordTexts;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that different types have different texts, by which ranks detect that they pass different
 * types.
 */
final class TypeTextsTest {

  static Stream<Record> parts() {
    FloatType number = Datatypes.F32BE;
    return Stream.of(
        Datatypes.U8LE,
        number,
        number.fields(),
        number.padding(),
        new StringType(7, StringPadding.SPACEPAD, CharacterSet.UTF8),
        new CompoundType.Member("x", 4, number),
        CompoundType.builder().member("x", number).build());
  }

  @ParameterizedTest
  @MethodSource("parts")
  void everyComponentIsPrinted(Record part) {
    RecordTexts.assertComplete(part);
  }
}
