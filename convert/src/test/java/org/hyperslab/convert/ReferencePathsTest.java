package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that references become paths in Zarr; h5py says where they lead. */
final class ReferencePathsTest {

  private static final String MAKE =
      """
      import h5py, random, sys, numpy
      folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
      for i in range(count):
          rng = random.Random(seed * 1009 + i)
          with h5py.File("%s/%d.h5" % (folder, i), "w") as f:
              for name in ["a", "g/b", "g/grün/c", "g/__categories/d"]:
                  f[name] = [1, 2]
              targets = [f, f["g"], f["a"], f["g/b"], f["g/grün/c"], f["g/__categories/d"]]
              holders = [f, f["g"], f["a"]]
              for holder in holders:
                  holder.attrs["one"] = rng.choice(targets).ref
                  many = [rng.choice(targets).ref for _ in range(rng.randint(1, 4))]
                  holder.attrs.create("many", many, dtype=h5py.ref_dtype)
              shape = tuple(rng.randint(1, 5) for _ in range(rng.randint(0, 2)))
              chunks = tuple(rng.randint(1, n) for n in shape) if shape and rng.random() < 0.5 else None
              refs = f.create_dataset("refs", shape, dtype=h5py.ref_dtype, chunks=chunks)
              for at in numpy.ndindex(*shape):
                  if rng.random() < 0.7:
                      refs[at] = rng.choice(targets).ref
      """;

  private static final String JUDGE =
      """
      import h5py, numpy, sys, zarr
      folder, count = sys.argv[1], int(sys.argv[2])
      def path(file, ref):
          return "" if not ref else file[ref].name
      for i in range(count):
          with h5py.File("%s/%d.h5" % (folder, i)) as f:
              store = zarr.open_consolidated("%s/%d.zarr" % (folder, i))
              for holder in ["/", "g", "a"]:
                  attrs = store.attrs if holder == "/" else store[holder].attrs
                  assert attrs["one"] == path(f, f[holder].attrs["one"]), (i, holder)
                  assert attrs["many"] == [path(f, r) for r in f[holder].attrs["many"]], (i, holder)
                  if attrs["one"] != "/":
                      assert store[attrs["one"]].name == attrs["one"]
              refs = f["refs"]
              want = [path(f, refs[at]) for at in numpy.ndindex(*refs.shape)]
              assert numpy.asarray(store["refs"][...], object).reshape(-1).tolist() == want, i
      """;

  @TempDir Path folder;

  private Path script(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void referencesAreThePathsThatH5pyFollows() throws IOException {
    String seed = Long.toString(Seeds.draw());
    int count = Effort.times(8, 200);
    String many = Integer.toString(count);
    Oracle.h5py(script("make.py", MAKE)).run(folder.toString(), seed, many).orFail();
    for (int i = 0; i < count; i++) {
      Path in = folder.resolve(i + ".h5");
      ConversionReport report = FileConverter.convert(in, folder.resolve(i + ".zarr"));
      assertThat(report.losses()).as("seed %s, case %d", seed, i).isEmpty();
      assertThat(report.notes()).singleElement().asString().contains("and 6 others");
    }
    Oracle.python("zarr", script("judge.py", JUDGE)).run(folder.toString(), many).orFail();
  }

  /** What cannot be a path stays a loss, by its name. */
  @Test
  void otherReferencesAreLosses() throws IOException {
    String make =
        """
        import h5py, sys
        with h5py.File(sys.argv[1], "w") as f:
            d = f.create_dataset("d", data=[1, 2, 3])
            f.attrs["region"] = d.regionref[0:2]
            f.create_dataset("regions", data=[d.regionref[0:1]], dtype=h5py.regionref_dtype)
            gone = f.create_dataset("gone", data=[1])
            f.attrs["lost"] = gone.ref
            f.create_dataset("lost", data=[gone.ref, d.ref], dtype=h5py.ref_dtype)
            f.attrs.create("pairs", [(1, d.ref)], dtype=[("n", "i4"), ("r", h5py.ref_dtype)])
            del f["gone"]
        """;
    Path in = folder.resolve("in.h5");
    Oracle.h5py(script("make.py", make)).run(in.toString()).orFail();
    Path out = folder.resolve("out.zarr");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class);
    assertThat(out).doesNotExist();
    ConversionReport report =
        FileConverter.convert(
            in, out, ConversionOptions.DEFAULT.withLenient(true), FileConverter.Progress.NONE);
    for (String name :
        List.of("attribute region", "/regions", "attribute lost", "/lost", "pairs")) {
      assertThat(report.losses()).as(name).anyMatch(line -> line.contains(name));
    }
    assertThat(report.losses()).hasSize(5);
  }
}
