package org.hyperslab.format.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.header.HeaderCorpusTest.Opened;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Edits headers that the HDF5 library wrote, and has it read them again. */
class HeaderEditTest {

  private static final int ADDED = 5;
  private static final int FILES = 60;

  @TempDir Path directory;

  private final long seed = Seeds.draw();
  private final Random random = new Random(seed);

  @Test
  void referenceImplementationReadsEditedHeaders() throws IOException {
    System.out.println("hyperslab.seed=" + seed);
    List<Path> paths = new ArrayList<>(Corpus.files("h5dump"));
    paths.addAll(Corpus.files("h5diff"));
    Collections.shuffle(paths, random);
    int done = 0;
    for (Path path : paths) {
      if (done == FILES || Files.size(path) > 1 << 20 || dump(path).isEmpty()) {
        continue;
      }
      done += edit(path) ? 1 : 0;
    }
    assertThat(done).isGreaterThan(30);
  }

  private boolean edit(Path path) throws IOException {
    byte[] original = Files.readAllBytes(path);
    Opened file;
    List<ObjectHeader> headers;
    try {
      file = HeaderCorpusTest.open(path.toString(), original);
      headers = HeaderCorpusTest.walk(file);
    } catch (CorruptFileException broken) {
      return false;
    }
    int edited = 0;
    for (ObjectHeader header : headers) {
      if (header.address() != file.superblock().extensionAddress() && !isSpecial(header)) {
        edit(header);
        edited++;
      }
    }
    int base = (int) file.superblock().baseAddress();
    byte[] content = file.space().toByteArray();
    byte[] first =
        SuperblockCodec.encode(file.superblock().withEndOfFile(base + (long) content.length));
    System.arraycopy(first, 0, content, 0, first.length);
    Path copy = directory.resolve("edited.h5");
    byte[] whole = Arrays.copyOf(original, base + content.length);
    System.arraycopy(content, 0, whole, base, content.length);
    Files.write(copy, whole);
    String dump = dump(copy);
    assertThat(dump).as(path + " seed " + seed).isNotEmpty();
    assertThat(dump.split("ATTRIBUTE \"added here", -1).length - 1)
        .as(path + " seed " + seed)
        .isGreaterThanOrEqualTo(Math.min(1, edited))
        .isLessThanOrEqualTo(edited * ADDED);
    return edited > 0;
  }

  private static boolean isSpecial(ObjectHeader header) {
    return header.tracksAttributeOrder()
        || header
            .find(MessageType.ATTRIBUTE_INFO, AttributeInfoMessage.class)
            .filter(AttributeInfoMessage::isDense)
            .isPresent();
  }

  private void edit(ObjectHeader header) {
    List<HeaderMessage> temporary = new ArrayList<>();
    for (int i = 0; i < ADDED; i++) {
      temporary.add(header.add(new CommentMessage("x".repeat(random.nextInt(200)))));
      LibraryVersion version = header.version() == 1 ? LibraryVersion.EARLIEST : LibraryVersion.V18;
      AttributeMessage attribute =
          AttributeMessage.of(
              "added here " + i,
              DatatypeMessage.of(Datatypes.I32LE, version),
              DataspaceMessage.of(Dataspace.simple(1 + random.nextInt(3)), version),
              Bytes.EMPTY,
              version);
      byte[] data = new byte[4 * (int) attribute.dataspace().elementCount()];
      header.replace(header.add(attribute), attribute.withData(Bytes.of(data)));
    }
    temporary.forEach(header::remove);
  }

  private static String dump(Path path) {
    Oracle.Outcome outcome = Oracle.h5dump().run("-H", path.toString());
    return outcome.exitCode() == 0 ? outcome.output() : "";
  }
}
