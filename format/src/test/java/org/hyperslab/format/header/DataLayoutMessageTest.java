package org.hyperslab.format.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.junit.jupiter.api.Test;

/** Tests which data layout messages are accepted. */
final class DataLayoutMessageTest {

  private static final int VERSION = 4;
  private static final int VIRTUAL = 3;

  private static DataLayoutMessage virtual(long address, int index) {
    byte[] bytes =
        ByteBuffer.allocate(14)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put((byte) VERSION)
            .put((byte) VIRTUAL)
            .putLong(address)
            .putInt(index)
            .array();
    return DataLayoutMessage.decode(
        new MetadataReader(FileGeometry.standard("a.h5"), "message", bytes, 0));
  }

  @Test
  void heapObjectOfVirtualMappingsMustHaveANumberInRange() {
    assertThat(virtual(4096, 65_535).layout())
        .isEqualTo(new DataLayoutMessage.Virtual(4096, 65_535));
    for (int index : new int[] {65_536, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
      assertThatThrownBy(() -> virtual(4096, index))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("heap object actual=" + Integer.toUnsignedLong(index));
    }
  }
}
