package org.hyperslab.format.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares random edits of a header with a list of its expected messages. */
class ObjectHeaderRandomTest {

  private final long seed = Seeds.draw();
  private final Random random = new Random(seed);
  private int next;

  @ParameterizedTest
  @CsvSource({"1,8,false", "2,8,false", "2,8,true", "1,4,false", "2,4,true", "1,2,false"})
  void findsStoredNames(int version, int sizes, boolean tracked) {
    System.out.println("hyperslab.seed=" + seed);
    MemoryMetadataSpace space = new MemoryMetadataSpace(new FileGeometry("memory", sizes, sizes));
    HeaderOptions options =
        new HeaderOptions(
            version,
            tracked ? Optional.of(ObjectTimes.at(1_700_000_000L)) : Optional.empty(),
            tracked,
            false,
            tracked ? Optional.of(new PhaseChange(10, 4)) : Optional.empty(),
            random.nextInt(100));
    Map<String, Message> model = new HashMap<>();
    long address = ObjectHeader.create(space, options, List.of()).address();
    for (int step = 0; step < 1500; step++) {
      edit(ObjectHeader.open(space, address), model, step);
      if (random.nextInt(20) == 0) {
        space.evict();
      }
      if (random.nextInt(20) == 0) {
        verify(ObjectHeader.open(space, address), model);
      }
    }
    space.evict();
    ObjectHeader header = ObjectHeader.open(space, address);
    verify(header, model);
    assertThat(header.info().totalBytes()).isEqualTo(space.allocatedBytes());
    for (HeaderMessage message : header.messages()) {
      header.remove(message);
    }
    assertThat(header.info().chunks()).isEqualTo(1);
    header.delete();
    assertThat(space.allocations()).isEmpty();
  }

  private void edit(ObjectHeader header, Map<String, Message> model, int step) {
    boolean growing = step % 500 < 300;
    int choice = random.nextInt(10);
    List<HeaderMessage> links = header.findAll(MessageType.LINK);
    if (choice < (growing ? 6 : 2) || links.isEmpty()) {
      LinkMessage link = link("n" + next++);
      header.add(new NewMessage(link, HeaderMessage.DO_NOT_SHARE, next & 0xFFFF));
      model.put(link.name(), link);
    } else if (choice < 7) {
      HeaderMessage old = links.get(random.nextInt(links.size()));
      LinkMessage link = link(((LinkMessage) old.message()).name());
      header.replace(old, link);
      model.put(link.name(), link);
    } else {
      HeaderMessage old = links.get(random.nextInt(links.size()));
      header.remove(old);
      model.remove(((LinkMessage) old.message()).name());
    }
    if (random.nextInt(50) == 0) {
      header.setReferenceCount(1 + random.nextInt(3));
    }
  }

  private LinkMessage link(String name) {
    int size = random.nextInt(30) == 0 ? random.nextInt(5000) : random.nextInt(60);
    byte[] value = new byte[size];
    random.nextBytes(value);
    return LinkMessage.of(
        name, OptionalLong.empty(), new LinkMessage.UserDefined(100, Bytes.of(value)));
  }

  private void verify(ObjectHeader header, Map<String, Message> model) {
    List<Message> actual = new ArrayList<>();
    for (HeaderMessage message : header.findAll(MessageType.LINK)) {
      actual.add(message.message());
      assertThat(message.flags()).isEqualTo(HeaderMessage.DO_NOT_SHARE);
    }
    assertThat(actual).as("seed " + seed).containsExactlyInAnyOrderElementsOf(model.values());
    HeaderInfo info = header.info();
    assertThat(info.totalBytes())
        .isEqualTo(info.metadataBytes() + info.messageBytes() + info.freeBytes());
    assertThat(header.referenceCount()).isBetween(1L, 3L);
  }
}
