package org.hyperslab.plugins.jhdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Link;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that files of the native connector read the same through jHDF. */
final class JhdfConnectorTest {

  @TempDir Path folder;
  private final Session session = Hdf5.session(new JhdfConnector());
  private Path path;

  /** An element of compound data. */
  record Particle(int id, double mass) {}

  @BeforeEach
  void write() {
    path = folder.resolve("sample.h5");
    double[][] grid = new double[30][40];
    for (int i = 0; i < 30; i++) {
      for (int j = 0; j < 40; j++) {
        grid[i][j] = 100 * i + j;
      }
    }
    try (Session natively = Hdf5.session("native");
        H5File file = natively.create(path)) {
      file.createDataset("plain", grid);
      file.datasetBuilder("group/deflated")
          .value(grid)
          .options(DatasetOptions.chunked(7, 9).deflate(4).build())
          .create();
      file.createDataset("words", new String[] {"one", "two", "drei"});
      file.createDataset("particles", new Particle[] {new Particle(1, 2.5), new Particle(2, 3.5)});
      file.root().setAttribute("title", "a sample");
      file.root().setAttribute("numbers", new int[] {1, 2, 3});
      file.root().createSoftLink("alias", "/plain");
    }
  }

  @AfterEach
  void close() {
    session.close();
  }

  @Test
  void readsWholeDatasetsOfEveryLayout() {
    try (H5File file = session.open(path, OpenOptions.READ)) {
      double[][] plain = file.dataset("plain").read(double[][].class);
      double[][] deflated = file.dataset("group/deflated").read(double[][].class);
      assertThat(plain[29][39]).isEqualTo(2939);
      assertThat(deflated).isDeepEqualTo(plain);
    }
  }

  @Test
  void aScalarWithoutStorageKeepsItsSpace() {
    Path other = folder.resolve("scalars.h5");
    try (Session natively = Hdf5.session("native");
        H5File file = natively.create(other)) {
      file.createDataset("unwritten", Datatypes.fixedString(9), Dataspace.scalar());
      file.createDataset("null", Datatypes.I32LE, Dataspace.nullSpace());
    }
    try (H5File file = session.open(other, OpenOptions.READ)) {
      assertThat(file.dataset("unwritten").space()).isEqualTo(Dataspace.scalar());
      assertThat(file.dataset("null").space()).isEqualTo(Dataspace.nullSpace());
      assertThatThrownBy(() -> file.dataset("unwritten").read(String.class))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("no storage");
    }
  }

  @Test
  void takesSelectionsOutOfDatasets() {
    try (H5File file = session.open(path, OpenOptions.READ)) {
      Dataset plain = file.dataset("plain");
      double[] row = plain.readDoubles(Selection.box(new long[] {3, 4}, new long[] {1, 3}));
      assertThat(row).containsExactly(304, 305, 306);
    }
  }

  @Test
  void readsPartsOfSeveralDatasetsTogether() {
    try (H5File file = session.open(path, OpenOptions.READ)) {
      double[] row = new double[3];
      String[] words = new String[3];
      file.multiRead()
          .read(file.dataset("plain").slice("3, 4:7"), row)
          .read(file.dataset("words"), words)
          .run();
      assertThat(row).containsExactly(304, 305, 306);
      assertThat(words).containsExactly("one", "two", "drei");
      assertThatThrownBy(() ->
              file.multiRead()
                  .read(file.dataset("words"), words)
                  .read(file.dataset("group/deflated"), new double[2])
                  .run())
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("part 2 of 2")
          .hasMessageContaining("group/deflated");
    }
  }

  @Test
  void readsStringsCompoundsAndAttributes() {
    try (H5File file = session.open(path, OpenOptions.READ)) {
      assertThat(file.dataset("words").readStrings()).containsExactly("one", "two", "drei");
      Particle[] particles = file.dataset("particles").read(Particle[].class);
      assertThat(particles).containsExactly(new Particle(1, 2.5), new Particle(2, 3.5));
      assertThat(file.root().attribute("title").readString()).isEqualTo("a sample");
      assertThat(file.root().attribute("numbers").readInts()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void listsLinksInOrderOfNames() {
    try (H5File file = session.open(path, OpenOptions.READ)) {
      List<Link> links = file.root().links().toList();
      assertThat(links)
          .extracting(Link::name)
          .containsExactly("alias", "group", "particles", "plain", "words");
      assertThat(links.getFirst().kind()).isEqualTo(LinkKind.SOFT);
      assertThat(file.dataset("alias").shape()).containsExactly(30, 40);
    }
  }

  @Test
  void objectsBehindExternalLinksAreInTheirOwnFile() {
    for (String name : List.of("near", "far")) {
      try (Session natively = Hdf5.session("native");
          H5File file = natively.create(folder.resolve(name + ".h5"))) {
        file.createDataset("of/" + name, new int[] {1, 2});
        file.root().createExternalLink("link", "far.h5", "/of/far");
      }
    }
    try (H5File file = session.open(folder.resolve("near.h5"), OpenOptions.READ)) {
      Dataset far = file.dataset("link");
      Dataset near = file.dataset("of/near");
      assertThat(far.token()).as("equal addresses in both files").isEqualTo(near.token());
      assertThat(far.findPath()).contains("/of/far");
      assertThat(near.findPath()).contains("/of/near");
      assertThat(far.isSameAs(near)).isFalse();
      assertThat(far.isSameAs(file.dataset("link"))).isTrue();
      assertThatThrownBy(far::reference).isInstanceOf(InvalidUseException.class);
    }
  }

  @Test
  void refusesToWriteAndNamesTheMissingLibrary() {
    assertThatThrownBy(() -> session.create(folder.resolve("new.h5")))
        .isInstanceOf(UnsupportedFeatureException.class);
    try (H5File file = session.open(path, OpenOptions.READ)) {
      assertThatThrownBy(() -> file.get("nowhere"))
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("nowhere");
    }
  }
}
