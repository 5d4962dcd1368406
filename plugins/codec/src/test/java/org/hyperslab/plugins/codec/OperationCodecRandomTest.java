package org.hyperslab.plugins.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Operation;
import org.junit.jupiter.api.Test;

/**
 * Tests that every operation, result and error survives encoding and decoding, and that changed
 * bytes give typed errors.
 */
final class OperationCodecRandomTest {

  /**
   * Returns every record that is an operation, found through sealed types, so that new ones are
   * included.
   */
  static List<Class<?>> operations() {
    List<Class<?>> all = new ArrayList<>();
    for (Class<?> family : Operation.class.getPermittedSubclasses()) {
      for (Class<?> kind : family.getPermittedSubclasses()) {
        all.addAll(kind.isSealed() ? Arrays.asList(kind.getPermittedSubclasses()) : List.of(kind));
      }
    }
    return all;
  }

  static Type resultOf(Class<?> operation) {
    Type first = operation.getGenericInterfaces()[0];
    return first instanceof ParameterizedType family
        ? family.getActualTypeArguments()[0]
        : resultOf((Class<?>) first);
  }

  @Test
  void everyOperationRoundTrips() {
    assertThat(operations()).hasSizeGreaterThan(40);
    Seeds.runFixed(
        Effort.times(20, 60),
        random -> {
          for (Class<?> type : operations()) {
            Operation<?> operation = (Operation<?>) new RandomValues(random).of(type);
            Operation<?> back =
                OperationCodec.decode(OperationCodec.encode(operation), DecodeLimits.DEFAULT);
            requireSame(operation, back);
          }
        });
  }

  @Test
  void everyResultRoundTrips() {
    Seeds.runFixed(
        Effort.times(20, 60),
        random -> {
          for (Class<?> type : operations()) {
            RandomValues values = new RandomValues(random);
            Operation<?> operation = (Operation<?>) values.of(type);
            Object result = values.of(resultOf(type));
            Object back =
                OperationCodec.decodeResult(
                    operation, OperationCodec.encodeResult(operation, result));
            requireSame(result, back);
          }
        });
  }

  @Test
  void elementsReadByAServerArriveInTheSelectedPlaces() {
    Seeds.runFixed(
        Effort.times(100, 300),
        random -> {
          RandomValues values = new RandomValues(random);
          DatasetOperation.Read read =
              (DatasetOperation.Read) values.of(DatasetOperation.Read.class);
          byte[] before = read.target().elements().toArray(ValueLayout.JAVA_BYTE);
          Datatype type = read.transfer().memoryType();
          DatasetOperation.Read there =
              (DatasetOperation.Read)
                  OperationCodec.decode(OperationCodec.encode(read), DecodeLimits.DEFAULT);
          long count = there.target().elements().byteSize() / type.size();
          DataBuffer found = values.buffer(type, count);
          var answered = new DatasetOperation.Read(there.dataset(), there.transfer(), found);
          OperationCodec.decodeResult(read, OperationCodec.encodeResult(answered, null));
          requireSameElements(type, packed(read.transfer(), read.target()), found);
          requireUntouchedOutside(read, before);
        });
  }

  private static void requireUntouchedOutside(DatasetOperation.Read read, byte[] before) {
    Transfer transfer = read.transfer();
    long[] extent = transfer.memorySpace().dims();
    if (extent.length != 2) {
      return;
    }
    int size = transfer.memoryType().size();
    byte[] after = read.target().elements().toArray(ValueLayout.JAVA_BYTE);
    for (long i = 0; i < extent[0] * extent[1]; i++) {
      if (!transfer.memorySelection().contains(i / extent[1], i % extent[1])) {
        int at = (int) i * size;
        assertThat(Arrays.copyOfRange(after, at, at + size))
            .isEqualTo(Arrays.copyOfRange(before, at, at + size));
      }
    }
  }

