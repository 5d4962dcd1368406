package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Random;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests dates and times that are stored as the text of ISO 8601. */
final class TimeTextsTest {

  @TempDir private Path folder;

  /** An event. */
  record Event(String name, Instant start, LocalDate day) {}

  @Test
  void everyClassIsReadAsItWasWritten() {
    LocalDateTime local = LocalDateTime.of(2024, 2, 29, 12, 30, 0, 5);
    OffsetDateTime there = local.atOffset(ZoneOffset.ofHoursMinutes(-3, -30));
    try (H5File file = Hdf5.createInMemory()) {
      Instant[] instants = {Instant.EPOCH, there.toInstant(), Instant.ofEpochSecond(-1)};
      Dataset times = file.createDataset("times", instants);
      assertThat(times.read(Instant[].class)).isEqualTo(instants);
      assertThat(times.readStrings()[0]).isEqualTo("1970-01-01T00:00:00Z");
      assertThat(times.slice("1").read(OffsetDateTime.class).toInstant()).isEqualTo(instants[1]);
      assertThat(file.createDataset("a", local).read(LocalDateTime.class)).isEqualTo(local);
      assertThat(file.createDataset("b", there).read(OffsetDateTime.class)).isEqualTo(there);
      LocalDate day = local.toLocalDate();
      assertThat(file.setAttribute("day", day).read(LocalDate.class)).isEqualTo(day);
      LocalTime[][] clock = {{LocalTime.NOON, LocalTime.MIDNIGHT}};
      assertThat(file.createDataset("c", clock).read(LocalTime[][].class)).isDeepEqualTo(clock);
      Event[] events = {new Event("e", Instant.EPOCH, day)};
      assertThat(file.createDataset("e", events).read(Event[].class)).isEqualTo(events);
    }
  }

  @Test
  void theLeastAndTheGreatestAreReadBack() {
    try (H5File file = Hdf5.createInMemory()) {
      Instant[] instants = {Instant.MIN, Instant.MAX, Instant.parse("+10000-01-01T00:00:00Z")};
      assertThat(file.createDataset("a", instants).read(Instant[].class)).isEqualTo(instants);
      LocalDateTime[] local = {LocalDateTime.MIN, LocalDateTime.MAX};
      assertThat(file.createDataset("b", local).read(LocalDateTime[].class)).isEqualTo(local);
      OffsetDateTime[] there = {OffsetDateTime.MIN, OffsetDateTime.MAX};
      assertThat(file.createDataset("c", there).read(OffsetDateTime[].class)).isEqualTo(there);
      Dataset minutes = file.createDataset("d", "2024-02-29T12:30+01:00");
      assertThat(minutes.read(Instant.class)).isEqualTo("2024-02-29T11:30:00Z");
    }
  }

  @Test
  void pandasReadsTheSameTimes() {
    Path path = folder.resolve("a.h5");
    Random random = Seeds.random(Seeds.draw(), 0);
    long[] nanos = random.longs(500, -1L << 61, 1L << 61).toArray();
    Instant[] instants = new Instant[nanos.length];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] -= i % 4 == 0 ? Math.floorMod(nanos[i], 1_000_000_000) : 0;
      instants[i] = Instant.ofEpochSecond(0, nanos[i]);
    }
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("text", instants);
      file.createDataset("nanos", nanos);
    }
    String script =
        "import h5py, pandas, sys; f = h5py.File(sys.argv[1]);"
            + " print(sum(pandas.Timestamp(t).value == n"
            + " for t, n in zip(f['text'].asstr()[...], f['nanos'][...])))";
    assertThat(Oracle.h5py().run(script, path.toString()).orFail().output().strip())
        .isEqualTo("500");
  }

  @Test
  void whatIsNoTimeIsRefused() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset text = file.createDataset("text", "2024-02-29T12:30:00");
      assertThat(text.read(LocalDateTime.class)).isEqualTo("2024-02-29T12:30:00");
      assertThatThrownBy(() -> text.read(Instant.class))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("text of an Instant: actual=")
          .hasMessageContaining("expected=such as \"2024-02-29T12:30:00Z\"")
          .hasMessageContaining("LocalDateTime");
      Dataset numbers = file.createDataset("numbers", new double[] {1});
      assertThatThrownBy(() -> numbers.read(Instant[].class))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("units");
      assertThatThrownBy(() -> numbers.write(new Instant[] {Instant.EPOCH}))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("java.time.Instant");
    }
  }
}
