package org.hyperslab.format.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.header.HeaderCorpusTest.Opened;
import org.hyperslab.format.heap.GlobalHeap;
import org.hyperslab.format.heap.GlobalHeapId;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.ProcessorTime;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Tests that damaged headers, groups and heaps cause only typed errors. */
class HeaderFuzzTest {

  private static final int FILES = 4000;
  private static final int PAYLOADS = 60_000;

  private final long seed = Seeds.draw();
  private final Random random = new Random(seed);

  @Test
  void damagedFilesGiveTypedErrors() throws IOException {
    System.out.println("hyperslab.seed=" + seed);
    List<byte[]> originals = new ArrayList<>();
    for (Path path : Corpus.files("")) {
      if (Files.size(path) > 96 && Files.size(path) < 20_000) {
        originals.add(Files.readAllBytes(path));
      }
    }
    int failures = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = originals.get(random.nextInt(originals.size())).clone();
      int damages = 1 + random.nextInt(6);
      for (int d = 0; d < damages; d++) {
        damage(bytes);
      }
      failures += readsOrFails("mutation " + i, bytes) ? 0 : 1;
    }
    assertThat(failures).isBetween(FILES / 20, FILES);
  }

  /** Damage where there is structure: only bytes that are not zero, or their neighbours. */
  private void damage(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    for (int tries = 0; tries < 50 && bytes[at] == 0; tries++) {
      at = random.nextInt(bytes.length);
    }
    switch (random.nextInt(4)) {
      case 0 -> bytes[at] = (byte) random.nextInt();
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> bytes[at] = (byte) 0xFF;
      default -> bytes[at]++;
    }
  }

  @Test
  void filesThatCrashedOtherReadersGiveTypedErrors() throws IOException {
    for (Path path : Corpus.files("cve")) {
      readsOrFails(path.toString(), Files.readAllBytes(path));
    }
  }

  private boolean readsOrFails(String what, byte[] bytes) {
    long start = ProcessorTime.nanos();
    boolean clean = true;
    try {
      Opened file = HeaderCorpusTest.open("fuzz.h5", bytes);
      for (ObjectHeader header : HeaderCorpusTest.walk(file)) {
        header.info();
        for (HeaderMessage message : header.allMessages()) {
          clean &= decodes(message);
        }
        header.add(new CommentMessage("edited " + what));
      }
      file.space().evict();
    } catch (HyperslabException expected) {
      clean = false;
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      fail(what + " seed " + seed, e);
    }
    assertThat(ProcessorTime.nanos() - start)
        .as(what + " seed " + seed)
        .isLessThan(20_000_000_000L);
    return clean;
  }

  private static boolean decodes(HeaderMessage message) {
    try {
      assertThat(message.message()).isNotNull();
      return true;
    } catch (HyperslabException expected) {
      return false;
    }
  }

  @Test
  void damagedPayloadsGiveTypedErrors() throws IOException {
    System.out.println("hyperslab.seed=" + seed);
    List<HeaderMessage> messages = new ArrayList<>();
    for (Path path : Corpus.files("h5dump")) {
      try {
        for (ObjectHeader header : HeaderCorpusTest.walk(HeaderCorpusTest.open(path))) {
          messages.addAll(header.messages());
        }
      } catch (HyperslabException foreignOrBroken) {
        assertThat(foreignOrBroken.getMessage()).isNotBlank();
      }
    }
    FileGeometry geometry = FileGeometry.standard("fuzz");
    for (int i = 0; i < PAYLOADS; i++) {
      HeaderMessage message = messages.get(random.nextInt(messages.size()));
      byte[] payload = message.payload().toByteArray();
      for (int d = 0; d < 3 && payload.length > 0; d++) {
        damage(payload);
      }
      MetadataReader reader = new MetadataReader(geometry, "payload", payload, 0);
      try {
        Message decoded = MessageCodec.decode(message.typeCode(), message.flags(), reader);
        decoded.encode(new MetadataWriter(geometry, 256));
      } catch (HyperslabException expected) {
        assertThat(expected.getMessage()).isNotBlank();
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        fail(message + " seed " + seed, e);
      }
    }
  }

  @Test
  void damagedGlobalHeapsGiveTypedErrors() {
    System.out.println("hyperslab.seed=" + seed);
    FileGeometry geometry = FileGeometry.standard("fuzz");
    MemoryMetadataSpace original = new MemoryMetadataSpace(geometry);
    GlobalHeap heap = new GlobalHeap(original);
    List<GlobalHeapId> ids = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ids.add(heap.insert(MemorySegment.ofArray(new byte[random.nextInt(90)])));
    }
    byte[] bytes = original.toByteArray();
    for (int i = 0; i < 500; i++) {
      byte[] damaged = bytes.clone();
      for (int d = 0; d < 3; d++) {
        damage(damaged);
      }
      GlobalHeap read = new GlobalHeap(new MemoryMetadataSpace(geometry, damaged));
      for (GlobalHeapId id : ids) {
        try {
          assertThat(read.content(id).toArray(ValueLayout.JAVA_BYTE).length).isLessThan(1 << 20);
          read.remove(id);
        } catch (HyperslabException expected) {
          assertThat(expected.getMessage()).isNotBlank();
        }
      }
    }
  }
}
