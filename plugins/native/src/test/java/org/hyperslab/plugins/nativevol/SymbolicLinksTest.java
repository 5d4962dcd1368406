package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests external links of a file that is opened through a symbolic link. */
final class SymbolicLinksTest {

  @TempDir private Path folder;

  private Path alias;

  @BeforeEach
  void makeFiles() throws Exception {
    Path real = Files.createDirectories(folder.resolve("real"));
    try (H5File target = Hdf5.create(real.resolve("target.h5"))) {
      target.createDataset("d", new int[] {1}).close();
    }
    try (H5File parent = Hdf5.create(real.resolve("parent.h5"))) {
      parent.root().createExternalLink("away", "target.h5", "/");
    }
    alias = Files.createSymbolicLink(folder.resolve("alias.h5"), real.resolve("parent.h5"));
  }

  @Test
  void targetBesideTheFileItselfIsFound() {
    assertThat(valueBehindTheLink()).containsExactly(1);
  }

  @Test
  void targetBesideTheSymbolicLinkComesFirst() throws Exception {
    try (H5File nearer = Hdf5.create(folder.resolve("target.h5"))) {
      nearer.createDataset("d", new int[] {2}).close();
    }
    assertThat(valueBehindTheLink()).containsExactly(2);
  }

  private int[] valueBehindTheLink() {
    try (H5File file = Hdf5.open(alias);
        Dataset dataset = file.dataset("away/d")) {
      return dataset.read(int[].class);
    }
  }
}