  @Test
  void errorsKeepKindTextAndCauses() {
    HyperslabException failure =
        new StorageException(
            "write: actual=full, expected=room",
            new CorruptFileException("a.h5", "heap", 77, "size actual=3, expected=4"));
    HyperslabException back = OperationCodec.decodeError(OperationCodec.encodeError(failure));
    assertThat(back).isInstanceOf(StorageException.class).hasMessage(failure.getMessage());
    assertThat(back.getCause())
        .isInstanceOfSatisfying(
            CorruptFileException.class,
            e -> {
              assertThat(e.getMessage()).isEqualTo(failure.getCause().getMessage());
              assertThat(e.file()).isEqualTo("a.h5");
              assertThat(e.structure()).isEqualTo("heap");
              assertThat(e.offset()).isEqualTo(77);
            });
    for (HyperslabException one :
        List.of(
            new InvalidUseException("a"),
            new LimitExceededException("l"),
            new NotFoundException("b"),
            new RemoteException("c"),
            new MpiException("MPI_Recv", 3, 15, "truncated"),
            InternalErrorException.unexpected("read", new IllegalStateException("x")))) {
      HyperslabException same = OperationCodec.decodeError(OperationCodec.encodeError(one));
      assertThat(same).hasSameClassAs(one).hasMessage(one.getMessage());
    }
    assertThat(OperationCodec.decodeError(OperationCodec.encodeError(new IOException("gone"))))
        .isInstanceOf(RemoteException.class)
        .hasMessage("java.io.IOException: gone");
  }

  @Test
  void untypedExceptionsAreInternalErrors() {
    for (Throwable raw :
        List.of(
            new IllegalStateException("odd"),
            new CompletionException(new NullPointerException("odd")),
            new AssertionError("odd"))) {
      HyperslabException told = OperationCodec.decodeError(OperationCodec.encodeError(raw));
      assertThat(told)
          .isInstanceOf(InternalErrorException.class)
          .hasMessageContaining("odd")
          .hasMessageContaining("defect of Hyperslab");
      assertThat(told.getCause()).isInstanceOf(RemoteException.class).hasMessageContaining("odd");
    }
  }

  @Test
  void changedBytesOfOperationsGiveTypedErrors() {
    Seeds.runFixed(
        Effort.times(75, 400),
        random -> {
          for (Class<?> type : operations()) {
            Operation<?> operation = (Operation<?>) new RandomValues(random).of(type);
            EncodedMessage encoded = OperationCodec.encode(operation);
            EncodedMessage changed =
                new EncodedMessage(mutated(encoded.control(), random), encoded.payload());
            DecodeLimits limits = new DecodeLimits(1 << 20, 1 << 20, 1 << 20, DecodeLimits::fresh);
            typedOrFine(() -> OperationCodec.decode(changed, limits));
          }
        });
  }

  @Test
  void changedBytesOfResultsAndErrorsGiveTypedErrors() {
    Seeds.runFixed(
        Effort.times(75, 400),
        random -> {
          for (Class<?> type : operations()) {
            RandomValues values = new RandomValues(random);
            Operation<?> operation = (Operation<?>) values.of(type);
            EncodedMessage encoded =
                OperationCodec.encodeResult(operation, values.of(resultOf(type)));
            EncodedMessage changed =
                new EncodedMessage(mutated(encoded.control(), random), encoded.payload());
            typedOrFine(() -> OperationCodec.decodeResult(operation, changed));
          }
          byte[] error = OperationCodec.encodeError(new NotFoundException("a", new IOException()));
          typedOrFine(() -> OperationCodec.decodeError(mutated(error, random)));
        });
  }

  @Test
  void refusesBuffersBeyondTheLimit() {
    Random random = new Random(1);
    DatasetOperation.Read read;
    do {
      read = (DatasetOperation.Read) new RandomValues(random).of(DatasetOperation.Read.class);
    } while (read.target().elements().byteSize() < 100
        || !read.transfer().memorySelection().equals(Selection.all()));
    EncodedMessage encoded = OperationCodec.encode(read);
    DecodeLimits limits = new DecodeLimits(1 << 20, 1 << 20, 50, DecodeLimits::fresh);
    assertThatThrownBy(() -> OperationCodec.decode(encoded, limits))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("expected=at most 50");
  }

  private static byte[] mutated(byte[] bytes, Random random) {
    byte[] changed = Arrays.copyOf(bytes, random.nextInt(8) == 0 ? bytes.length / 2 : bytes.length);
    for (int i = 1 + random.nextInt(4); i > 0 && changed.length > 0; i--) {
      changed[random.nextInt(changed.length)] =
          (byte) (random.nextBoolean() ? random.nextInt() : 0xFF);
    }
    return changed;
  }

  private static void typedOrFine(Runnable decoding) {
    try {
      decoding.run();
    } catch (HyperslabException expected) {
      assertThat(expected.getMessage()).isNotBlank();
    }
  }

