package org.hyperslab.format.header;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectHeaderTest {

  private static final FileGeometry GEOMETRY = FileGeometry.standard("test.h5");

  private static MemoryMetadataSpace file(MetadataWriter writer) {
    return new MemoryMetadataSpace(GEOMETRY, writer.toByteArray());
  }

  /** A version-1 header of one message at address 0, and what the caller appends. */
  private static MetadataWriter header1(int type, int flags, byte[] payload) {
    MetadataWriter writer = new MetadataWriter(GEOMETRY, 256);
    writer.u8(1).u8(0).u16(1).u32(1).u32(8 + payload.length).zeros(4);
    return writer.u16(type).u16(payload.length).u8(flags).zeros(3).bytes(payload);
  }

  private static byte[] continuation(long address, long size) {
    return new MetadataWriter(GEOMETRY, 16).offset(address).length(size).toByteArray();
  }

  @Test
  void rejectsContinuationThatLeadsBackToTheHeader() {
    MemoryMetadataSpace space = file(header1(16, 0, continuation(0, 40)));
    assertThatThrownBy(() -> ObjectHeader.open(space, 0))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("overlaps the chunk at 0");
  }

  @Test
  void rejectsContinuationThatOverlapsTheHeader() {
    MemoryMetadataSpace space = file(header1(16, 0, continuation(32, 8)).zeros(100));
    assertThatThrownBy(() -> ObjectHeader.open(space, 0))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("overlaps");
  }

  @Test
  void rejectsContinuationsInACircle() {
    MetadataWriter writer = header1(16, 0, continuation(40, 24));
    writer.u16(16).u16(16).u32(0).bytes(continuation(40, 24));
    assertThatThrownBy(() -> ObjectHeader.open(file(writer), 0))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("overlaps the chunk at 40");
  }

  @Test
  void rejectsContinuationBeyondTheEndOfFile() {
    MemoryMetadataSpace space = file(header1(16, 0, continuation(1000, 24)));
    assertThatThrownBy(() -> ObjectHeader.open(space, 0)).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void rejectsMessageLongerThanTheHeader() {
    MetadataWriter writer = header1(18, 0, new byte[8]);
    writer.patchU32(18, 16);
    assertThatThrownBy(() -> ObjectHeader.open(file(writer), 0))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("size of message type 18");
  }

  @Test
  void keepsUnknownMessagesByteForByte() {
    byte[] payload = new byte[24];
    payload[3] = 7;
    MemoryMetadataSpace space = file(header1(77, 0, payload));
    ObjectHeader header = ObjectHeader.open(space, 0);
    header.add(new CommentMessage("a comment that needs a continuation"));
    space.evict();
    HeaderMessage unknown =
        ObjectHeader.open(space, 0).messages().stream()
            .filter(message -> message.typeCode() == 77)
            .findFirst()
            .orElseThrow();
    assertThat(unknown.message()).isEqualTo(new UnknownMessage(77, Bytes.of(payload)));
  }

  @Test
  void honoursFlagsOfUnknownMessages() {
    ObjectHeader forbidding =
        ObjectHeader.open(file(header1(77, HeaderMessage.FAIL_IF_UNKNOWN, new byte[8])), 0);
    assertThatThrownBy(() -> forbidding.requireUnderstood(false))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("unknown type 77");
    ObjectHeader readOnly =
        ObjectHeader.open(
            file(header1(77, HeaderMessage.FAIL_IF_UNKNOWN_AND_WRITING, new byte[8])), 0);
    readOnly.requireUnderstood(false);
    assertThatThrownBy(() -> readOnly.requireUnderstood(true))
        .isInstanceOf(UnsupportedFeatureException.class);
    ObjectHeader marking =
        ObjectHeader.open(file(header1(77, HeaderMessage.MARK_IF_UNKNOWN, new byte[8])), 0);
    marking.requireUnderstood(true);
    assertThat(marking.messages().getFirst().flags()).isEqualTo(HeaderMessage.MARK_IF_UNKNOWN);
    marking.touch(1_700_000_000L);
    assertThat(marking.messages().getFirst().flags())
        .isEqualTo(HeaderMessage.MARK_IF_UNKNOWN | HeaderMessage.WAS_UNKNOWN);
  }

  @Test
  void rejectsWrongChecksum() {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    ObjectHeader header =
        ObjectHeader.create(
            space, HeaderOptions.version(2), List.of(NewMessage.of(new CommentMessage("x"))));
    byte[] bytes = space.toByteArray();
    bytes[(int) header.address() + 12] ^= 1;
    MemoryMetadataSpace damaged = new MemoryMetadataSpace(GEOMETRY, bytes);
    assertThatThrownBy(() -> ObjectHeader.open(damaged, header.address()))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("checksum");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void refusesMessagesTooLargeForAHeader(int version) {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    ObjectHeader header = ObjectHeader.create(space, HeaderOptions.version(version), List.of());
    String text = "x".repeat(65_536);
    assertThatThrownBy(() -> header.add(new CommentMessage(text)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("at most 655");
    assertThat(header.messages()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void fillsLargeFreeSpaceWithSeveralNilMessages(int version) {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    ObjectHeader header = ObjectHeader.create(space, HeaderOptions.version(version), List.of());
    header.add(new CommentMessage("x".repeat(65_000)));
    header.add(new CommentMessage("y"));
    header.remove(header.findAll(MessageType.COMMENT).getFirst());
    space.evict();
    ObjectHeader again = ObjectHeader.open(space, header.address());
    assertThat(again.messages()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void countsHardLinks(int version) {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    ObjectHeader header = ObjectHeader.create(space, HeaderOptions.version(version), List.of());
    assertThat(header.referenceCount()).isEqualTo(1);
    header.setReferenceCount(3);
    space.evict();
    ObjectHeader again = ObjectHeader.open(space, header.address());
    assertThat(again.referenceCount()).isEqualTo(3);
    again.setReferenceCount(1);
    assertThat(again.referenceCount()).isEqualTo(1);
    assertThat(again.has(MessageType.REFERENCE_COUNT)).isFalse();
  }

  @Test
  void replacesInPlaceWhenThereIsRoom() {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    ObjectHeader header =
        ObjectHeader.create(
            space,
            HeaderOptions.version(2).reserving(16),
            List.of(
                NewMessage.of(new CommentMessage("first")),
                NewMessage.of(new ModificationTimeMessage(5))));
    HeaderMessage comment = header.find(MessageType.COMMENT).orElseThrow();
    header.replace(comment, new CommentMessage("a longer one"));
    assertThat(header.messages().getFirst().message())
        .isEqualTo(new CommentMessage("a longer one"));
    assertThat(header.info().chunks()).isEqualTo(1);
  }

  /** Such a header is written by neither this library nor HDF5, and its object cannot be moved. */
  @Test
  void keepsTheMessageThatAFullHeaderOfVersion2CannotReplace() {
    MetadataWriter writer = new MetadataWriter(GEOMETRY, 64);
    writer
        .signature("OHDR")
        .u8(2)
        .u8(0)
        .u8(8)
        .u8(13)
        .u16(4)
        .u8(0)
        .bytes("abc\0".getBytes(US_ASCII));
    writer.checksumFrom(0);
    ObjectHeader header = ObjectHeader.open(file(writer), 0);
    HeaderMessage old = header.find(MessageType.COMMENT).orElseThrow();
    assertThatThrownBy(() -> header.replace(old, new CommentMessage("longer")))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("copy the object");
    assertThat(header.find(MessageType.COMMENT, CommentMessage.class))
        .contains(new CommentMessage("abc"));
  }
}
