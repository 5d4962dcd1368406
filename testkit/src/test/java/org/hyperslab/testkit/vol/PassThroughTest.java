package org.hyperslab.testkit.vol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.testkit.memory.MemoryConnector;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.passthrough.CachingConnector;
import org.hyperslab.vol.passthrough.IoProfile;
import org.hyperslab.vol.passthrough.TracingConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the additions of the pass-through connectors to the contract. */
final class PassThroughTest {

  @Test
  void profileCountsOperationsBytesAndObjects() {
    TracingConnector tracing = new TracingConnector(new MemoryConnector(), false, Optional.empty());
    try (Session session = Hdf5.session(tracing)) {
      H5File file = session.create("f.h5", CreateOptions.DEFAULT);
      Dataset dataset = file.createDataset("g/d", Datatypes.F64LE, Dataspace.simple(1000));
      dataset.write(new double[1000]);
      dataset.readInts(Selection.box(new long[] {0}, new long[] {10}));
      assertThat(catchThrowable(() -> file.get("missing"))).isNotNull();
      file.close();
    }
    IoProfile profile = tracing.profile();
    assertThat(profile.kinds().get("Dataset.Write").operations()).isEqualTo(1);
    assertThat(profile.kinds().get("Dataset.Write").bytes()).isEqualTo(8000);
    // The stored doubles: numbers are checked before they are narrowed to Java's int.
    assertThat(profile.kinds().get("Dataset.Read").bytes()).isEqualTo(80);
    assertThat(profile.kinds().get("Object.Open").failures()).isEqualTo(1);
    assertThat(profile.objects().get("f.h5:/g/d").writes().bytes()).isEqualTo(8000);
    assertThat(profile.objects().get("f.h5:/g/d").reads().operations()).isEqualTo(1);
    assertThat(profile.writeSizes().get(2)).isEqualTo(1);
    assertThat(profile.readSizes().get(0)).isEqualTo(1);
    assertThat(profile.total().operations()).isGreaterThan(5);
    tracing.close();
  }

  @Test
  void profileIsWrittenToTheFileOfTheOption(@TempDir Path folder) throws IOException {
    Path report = folder.resolve("my profile.txt");
    try (Session session = Hdf5.session("tracing file=\"" + report + "\" | memory")) {
      H5File file = session.create("f.h5", CreateOptions.DEFAULT);
      file.createDataset("d", new int[] {1, 2, 3});
      file.close();
    }
    assertThat(Files.readString(report)).contains("Dataset.Write", "f.h5:/d", "request size");
  }

  @Test
  void repeatedReadsComeFromTheCache() {
    CachingConnector caching = new CachingConnector(new MemoryConnector(), 1 << 16, 256);
    try (Session session = Hdf5.session(caching)) {
      H5File file = session.create("f.h5", CreateOptions.DEFAULT);
      Dataset dataset = file.createDataset("d", IntStream.range(0, 1000).toArray());
      Selection part = Selection.box(new long[] {100}, new long[] {50});
      dataset.readInts(part);
      CachingConnector.Statistics first = caching.statistics();
      assertThat(first.misses()).isPositive();
      dataset.readInts(part);
      dataset.readInts(Selection.box(new long[] {120}, new long[] {10}));
      CachingConnector.Statistics second = caching.statistics();
      assertThat(second.misses()).isEqualTo(first.misses());
      assertThat(second.hits()).isGreaterThan(first.hits());
      dataset.write(Selection.points(1, 120), new int[] {-1});
      assertThat(dataset.readInts(Selection.box(new long[] {119}, new long[] {3})))
          .containsExactly(119, -1, 121);
      assertThat(caching.statistics().misses()).isGreaterThan(second.misses());
      file.close();
      assertThat(caching.statistics().pages()).isZero();
    }
    caching.close();
  }

  @Test
  void cacheStaysWithinItsBound() {
    CachingConnector caching = new CachingConnector(new MemoryConnector(), 4096, 256);
    try (Session session = Hdf5.session(caching)) {
      H5File file = session.create("f.h5", CreateOptions.DEFAULT);
      Dataset dataset = file.createDataset("d", IntStream.range(0, 100_000).toArray());
      for (int i = 0; i < 1000; i++) {
        assertThat(dataset.readInts(Selection.points(1, 97L * i))).containsExactly(97 * i);
        assertThat(caching.statistics().bytes()).isLessThanOrEqualTo(4096);
      }
      assertThat(dataset.readInts()).hasSize(100_000);
      file.close();
    }
    caching.close();
  }

  @Test
  void stackIsFoundFromItsTop() {
    try (var top = Connectors.create("tracing print=false | async | caching | memory")) {
      assertThat(Connectors.find(top, CachingConnector.class)).isPresent();
      assertThat(Connectors.find(top, MemoryConnector.class)).isPresent();
      assertThat(top.capabilities()).contains(Capability.ASYNCHRONOUS);
    }
  }

  @Test
  void filesOfOneConfigurationShareAConnectorUntilTheLastIsClosed() {
    String before = System.getProperty(Connectors.PROPERTY);
    System.setProperty(Connectors.PROPERTY, "memory");
    try {
      H5File one = Hdf5.create("one.h5");
      H5File two = Hdf5.create("two.h5");
      assertThat(one.sharesConnectorWith(two)).isTrue();
      one.close();
      assertThat(Hdf5.exists("one.h5")).isTrue();
      try (H5File again = Hdf5.openOrCreate("one.h5")) {
        assertThat(again.sharesConnectorWith(two)).isTrue();
      }
      Hdf5.delete("one.h5");
      two.closeAsync().join();
      two.close();
      assertThat(catchThrowable(() -> Hdf5.open("two.h5"))).isNotNull();
      H5File fresh = Hdf5.create("three.h5");
      assertThat(fresh.sharesConnectorWith(two)).isFalse();
      fresh.close();
    } finally {
      if (before == null) {
        System.clearProperty(Connectors.PROPERTY);
      } else {
        System.setProperty(Connectors.PROPERTY, before);
      }
    }
  }
}