  /** Compares by structure; for transfers, the selected elements. */
  private static void requireSame(Object expected, Object actual) {
    switch (expected) {
      case DatasetOperation.Write w -> {
        var back = (DatasetOperation.Write) actual;
        requireSameTransfer(w.transfer(), back.transfer());
        requireSameElements(
            w.transfer().memoryType(),
            packed(w.transfer(), w.source()),
            packed(back.transfer(), back.source()));
      }
      case DatasetOperation.Read r ->
          requireSameTransfer(r.transfer(), ((DatasetOperation.Read) actual).transfer());
      case AttributeOperation.Write w ->
          requireSameElements(
              w.memoryType(), w.source(), ((AttributeOperation.Write) actual).source());
      case AttributeOperation.Content c ->
          requireSameElements(
              c.memoryType(), c.source(), ((AttributeOperation.Content) actual).source());
      case AttributeOperation.Read r ->
          requireSameElements(
              r.memoryType(), r.target(), ((AttributeOperation.Read) actual).target());
      case MemorySegment bytes -> assertThat(bytes.mismatch((MemorySegment) actual)).isEqualTo(-1);
      case FillValue.Value v -> {
        assertThat(((FillValue.Value) actual).type()).isEqualTo(v.type());
        requireSameElements(v.type(), v.value(), ((FillValue.Value) actual).value());
      }
      case List<?> list -> {
        List<?> other = (List<?>) actual;
        assertThat(other).hasSameSizeAs(list);
        for (int i = 0; i < list.size(); i++) {
          requireSame(list.get(i), other.get(i));
        }
      }
      case Record record when !(record instanceof Datatype) -> requireSameParts(record, actual);
      case DatasetOptions options -> requireSameOptions(options, actual);
      case null, default -> assertThat(actual).isEqualTo(expected);
    }
  }

  /** Options of datasets hold elements, whose buffers differ. */
  private static void requireSameOptions(Object expected, Object actual) {
    for (Method accessor : RandomValues.accessors(expected.getClass())) {
      try {
        requireSame(accessor.invoke(expected), accessor.invoke(actual));
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void requireSameParts(Record expected, Object actual) {
    assertThat(actual).hasSameClassAs(expected);
    for (RecordComponent component : expected.getClass().getRecordComponents()) {
      try {
        component.getAccessor().setAccessible(true);
        requireSame(
            component.getAccessor().invoke(expected), component.getAccessor().invoke(actual));
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void requireSameTransfer(Transfer expected, Transfer actual) {
    assertThat(actual.memoryType()).isEqualTo(expected.memoryType());
    assertThat(actual.fileSelection()).isEqualTo(expected.fileSelection());
    assertThat(actual.options()).isEqualTo(expected.options());
  }

  private static DataBuffer packed(Transfer transfer, DataBuffer buffer) {
    var parts = new MemorySide(transfer, buffer).gather(DecodeLimits::fresh);
    EncodedMessage joined = new EncodedMessage(new byte[0], parts);
    return new DataBuffer(Payload.slice(joined, 0, joined.payloadBytes()), buffer.heap());
  }

  /** Values are compared after both sides were copied into heaps of the same order. */
  private static void requireSameElements(Datatype type, DataBuffer expected, DataBuffer actual) {
    long count = expected.elements().byteSize() / type.size();
    assertThat(actual.elements().byteSize()).isEqualTo(expected.elements().byteSize());
    DataBuffer left = normal(type, expected, count);
    DataBuffer right = normal(type, actual, count);
    assertThat(left.elements().mismatch(right.elements())).isEqualTo(-1);
    assertThat(allOf(left.heap())).isEqualTo(allOf(right.heap()));
  }

  private static DataBuffer normal(Datatype type, DataBuffer buffer, long count) {
    DataBuffer copy = DataBuffer.allocate(type, count);
    VlenHeap heap = type.hasOutOfLineParts() ? copy.heap() : VlenHeap.none();
    Converter.between(type, type)
        .open(buffer.heap(), heap)
        .convert(buffer.elements(), 0, copy.elements(), 0, count);
    return copy;
  }

  private static byte[] allOf(VlenHeap heap) {
    EncodedMessage joined = new EncodedMessage(new byte[0], heap.blocks());
    return Payload.slice(joined, 0, joined.payloadBytes()).toArray(ValueLayout.JAVA_BYTE);
  }
}
