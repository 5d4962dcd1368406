package org.hyperslab.plugins.configured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.vol.Connectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a configuration file sets holds for programs that do not know of it. */
class ConfiguredConnectorTest {

  @TempDir Path folder;

  private Session session(String rules) throws IOException {
    return session(rules, "");
  }

  private Session session(String rules, String options) throws IOException {
    Path file = folder.resolve("hyperslab.yaml");
    Files.writeString(file, "version: 1\nfiles:\n" + rules);
    return Hdf5.session("configured file=\"" + file + "\"" + options + " | native");
  }

  private static DatasetOptions optionsOf(Dataset dataset) {
    return dataset.datasetInfo().options();
  }

  private static List<Integer> filtersOf(Dataset dataset) {
    return optionsOf(dataset).filters().stream().map(FilterSpec::id).toList();
  }

  private static final String COMPRESSED =
      """
        - match: "*.h5"
          datasets:
            - match: /fields/**
              rank: 2
              atLeast: 1K
              chunks: [16, 1000]
              filters: [shuffle, deflate 4]
      """;

  @Test
  void datasetsGetChunksAndFilters() throws IOException {
    Path file = folder.resolve("a.h5");
    try (Session session = session(COMPRESSED);
        H5File h5 = session.create(file.toString())) {
      Dataset big = h5.createDataset("fields/t", new double[64][32]);
      assertThat(optionsOf(big).layout()).isEqualTo(Layout.Chunked.of(16, 32));
      assertThat(filtersOf(big)).containsExactly(2, 1);
      assertThat(filtersOf(h5.createDataset("fields/small", new double[2][2]))).isEmpty();
      assertThat(filtersOf(h5.createDataset("fields/line", new double[4096]))).isEmpty();
      assertThat(filtersOf(h5.createDataset("other", new double[64][32]))).isEmpty();
    }
    assertThat(Oracle.h5dump().run("-p", "-H", file.toString()).output())
        .contains("CHUNKED ( 16, 32 )", "COMPRESSION DEFLATE { LEVEL 4 }");
  }

  @Test
  void whatTheProgramChoseHoldsUnlessARuleIsForced() throws IOException {
    DatasetOptions own = DatasetOptions.chunked(8, 8).lzf().build();
    try (Session session = session(COMPRESSED);
        H5File h5 = session.create(folder.resolve("b.h5").toString())) {
      Dataset dataset =
          h5.datasetBuilder("fields/t").value(new double[64][32]).options(own).create();
      assertThat(optionsOf(dataset).layout()).isEqualTo(Layout.Chunked.of(8, 8));
      assertThat(filtersOf(dataset)).containsExactly(32000);
    }
    String forced = COMPRESSED.replace("datasets:", "force: true\n    datasets:");
    try (Session session = session(forced);
        H5File h5 = session.create(folder.resolve("c.h5").toString())) {
      Dataset dataset =
          h5.datasetBuilder("fields/t").value(new double[64][32]).options(own).create();
      assertThat(optionsOf(dataset).layout()).isEqualTo(Layout.Chunked.of(16, 32));
      assertThat(filtersOf(dataset)).containsExactly(2, 1);
    }
  }

  @Test
  void theFirstRuleThatSetsAnOptionCounts() throws IOException {
    String rules =
        """
          - match: special.h5
            datasets:
              - match: /**
                filters: [lz4]
          - match: "*"
            datasets:
              - match: /**
                chunks: auto
                filters: [zstd 3]
        """;
    try (Session session = session(rules)) {
      try (H5File h5 = session.create(folder.resolve("special.h5").toString())) {
        Dataset dataset = h5.createDataset("d", new int[100]);
        assertThat(filtersOf(dataset)).containsExactly(32004);
        assertThat(optionsOf(dataset).layout()).isEqualTo(Layout.Chunked.of(100));
      }
      try (H5File h5 = session.create(folder.resolve("usual.h5").toString())) {
        assertThat(filtersOf(h5.createDataset("d", new int[100]))).containsExactly(32015);
      }
    }
  }

  @Test
  void chunksOfAnotherRankAreAnErrorWithAPlace() throws IOException {
    String rules =
        """
          - match: "*"
            datasets:
              - match: /**
                chunks: [4, 4]
        """;
    try (Session session = session(rules);
        H5File h5 = session.create(folder.resolve("d.h5").toString())) {
      assertThatThrownBy(() -> h5.createDataset("line", new int[100]))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining(
              "hyperslab.yaml:6:17: 2 lengths of chunks do not fit dataset /line");
    }
  }

