package org.hyperslab.plugins.codec;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.util.Optional;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.plugins.codec.proto.Messages;
import org.hyperslab.vol.DatasetOperation;

/** Encodes and decodes answers to questions about values. Thread rule: stateless. */
final class Answers {

  private static final int MAX_NUMBER_BYTES = 64;

  private Answers() {}

  static Messages.MatchesMessage message(DatasetOperation.Matches matches) {
    Messages.MatchesMessage.Builder message =
        Messages.MatchesMessage.newBuilder()
            .setCount(matches.count())
            .setElementsRead(matches.elementsRead());
    matches.selection().ifPresent(places -> message.setSelection(Structures.bytes(places)));
    return message.build();
  }

  static DatasetOperation.Matches matches(Messages.MatchesMessage m) {
    return new DatasetOperation.Matches(
        m.getCount(),
        m.hasSelection() ? Optional.of(Structures.selection(m.getSelection())) : Optional.empty(),
        m.getElementsRead());
  }

  static Messages.SummaryMessage message(ValueSummary summary) {
    Messages.SummaryMessage.Builder message =
        Messages.SummaryMessage.newBuilder()
            .setCount(summary.count())
            .setFillCount(summary.fillCount())
            .setNanCount(summary.nanCount())
            .setSum(number(summary.sum()))
            .setElementsRead(summary.elementsRead());
    summary.minimum().ifPresent(value -> message.setMinimum(number(value)));
    summary.maximum().ifPresent(value -> message.setMaximum(number(value)));
    return message.build();
  }

  static ValueSummary summary(Messages.SummaryMessage m) {
    return new ValueSummary(
        m.getCount(),
        m.getFillCount(),
        m.getNanCount(),
        m.hasMinimum() ? Optional.of(number(m.getMinimum())) : Optional.empty(),
        m.hasMaximum() ? Optional.of(number(m.getMaximum())) : Optional.empty(),
        number(m.getSum()),
        m.getElementsRead());
  }

  private static Messages.NumberMessage number(Number number) {
    Messages.NumberMessage.Builder message = Messages.NumberMessage.newBuilder();
    return switch (number) {
      case Long whole -> message.setWhole(whole).build();
      case BigInteger large -> message.setLarge(ByteString.copyFrom(large.toByteArray())).build();
      default -> message.setReal(number.doubleValue()).build();
    };
  }

  private static Number number(Messages.NumberMessage m) {
    return switch (m.getNumberCase()) {
      case WHOLE -> m.getWhole();
      case REAL -> m.getReal();
      case LARGE -> {
        if (m.getLarge().isEmpty() || m.getLarge().size() > MAX_NUMBER_BYTES) {
          throw MalformedMessage.of(
              "number",
              "bytes actual=" + m.getLarge().size() + ", expected=1 to " + MAX_NUMBER_BYTES);
        }
        yield new BigInteger(m.getLarge().toByteArray());
      }
      case NUMBER_NOT_SET -> throw MalformedMessage.of("number", "actual=none, expected=one");
    };
  }
}
