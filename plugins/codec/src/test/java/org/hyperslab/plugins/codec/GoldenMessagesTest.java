package org.hyperslab.plugins.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.Condition;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.Locking;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.model.StepPage;
import org.hyperslab.model.StepProgress;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.StepOperation;
import org.junit.jupiter.api.Test;

/** Tests that messages of earlier versions keep their meaning. */
final class GoldenMessagesTest {

  private static final String SELECT =
      "92042f0805122974656d7065726174757265203e2033303020616e64206e6f7420702e7120"
          + "696e2028312c20227822291801";
  private static final String SUMMARIZE = "9a04080805120170120171";
  private static final String MATCHES =
      "9a011b080612150402020101020101040101010200010100000101011828";
  private static final String SUMMARY =
      "a20124081210021804220919000000000000f8bf2a02080e320b12090100000000000000003808";

  @Test
  void messagesOfVersion01AreReadAndWrittenAsThen() {
    List<EncodedMessage> messages = GoldenMessages.of("0.1");
    Set<Class<?>> kinds = new HashSet<>();
    for (EncodedMessage message : messages) {
      Operation<?> operation = OperationCodec.decode(message, DecodeLimits.DEFAULT);
      kinds.add(operation.getClass());
      assertThat(GoldenMessages.bytes(OperationCodec.encode(operation)))
          .as(operation.toString())
          .isEqualTo(GoldenMessages.bytes(message));
    }
    assertThat(kinds).hasSizeGreaterThan(40);
  }

  /** Operations on steps and their results keep their bytes. */
  @Test
  void messagesOfStepsKeepTheirBytes() {
    Handle file = new Handle(5);
    StepOperation.Start start = new StepOperation.Start(file, List.of("/a", "/b"));
    StepOperation.Publish publish =
        new StepOperation.Publish(file, 3, List.of(List.of(1L, 300L), List.of(2L, 301L)), true);
    StepOperation.Next next = new StepOperation.Next(file, 7, 4, 256, 2, 250);
    assertThat(hex(start)).isEqualTo("82060a080512022f6112022f62");
    assertThat(hex(publish)).isEqualTo("8a06100805100318022206" + "01ac0202ad022801");
    assertThat(hex(next)).isEqualTo("92060e080510071804208002" + "280230fa01");
    assertThat(hex(new StepOperation.Leave(file, 7))).isEqualTo("9a060408051007");
    StepPage page =
        new StepPage(4, 6, StepPage.Writer.LOST, List.of(List.of(1L, 300L), List.of(2L, 301L)));
    assertThat(hex(OperationCodec.encodeResult(next, page)))
        .isEqualTo("9201100804100618022002" + "2a0601ac0202ad02");
    assertThat(hex(OperationCodec.encodeResult(publish, new StepProgress(5, 9))))
        .isEqualTo("8a010408051009");
  }

  private static String hex(Operation<?> operation) {
    EncodedMessage message = OperationCodec.encode(operation);
    assertThat(OperationCodec.decode(message, DecodeLimits.DEFAULT)).isEqualTo(operation);
    return hex(message);
  }

  private static String hex(EncodedMessage message) {
    return HexFormat.of().formatHex(message.control());
  }

  /** Questions are newer than version 0.1. */
  @Test
  void questionsAndAnswersAreWrittenAsInVersion02() {
    Condition condition = Condition.parse("temperature > 300 and not p.q in (1, \"x\")");
    DatasetOperation.Select select = new DatasetOperation.Select(new Handle(5), condition, true);
    DatasetOperation.Summarize summarize =
        new DatasetOperation.Summarize(new Handle(5), Condition.field("p", "q"));
    DatasetOperation.Matches matches =
        new DatasetOperation.Matches(
            3, Optional.of(Selection.ofRuns(new long[] {1, 2, 9, 1}, 4, 5)), 20);
    ValueSummary summary =
        new ValueSummary(
            9, 1, 2, Optional.of(-1.5), Optional.of(7L), BigInteger.ONE.shiftLeft(64), 4);
    assertThat(
            List.of(
                hex(OperationCodec.encode(select)),
                hex(OperationCodec.encode(summarize)),
                hex(OperationCodec.encodeResult(select, matches)),
                hex(OperationCodec.encodeResult(summarize, summary))))
        .containsExactly(SELECT, SUMMARIZE, MATCHES, SUMMARY);
    assertThat(OperationCodec.decode(message(SELECT), DecodeLimits.DEFAULT)).isEqualTo(select);
    assertThat(OperationCodec.decode(message(SUMMARIZE), DecodeLimits.DEFAULT))
        .isEqualTo(summarize);
    assertThat(OperationCodec.decodeResult(select, message(MATCHES))).isEqualTo(matches);
    assertThat(OperationCodec.decodeResult(summarize, message(SUMMARY))).isEqualTo(summary);
  }

  private static EncodedMessage message(String hex) {
    return EncodedMessage.of(HexFormat.of().parseHex(hex));
  }

  /** The numbers are those of version 0.1; new constants are added at the end of a line. */
  @Test
  void numbersOfConstantsAreThoseOfVersion01() {
    assertThat(numbers(WireNumbers.LOCKING, Locking.values()))
        .isEqualTo("DEFAULT=0 ON=1 OFF=2 BEST_EFFORT=3");
    assertThat(numbers(WireNumbers.FORMAT_VERSION, FormatVersion.values()))
        .isEqualTo("EARLIEST=0 V18=1 V110=2 V112=3 V114=4 V200=5");
    assertThat(numbers(WireNumbers.CHARACTER_SET, CharacterSet.values()))
        .isEqualTo("ASCII=0 UTF8=1");
    assertThat(numbers(WireNumbers.ALLOCATION_TIME, AllocationTime.values()))
        .isEqualTo("DEFAULT=0 EARLY=1 LATE=2 INCREMENTAL=3");
    assertThat(numbers(WireNumbers.SPACE_STRATEGY, SpaceStrategy.Kind.values()))
        .isEqualTo("FREE_SPACE=0 PAGE=1 AGGREGATION=2 NONE=3");
    assertThat(numbers(WireNumbers.GROUP_STORAGE, GroupInfo.Storage.values()))
        .isEqualTo("SYMBOL_TABLE=0 COMPACT=1 DENSE=2 UNKNOWN=3");
    assertThat(numbers(WireNumbers.LINK_KIND, LinkKind.values()))
        .isEqualTo("HARD=0 SOFT=1 EXTERNAL=2 USER_DEFINED=3");
    assertThat(numbers(WireNumbers.STEP_WRITER, StepPage.Writer.values()))
        .isEqualTo("WRITING=0 ENDED=1 LOST=2");
  }

  private static <E extends Enum<E>> String numbers(WireNumbers<E> numbers, E[] constants) {
    StringBuilder all = new StringBuilder();
    for (E constant : constants) {
      int number = numbers.of(constant);
      assertThat(numbers.constant(number)).isEqualTo(constant);
      all.append(all.isEmpty() ? "" : " ").append(constant.name()).append('=').append(number);
    }
    return all.toString();
  }
}
