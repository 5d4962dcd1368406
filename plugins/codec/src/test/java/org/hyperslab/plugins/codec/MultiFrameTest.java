package org.hyperslab.plugins.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;
import org.junit.jupiter.api.Test;

/** Tests that transfers of several datasets are one message, every number of which is checked. */
final class MultiFrameTest {

  private static Transfer transfer(int elements) {
    return new Transfer(
        Datatypes.NATIVE_INT,
        Dataspace.simple(elements),
        Selection.all(),
        Selection.box(new long[] {0}, new long[] {elements}),
        TransferOptions.COLLECTIVE);
  }

  private static DatasetOperation.WriteMulti writes(int... counts) {
    List<DatasetOperation.Write> writes = new ArrayList<>();
    for (int count : counts) {
      int[] values = LongStream.range(0, count).mapToInt(i -> (int) i + 100 * count).toArray();
      DataBuffer source = DataBuffer.of(MemorySegment.ofArray(values));
      writes.add(new DatasetOperation.Write(new Handle(count), transfer(count), source));
    }
    return new DatasetOperation.WriteMulti(writes);
  }

  private static DatasetOperation.ReadMulti reads(int... counts) {
    List<DatasetOperation.Read> reads = new ArrayList<>();
    for (int count : counts) {
      DataBuffer target = DataBuffer.allocate(Datatypes.NATIVE_INT, count);
      reads.add(new DatasetOperation.Read(new Handle(count), transfer(count), target));
    }
    return new DatasetOperation.ReadMulti(reads);
  }

  @Test
  void partsArriveWithTheirElementsAndOptions() {
    DatasetOperation.WriteMulti sent = writes(3, 1, 5);
    var back =
        (DatasetOperation.WriteMulti)
            OperationCodec.decode(OperationCodec.encode(sent), DecodeLimits.DEFAULT);
    assertThat(back.options()).isEqualTo(TransferOptions.COLLECTIVE);
    assertThat(back.uses()).containsExactly(new Handle(3), new Handle(1), new Handle(5));
    for (int i = 0; i < 3; i++) {
      MemorySegment elements = back.parts().get(i).source().elements();
      assertThat(elements.mismatch(sent.parts().get(i).source().elements())).isEqualTo(-1);
    }
  }

  @Test
  void elementsArriveInEveryBuffer() {
    DatasetOperation.ReadMulti there = reads(2, 4);
    there.parts().forEach(read -> read.target().elements().fill((byte) 7));
    DatasetOperation.ReadMulti here = reads(2, 4);
    OperationCodec.<Void>decodeResult(here, OperationCodec.encodeResult(there, null));
    for (DatasetOperation.Read read : here.parts()) {
      assertThat(read.target().elements().toArray(ValueLayout.JAVA_BYTE)).containsOnly((byte) 7);
    }
    EncodedMessage other = OperationCodec.encodeResult(reads(2), null);
    assertThatThrownBy(() -> OperationCodec.decodeResult(here, other))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("actual=1, expected=2");
  }

  @Test
  void buffersOfAllReadsTogetherAreWithinTheLimit() {
    EncodedMessage message = OperationCodec.encode(reads(100, 100));
    DecodeLimits enough = new DecodeLimits(1 << 16, 1 << 16, 800, DecodeLimits.DEFAULT.memory());
    assertThat(OperationCodec.decode(message, enough)).isNotNull();
    DecodeLimits few = new DecodeLimits(1 << 16, 1 << 16, 799, DecodeLimits.DEFAULT.memory());
    assertThatThrownBy(() -> OperationCodec.decode(message, few))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("expected=at most 399");
  }

  @Test
  void inconsistentFrameIsRefused() {
    EncodedMessage good = OperationCodec.encode(writes(3, 1));
    refused(good, 2, 0, "parts actual=0");
    refused(good, 2, -1, "parts actual=-1");
    refused(good, 2, Integer.MAX_VALUE, "actual=2");
    refused(good, 2, 1, "behind the parts");
    refused(good, 6, -1, "message actual=-1");
    refused(good, 6, 1 << 30, "message actual=1073741824");
    refused(good, 10, -1, "payload actual=");
    refused(good, 14, 17, "payload actual=17");
    refused(good, 14, 11, "payload");
    EncodedMessage nested = MultiFrame.join(MultiFrame.WRITES, List.of(good));
    assertThatThrownBy(() -> OperationCodec.decode(nested, DecodeLimits.DEFAULT))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("part actual=several");
    EncodedMessage mixed =
        MultiFrame.join(MultiFrame.READS, List.of(OperationCodec.encode(writes(1).parts().get(0))));
    assertThatThrownBy(() -> OperationCodec.decode(mixed, DecodeLimits.DEFAULT))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("part actual=Write, expected=Read");
  }

  private static void refused(EncodedMessage good, int at, int number, String text) {
    byte[] control = good.control().clone();
    ByteBuffer.wrap(control).putInt(at, number);
    assertThatThrownBy(() ->
            OperationCodec.decode(
                new EncodedMessage(control, good.payload()), DecodeLimits.DEFAULT))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(text);
  }

  @Test
  void changedBytesGiveTypedErrors() {
    EncodedMessage good = OperationCodec.encode(writes(3, 1, 2));
    Seeds.run(
        400,
        random -> {
          byte[] control = good.control().clone();
          for (int i = 1 + random.nextInt(3); i > 0; i--) {
            control[random.nextInt(control.length)] = (byte) random.nextInt();
          }
          try {
            OperationCodec.decode(
                new EncodedMessage(control, good.payload()), DecodeLimits.DEFAULT);
          } catch (HyperslabException typed) {
            assertThat(typed.getMessage()).isNotBlank();
          }
        });
  }
}
