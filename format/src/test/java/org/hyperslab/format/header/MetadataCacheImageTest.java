package org.hyperslab.format.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.header.HeaderCorpusTest.Opened;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Corpus;
import org.junit.jupiter.api.Test;

class MetadataCacheImageTest {

  private static byte[] image(Opened file) {
    MetadataCacheImageMessage message =
        ObjectHeader.open(file.space(), file.superblock().extensionAddress())
            .find(MessageType.METADATA_CACHE_IMAGE, MetadataCacheImageMessage.class)
            .orElseThrow();
    return file.space().peek(message.address(), (int) message.sizeBytes(), "image");
  }

  private static MetadataCacheImage decode(Opened file, byte[] image) {
    return MetadataCacheImage.decode(
        new MetadataReader(file.space().geometry(), "metadata cache image", image, 0));
  }

  @Test
  void completesAFileThatWasClosedWithAnImage() throws IOException {
    Opened file = HeaderCorpusTest.open(Corpus.file("misc/h5clear_mdc_image.h5"));
    MetadataCacheImage image = decode(file, image(file));
    assertThat(image.entries()).hasSize(4);
    byte[] completed = file.content().clone();
    for (MetadataCacheImage.Entry entry : image.entries()) {
      byte[] block = entry.content().toByteArray();
      System.arraycopy(block, 0, completed, (int) entry.address(), block.length);
    }
    MemoryMetadataSpace space = new MemoryMetadataSpace(file.space().geometry(), completed);
    ObjectHeader root = ObjectHeader.open(space, file.superblock().rootHeaderAddress());
    assertThat(root.findAll(MessageType.LINK)).isNotEmpty();
  }

  @Test
  void rejectsDamagedImages() throws IOException {
    Opened file = HeaderCorpusTest.open(Corpus.file("misc/h5clear_mdc_image.h5"));
    byte[] image = image(file);
    for (int at = 0; at < image.length; at += 3) {
      byte[] damaged = image.clone();
      damaged[at] ^= 0x21;
      assertThatThrownBy(() -> decode(file, damaged)).isInstanceOf(CorruptFileException.class);
    }
  }
}