  @Test
  void whatCannotBeChunkedIsLeftAndExplained() throws IOException {
    String rules =
        """
          - match: "*"
            force: true
            datasets:
              - match: /**
                chunks: auto
                filters: [deflate 1]
        """;
    Path report = folder.resolve("report.txt");
    try (Session session = session(rules, " report=\"" + report + "\"");
        H5File h5 = session.create(folder.resolve("e.h5").toString())) {
      h5.createDataset("scalar", 5);
      h5.createDataset("text", new String[] {"a", "b"});
      h5.datasetBuilder("compact")
          .value(new int[] {1})
          .options(DatasetOptions.builder().layout(new Layout.Compact()).build())
          .create();
      assertThat(h5.dataset("scalar").readInt()).isEqualTo(5);
      assertThat(h5.dataset("text").readStrings()).containsExactly("a", "b");
      assertThat(optionsOf(h5.dataset("compact")).layout()).isEqualTo(new Layout.Compact());
    }
    assertThat(Files.readAllLines(report))
        .anyMatch(line -> line.startsWith("/scalar: chunks = not for"))
        .anyMatch(line -> line.startsWith("/text: filters = not for elements of variable length"))
        .anyMatch(line -> line.startsWith("/compact: chunks = not for compact storage"));
  }

  @Test
  void filesAndGroupsGetOptions() throws IOException {
    String rules =
        """
          - match: paged.h5
            space: {kind: page, pageBytes: 8K}
          - match: aligned.h5
            low: v110
            properties: {alignment: 65536, alignmentThreshold: 1}
            groups:
              - match: /**
                creationOrder: true
            datasets:
              - match: /early
                allocation: early
        """;
    try (Session session = session(rules);
        H5File paged = session.create(folder.resolve("paged.h5").toString());
        H5File aligned = session.create(folder.resolve("aligned.h5").toString())) {
      assertThat(paged.info().creation().space().kind()).isEqualTo(SpaceStrategy.Kind.PAGE);
      assertThat(paged.info().creation().space().pageBytes()).isEqualTo(8192);
      assertThat(aligned.info().superblockVersion()).isEqualTo(3);
      assertThat(aligned.createGroup("g").groupInfo().options().creationOrderTracked()).isTrue();
      Dataset early = aligned.createDataset("early", int.class, 100_000);
      assertThat(early.datasetInfo().storage().offset()).isPositive();
      assertThat(early.datasetInfo().storage().offset() % 65_536).isZero();
    }
  }

  @Test
  void rulesChooseConnectors() throws IOException {
    Path profile = folder.resolve("profile.txt");
    String rules =
        """
          - match: traced.h5
            connector: tracing file="%s" | native
        """
            .formatted(profile.toString());
    try (Session session = session(rules)) {
      try (H5File h5 = session.create(folder.resolve("traced.h5").toString());
          H5File other = session.create(folder.resolve("other.h5").toString())) {
        h5.createDataset("d", new int[] {1, 2, 3});
        assertThatThrownBy(() -> h5.root().copy("d", other.root(), "d"))
            .isInstanceOf(UnsupportedFeatureException.class)
            .hasMessageContaining("two connectors");
      }
      assertThat(session.exists(folder.resolve("traced.h5").toString())).isTrue();
    }
    assertThat(Files.readString(profile)).contains("/d");
  }

  @Test
  void aStackThatTheProgramChoseIsReplacedByForceOnly() throws IOException {
    Path profile = folder.resolve("profile.txt");
    String rules =
        """
          - match: "*"
            connector: tracing file="%s" | native
        """
            .formatted(profile.toString());
    try (Session session = session(rules, " connectors=false")) {
      session.create(folder.resolve("g.h5").toString()).close();
    }
    assertThat(profile).doesNotExist();
    try (Session session =
        session(rules.replace("connector:", "force: true\n    connector:"), " connectors=false")) {
      session.create(folder.resolve("g.h5").toString()).close();
    }
    assertThat(profile).exists();
  }

  @Test
  void transfersGetProperties() throws IOException {
    String rules =
        """
          - match: "*"
            connector: compacting | native
            datasets:
              - match: /wrong
                transfer: {gather: none}
        """;
    try (Session session = session(rules);
        H5File h5 = session.create(folder.resolve("h.h5").toString())) {
      Dataset fine = h5.createDataset("fine", new int[] {1, 2});
      assertThat(fine.readInts()).containsExactly(1, 2);
      assertThatThrownBy(() -> h5.createDataset("wrong", new int[] {1, 2}))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("gather");
    }
  }

  @Test
  void openedFilesGetOptionsToo() throws IOException {
    Path file = folder.resolve("i.h5");
    Hdf5.create(file, CreateOptions.DEFAULT).close();
    String rules =
        """
          - match: "*"
            properties: {nosuch: 1}
        """;
    try (Session session = session(rules)) {
      assertThatThrownBy(() -> session.open(file.toString()))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("nosuch");
    }
  }

  @Test
  void aFileMustBeNamed() {
    assertThatThrownBy(() -> Connectors.create("configured | native"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("configured file=hyperslab.yaml | native");
  }

  @Test
  void explanationsSayWhoDecided() {
    Configuration configuration =
        Configuration.parse("version: 1\nfiles:\n" + COMPRESSED, "x.yaml");
    List<Decision> decisions =
        configuration.explain(
            "a.h5",
            "/fields/t",
            Datatypes.F64LE,
            Dataspace.simple(64, 32),
            DatasetOptions.builder().deflate(9).build());
    assertThat(decisions)
        .extracting(Decision::toString)
        .containsExactly(
            "/fields/t: chunks = [16, 1000], here [16, 32] (file, x.yaml:8:17)",
            "/fields/t: filters = as the program chose (program, x.yaml:9:18)");
  }
}
