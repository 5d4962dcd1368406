package org.hyperslab.plugins.compacting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.report.CompactorCounts;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.base.Scheduling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests transfer properties that set how long requests on a dataset are collected. */
@Timeout(300)
final class GatherHintTest {

  private static final int ROWS = 8;
  private static final int COLUMNS = 100;

  @TempDir private Path folder;

  private CompactorCounts writeRows(Map<String, String> first, Map<String, String> others) {
    return writeRows(Map.of(), first, others);
  }

  private CompactorCounts writeRows(
      Map<String, String> ofDataset, Map<String, String> first, Map<String, String> others) {
    return writeRows(ofDataset, first, others, Scheduling.ofJvm());
  }

  private CompactorCounts writeRows(
      Map<String, String> ofDataset,
      Map<String, String> first,
      Map<String, String> others,
      Scheduling scheduling) {
    try (CompactingConnector connector =
            new CompactingConnector(
                Connectors.create("native"), CompactorOptions.DEFAULT, 2, scheduling);
        Session session = Hdf5.session(connector);
        H5File file = session.create(folder.resolve("rows.h5"))) {
      Dataset dataset = file.createDataset("d", int.class, ROWS, COLUMNS);
      dataset.setTransferProperties(ofDataset);
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        Selection place = Selection.box(new long[] {row, 0}, new long[] {1, COLUMNS});
        Map<String, String> properties = row == 0 ? first : others;
        writes.add(
            dataset.writeAsync(
                place, new int[COLUMNS], TransferOptions.builder().properties(properties).build()));
      }
      writes.forEach(CompletableFuture::join);
      return connector.counts();
    }
  }

  /** Returns threads in which no time passes: what waits for a time waits for ever. */
  private static Scheduling withoutTime() {
    Scheduling jvm = Scheduling.ofJvm();
    return (Scheduling)
        Proxy.newProxyInstance(
            Scheduling.class.getClassLoader(),
            new Class<?>[] {Scheduling.class},
            (_, method, arguments) ->
                method.getName().equals("later") ? null : method.invoke(jvm, arguments));
  }

  @Test
  void collectsANumberOfRequests() {
    Map<String, String> eight = Map.of("gather", "8", "gatherMicros", "10000000");
    assertThat(writeRows(eight, Map.of()).issuedWrites()).isEqualTo(1);
    assertThat(writeRows(eight, eight).issuedWrites()).isEqualTo(1);
  }

  @Test
  void numberOfRequestsIsTakenFromTheDatasetsProperties() {
    Map<String, String> eight = Map.of("gather", "8", "gatherMicros", "10000000");
    assertThat(writeRows(eight, Map.of(), Map.of()).issuedWrites()).isEqualTo(1);
  }

  @Test
  void aTransfersOwnPropertyTakesPrecedenceOverThatOfTheDataset() {
    Map<String, String> many = Map.of("gather", "1000", "gatherMicros", "10000000");
    CompactorCounts counts = writeRows(many, Map.of(), Map.of("gather", "1"), withoutTime());
    assertThat(counts.replied()).isEqualTo(counts.submitted());
  }

  @Test
  void laterTransferWithASmallerNumberEndsTheWaiting() {
    Map<String, String> many = Map.of("gather", "1000", "gatherMicros", "10000000");
    CompactorCounts counts = writeRows(Map.of(), many, Map.of("gather", "1"), withoutTime());
    assertThat(counts.replied()).isEqualTo(counts.submitted());
  }

  @Test
  void stopsCollectingIfTheNumberIsNotReached() {
    Map<String, String> many = Map.of("gather", "1000");
    assertThat(writeRows(many, many).issuedWrites()).isPositive();
  }

  @Test
  void collectsForATime() {
    // The second is the name in earlier builds.
    for (String name : List.of("gatherMicros", "gather-micros")) {
      Map<String, String> time = Map.of(name, "1000");
      assertThat(writeRows(time, time).issuedWrites()).isBetween(1L, (long) ROWS);
      Map<String, String> wrong = Map.of(name, "0");
      assertThatThrownBy(() -> writeRows(wrong, wrong)).hasMessageContaining("actual=0");
    }
  }

  @Test
  void hintsOutOfBoundsAreRefused() {
    for (Map<String, String> wrong :
        List.of(
            Map.of("gather", "many"),
            Map.of("gather", "0"),
            Map.of("gather", "65537"),
            Map.of("gatherMicros", "-1"),
            Map.of("gatherMicros", "99999999999999999999"))) {
      String property = wrong.keySet().iterator().next();
      assertThatThrownBy(() -> writeRows(wrong, wrong))
          .hasRootCauseInstanceOf(InvalidUseException.class)
          .hasMessageContaining(
              "transfer property " + property + ": actual=" + wrong.get(property));
    }
  }
}
