package org.hyperslab.plugins.nativevol.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Overwrites strings in random order, here and with h5py, with flushes and openings in between:
 * heap space that is freed must not belong to another element.
 */
final class VlenRewriteRandomTest {

  private static final int ELEMENTS = 150;
  private static final int FILES = Effort.times(3, 6);

  private static final String LIBRARY =
      """
      import sys, h5py, os
      for path in sys.argv[2:]:
          with h5py.File(path, 'r+') as f:
              for name in sorted(f):
                  want = open(path + '.' + name, encoding='utf-8').read().split('\\n')
                  got = f[name].asstr()[...]
                  assert list(got) == want, (path, name, [p for p in zip(got, want) if p[0] != p[1]][:3])
                  if sys.argv[1] == 'edit':
                      for i in range(0, len(want), 7):
                          want[i] = 'theirs %d ' % i + 'y' * (i % 23)
                          f[name][i] = want[i]
                      open(path + '.' + name, 'w', encoding='utf-8').write('\\n'.join(want))
      """;

  private final long seed = Seeds.draw();

  @TempDir private Path folder;

  @Test
  void referencedHeapObjectsAreNotFreed() throws IOException {
    System.out.println("hyperslab.seed=" + seed);
    List<Life> lives = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      lives.add(new Life(Seeds.random(seed, i), folder.resolve("f" + i + ".h5")));
    }
    for (Life each : lives) {
      each.create();
    }
    for (int round = 0; round < 2; round++) {
      judge("edit");
      for (Life each : lives) {
        each.take();
        each.edit();
      }
    }
    judge("look");
  }

  private void judge(String verb) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(LIBRARY, verb));
    try (var files = Files.list(folder)) {
      files
          .map(Path::toString)
          .filter(name -> name.endsWith(".h5"))
          .sorted()
          .forEach(arguments::add);
    }
    Oracle.h5py().run(arguments.toArray(String[]::new)).orFail();
  }

  /** One file, and the expected content of its datasets. */
  private final class Life {
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

    private final Random random;
    private final Path path;
    private final String[][] model = new String[NAMES.size()][ELEMENTS];

    Life(Random random, Path path) {
      this.random = random;
      this.path = path;
    }

    private DatasetOptions options(int index) {
      DatasetOptions.Builder options = DatasetOptions.builder();
      switch (index) {
        case 0 -> options.layout(new Layout.Contiguous());
        case 1 -> options.chunked(40);
        case 2 -> options.chunked(40).shuffle().deflate(1);
        case 3 -> options.layout(new Layout.Compact());
        default -> options.chunked(7);
      }
      if (random.nextBoolean()) {
        options.fill(new FillValue.Value(Datatypes.vlenString(), Memory.of("filled").data()));
        Arrays.fill(model[index], "filled");
      } else {
        Arrays.fill(model[index], "");
      }
      return options.build();
    }

    void create() throws IOException {
      try (H5File file = Hdf5.create(path)) {
        for (int i = 0; i < NAMES.size(); i++) {
          file.datasetBuilder(NAMES.get(i))
              .type(Datatypes.vlenString())
              .shape(ELEMENTS)
              .options(options(i))
              .create()
              .close();
        }
        steps(file);
      }
      show();
    }

    void edit() throws IOException {
      try (H5File file = Hdf5.open(path, OpenOptions.EDIT)) {
        steps(file);
      }
      show();
    }

    private void steps(H5File file) {
      for (int step = 0; step < 25; step++) {
        int which = random.nextInt(NAMES.size());
        try (Dataset dataset = file.dataset(NAMES.get(which))) {
          write(dataset, model[which]);
          String[] found = dataset.readStrings();
          Arrays.setAll(found, i -> found[i] == null ? "" : found[i]); // unwritten
          assertThat(found).as("seed " + seed).isEqualTo(model[which]);
        }
        if (random.nextInt(4) == 0) {
          file.flush();
        }
      }
    }

    private void write(Dataset dataset, String[] content) {
      int stride = 1 + random.nextInt(3);
      int count = 1 + random.nextInt(ELEMENTS / stride);
      int start = random.nextInt(ELEMENTS - (count - 1) * stride);
      String[] values = new String[count];
      for (int i = 0; i < count; i++) {
        values[i] =
            random.nextInt(9) == 0 ? "" : random.nextInt(1000) + "z".repeat(random.nextInt(60));
        content[start + i * stride] = values[i];
      }
      dataset.write(
          Selection.hyperslab(
              new long[] {start}, new long[] {stride}, new long[] {count}, new long[] {1}),
          values);
    }

    private Path text(int index) {
      return Path.of(path + "." + NAMES.get(index));
    }

    /** Tells the judge what must be there. */
    private void show() throws IOException {
      for (int i = 0; i < NAMES.size(); i++) {
        Files.writeString(text(i), String.join("\n", model[i]), StandardCharsets.UTF_8);
      }
    }

    /** Takes over what the judge has changed. */
    private void take() throws IOException {
      for (int i = 0; i < NAMES.size(); i++) {
        model[i] = Files.readString(text(i)).split("\n", -1);
      }
    }
  }
}
