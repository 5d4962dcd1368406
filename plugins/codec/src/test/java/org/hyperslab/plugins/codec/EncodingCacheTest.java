package org.hyperslab.plugins.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.function.LongUnaryOperator;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.junit.jupiter.api.Test;

/** Tests that caching does not change results. */
final class EncodingCacheTest {

  private final EncodingCache cache = new EncodingCache();

  /** Returns a type with {@code count} members of four bytes. */
  private static Datatype members(int count) {
    CompoundType.Builder type = CompoundType.builder();
    for (int i = 0; i < count; i++) {
      type.member("m" + i, 4 * i, Datatypes.I32LE);
    }
    return type.size(4 * count).build();
  }

  @Test
  void transfersTravelAsWithoutIt() {
    EncodingCache sends = new EncodingCache();
    EncodingCache receives = new EncodingCache();
    Seeds.runFixed(
        500,
        random -> {
          RandomValues values = new RandomValues(random);
          var write = (DatasetOperation.Write) values.of(DatasetOperation.Write.class);
          EncodedMessage fresh = OperationCodec.encode(write);
          EncodedMessage encoded = OperationCodec.encode(write, DecodeLimits::fresh, sends);
          assertThat(encoded.control()).isEqualTo(fresh.control());
          Transfer expected = transfer(fresh, new EncodingCache());
          assertThat(transfer(encoded, receives)).isEqualTo(expected);
          assertThat(transfer(encoded, receives)).isEqualTo(expected);
        });
  }

  private static Transfer transfer(EncodedMessage encoded, EncodingCache cache) {
    LongUnaryOperator same = LongUnaryOperator.identity();
    var decoded = OperationCodec.decode(encoded, DecodeLimits.DEFAULT, same, cache);
    return ((DatasetOperation.Write) decoded).transfer();
  }

  @Test
  void equalBytesGiveTheSameValueAndEqualValuesTheSameBytes() {
    ByteString bytes = cache.bytes(members(2));
    assertThat(cache.bytes(members(2))).isSameAs(bytes);
    ByteString copy = ByteString.copyFrom(bytes.toByteArray());
    assertThat(cache.type(copy)).isSameAs(cache.type(bytes)).isEqualTo(members(2));
    ByteString space = cache.bytes(Dataspace.simple(3, 4));
    assertThat(cache.bytes(Dataspace.simple(3, 4))).isSameAs(space);
    assertThat(cache.space(ByteString.copyFrom(space.toByteArray())))
        .isSameAs(cache.space(space))
        .isEqualTo(Dataspace.simple(3, 4));
  }

  @Test
  void longEncodingsAreNotCached() {
    ByteString bytes = cache.bytes(members(100));
    assertThat(bytes.size()).isGreaterThan(256);
    assertThat(cache.bytes(members(100))).isNotSameAs(bytes).isEqualTo(bytes);
    assertThat(cache.type(bytes)).isNotSameAs(cache.type(bytes)).isEqualTo(members(100));
  }

  /** Tests repeated use of more types than the cache holds. */
  @Test
  void replacedEntriesAreNotReturned() {
    for (int round = 0; round < 3; round++) {
      for (int i = 1; i < 200; i++) {
        Dataspace space = Dataspace.simple(i);
        assertThat(cache.space(cache.bytes(space))).isEqualTo(space);
      }
    }
  }

  @Test
  void wrongBytesAreRefusedHoweverOftenTheyCome() {
    byte[] wrong = cache.bytes(Datatypes.I32LE).toByteArray();
    wrong[0] = (byte) 0xFF;
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> cache.type(ByteString.copyFrom(wrong)))
          .isInstanceOf(HyperslabException.class);
    }
  }
}
