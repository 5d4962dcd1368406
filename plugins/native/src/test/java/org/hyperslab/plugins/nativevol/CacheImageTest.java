package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.opening.FileLoader;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests files that the HDF5 library closed with an image of its metadata cache. */
final class CacheImageTest {

  @TempDir Path directory;

  private final FileLoader loader = new FileLoader(TransferResources.standard());

  private Path file;

  @BeforeEach
  void copyCorpusFile() throws IOException {
    Path original = Corpus.file("misc/h5clear_mdc_image.h5");
    file = directory.resolve("image.h5");
    Files.write(file, Files.readAllBytes(original));
  }

  private static List<String> names(FileObjects objects) {
    PageRequest all = new PageRequest(IterationIndex.NAME, false, 0, 100);
    return objects
        .file()
        .read(() ->
            objects.groups().list(objects.root(), all).stream().map(LinkMessage::name).toList());
  }

  private static boolean hasImage(FileObjects objects) {
    return objects
        .file()
        .read(() ->
            ObjectHeader.open(
                    objects.headers().space(), objects.file().superblock().extensionAddress())
                .has(MessageType.METADATA_CACHE_IMAGE));
  }

  @Test
  void fileWithAnImageIsReadAndNotChanged() throws IOException {
    byte[] before = Files.readAllBytes(file);
    FileObjects objects = loader.open(file.toString(), OpenOptions.READ);
    assertThat(names(objects)).containsExactly("DSET");
    loader.release(objects);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void firstEditRemovesTheImage() throws IOException, InterruptedException {
    FileObjects objects = loader.open(file.toString(), OpenOptions.EDIT);
    objects
        .file()
        .edit(() -> {
          long group = objects.groups().create(GroupOptions.DEFAULT);
          objects.links().createFirst(objects.root(), "added", TextEncoding.ASCII, group);
          return null;
        });
    loader.release(objects);
    FileObjects again = loader.open(file.toString(), OpenOptions.READ);
    assertThat(names(again)).containsExactly("DSET", "added");
    assertThat(hasImage(again)).isFalse();
    loader.release(again);
    assertThat(Oracle.h5dump().run(file.toString()).orFail().output())
        .contains("GROUP \"added\"")
        .contains("DATASET \"DSET\"");
  }
}
