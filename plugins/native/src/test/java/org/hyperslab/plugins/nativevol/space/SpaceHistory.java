package org.hyperslab.plugins.nativevol.space;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.OpenOptions;

/**
 * A sequence of edits that repeatedly frees space in a file. {@code histories.py} makes the same
 * edits with h5py, under the same names.
 */
enum SpaceHistory {
  VLEN_REWRITTEN {
    @Override
    void execute(Path path) {
      try (H5File file = Hdf5.create(path)) {
        Dataset words = file.createDataset("words", words(100, 0));
        rounds(200, round -> words.write(words(100, round)));
      }
    }
  },
  VLEN_REWRITTEN_AND_FLUSHED {
    @Override
    void execute(Path path) {
      try (H5File file = Hdf5.create(path)) {
        Dataset words = file.createDataset("words", words(400, 0));
        rounds(
            40,
            round -> {
              words.write(words(400, round));
              file.flush();
            });
      }
    }
  },
  VLEN_REWRITTEN_OVER_OPENINGS {
    @Override
    void execute(Path path) {
      create(path, file -> file.createDataset("words", words(400, 0)));
      openings(path, 20, (file, round) -> file.dataset("words").write(words(400, round)));
    }
  },
  VLEN_CHUNKS_REWRITTEN_OVER_OPENINGS {
    @Override
    void execute(Path path) {
      DatasetOptions options = DatasetOptions.chunked(128).deflate(4).build();
      create(
          path,
          file -> file.datasetBuilder("words").value(words(1000, 0)).options(options).create());
      openings(
          path,
          20,
          (file, round) -> {
            Dataset words = file.dataset("words");
            words.write(Selection.box(new long[] {300}, new long[] {400}), words(400, round));
          });
    }
  },
  VLEN_DELETED_AND_CREATED_OVER_OPENINGS {
    @Override
    void execute(Path path) {
      create(path, file -> file.createDataset("words", words(400, 0)));
      openings(
          path,
          20,
          (file, round) -> {
            file.root().delete("words");
            file.createDataset("words", words(400, round)).close();
          });
    }
  },
  DELETED_AND_CREATED_OVER_OPENINGS {
    @Override
    void execute(Path path) {
      create(path, file -> file.createDataset("data", doubles(10_000, 0)));
      openings(
          path,
          20,
          (file, round) -> {
            file.root().delete("data");
            file.createDataset("data", doubles(10_000, round)).close();
          });
    }
  },
  DELETED_AND_CREATED_IN_ONE_SESSION {
    @Override
    void execute(Path path) {
      try (H5File file = Hdf5.create(path)) {
        file.createDataset("data", doubles(10_000, 0)).close();
        rounds(
            50,
            round -> {
              file.root().delete("data");
              file.createDataset("data", doubles(10_000 - 10 * round, round)).close();
              file.flush();
            });
      }
    }
  },
  DEFLATED_REWRITTEN_IN_ONE_SESSION {
    @Override
    void execute(Path path) {
      try (H5File file = Hdf5.create(path)) {
        Dataset data =
            file.datasetBuilder("data").value(uneven(65_536, 0)).options(DEFLATED).create();
        rounds(20, round -> data.write(uneven(65_536, round)));
      }
    }
  },
  DEFLATED_REWRITTEN_OVER_OPENINGS {
    @Override
    void execute(Path path) {
      create(
          path,
          file -> file.datasetBuilder("data").value(uneven(65_536, 0)).options(DEFLATED).create());
      openings(path, 20, (file, round) -> file.dataset("data").write(uneven(65_536, round)));
    }
  },
  SMALL_ATTRIBUTES_SET_AGAIN {
    @Override
    void execute(Path path) {
      create(path, file -> file.createDataset("data", doubles(10, 0)));
      openings(
          path,
          20,
          (file, round) ->
              rounds(
                  20,
                  each ->
                      file.dataset("data")
                          .setAttribute("a" + each % 7, doubles(1 + (round + each) % 9, round))));
    }
  },
  LARGE_ATTRIBUTES_SET_AGAIN {
    @Override
    void execute(Path path) {
      setLargeAttributes(path, 6);
    }
  },
  DENSE_ATTRIBUTES_SET_AGAIN {
    @Override
    void execute(Path path) {
      setLargeAttributes(path, 12);
    }
  },
  ATTRIBUTE_GROWS_OVER_OPENINGS {
    @Override
    void execute(Path path) {
      growAttribute(path, 13, 1);
    }
  },
  LARGE_ATTRIBUTE_GROWS_OVER_OPENINGS {
    @Override
    void execute(Path path) {
      growAttribute(path, 512, 8);
    }
  },
  LINKS_CREATED_AND_DELETED {
    @Override
    void execute(Path path) {
      create(path, file -> file.createDataset("data", doubles(10, 0)));
      openings(
          path,
          10,
          (file, round) -> {
            rounds(300, each -> file.createGroup("g/" + each).close());
            file.root().delete("g");
          });
    }
  },
  RESIZED_UP_AND_DOWN {
    @Override
    void execute(Path path) {
      create(
          path,
          file ->
              file.datasetBuilder("data")
                  .type(Datatypes.F64LE)
                  .shape(0)
                  .maxShape(Dataspace.UNLIMITED)
                  .options(DatasetOptions.chunked(1000).build())
                  .create());
      openings(
          path,
          20,
          (file, round) -> {
            Dataset data = file.dataset("data");
            data.setExtent(50_000 + 100 * round);
            data.write(doubles(50_000 + 100 * round, round));
            data.setExtent(5_000);
          });
    }
  },
  COMPOUND_WITH_VLEN_REWRITTEN {
    @Override
    void execute(Path path) {
      create(path, file -> file.createDataset("rows", rows(300, 0)));
      openings(
          path,
          10,
          (file, round) ->
              rounds(5, each -> file.dataset("rows").write(rows(300, round * 5 + each))));
    }
  },
  VLEN_ROWS_APPENDED {
    @Override
    void execute(Path path) {
      create(
          path,
          file ->
              file.datasetBuilder("rows")
                  .type(Datatypes.vlenString())
                  .shape(0)
                  .maxShape(Dataspace.UNLIMITED)
                  .options(DatasetOptions.chunked(100).build())
                  .create()
                  .append(words(50, 0)));
      openings(path, 20, (file, round) -> file.dataset("rows").append(words(50, round)));
    }
  },
  COPIED_AND_DELETED {
    @Override
    void execute(Path path) {
      create(
          path,
          file -> {
            file.createDataset("g/data", doubles(5_000, 0));
            file.createDataset("g/words", words(100, 0));
          });
      openings(
          path,
          20,
          (file, round) -> {
            file.root().copy("g", file.root(), "h" + round);
            if (round > 0) {
              file.root().delete("h" + (round - 1));
            }
          });
    }
  },
  HEADERS_GROW {
    @Override
    void execute(Path path) {
      create(path, file -> rounds(10, each -> file.createDataset("d" + each, doubles(10, each))));
      openings(
          path,
          20,
          (file, round) ->
              rounds(
                  10,
                  each -> file.dataset("d" + each).setAttribute("r" + round, doubles(20, each))));
    }
  },
  MANY_SMALL_DATASETS {
    @Override
    void execute(Path path) {
      create(
          path,
          file -> rounds(1000, each -> file.createDataset("d" + each, doubles(10, each)).close()));
    }
  };

  private static final DatasetOptions DEFLATED = DatasetOptions.chunked(4096).deflate(4).build();

  record Row(int number, String word) {}

  /** Leaves the file at the end of its life behind. */
  abstract void execute(Path path);

  /** The name in the other program. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  interface Edit {
    void edit(H5File file, int round);
  }

  interface Creation {
    void fill(H5File file);
  }

  static void rounds(int count, IntConsumer action) {
    for (int round = 0; round < count; round++) {
      action.accept(round);
    }
  }

  private static void create(Path path, Creation creation) {
    try (H5File file = Hdf5.create(path)) {
      creation.fill(file);
    }
  }

  private static void setLargeAttributes(Path path, int count) {
    create(path, file -> file.createDataset("data", doubles(10, 0)));
    openings(
        path,
        20,
        (file, round) ->
            rounds(
                count,
                each ->
                    file.dataset("data")
                        .setAttribute(
                            "a" + each, doubles(700 + (13 * round + 7 * each) % 60, round))));
  }

  private static void growAttribute(Path path, int first, int step) {
    create(path, file -> file.createDataset("data", doubles(10, 0)));
    openings(
        path,
        80,
        (file, round) ->
            file.dataset("data").setAttribute("a", doubles(first + step * round, round)));
  }

  private static void openings(Path path, int count, Edit edit) {
    rounds(
        count,
        round -> {
          try (H5File file = Hdf5.open(path, OpenOptions.EDIT)) {
            edit.edit(file, round);
          }
        });
  }

  static String[] words(int count, int round) {
    String[] words = new String[count];
    for (int i = 0; i < count; i++) {
      words[i] = "word " + i + " " + "x".repeat((i * 7 + round * 13) % 40);
    }
    return words;
  }

  private static Row[] rows(int count, int round) {
    String[] words = words(count, round);
    Row[] rows = new Row[count];
    Arrays.setAll(rows, i -> new Row(i, words[i]));
    return rows;
  }

  static double[] doubles(int count, int round) {
    double[] values = new double[count];
    Arrays.setAll(values, i -> i + round);
    return values;
  }

  /** Numbers that deflate to very different sizes, chunk by chunk and round by round. */
  private static int[] uneven(int count, int round) {
    int[] values = new int[count];
    long state = 88_172_645_463_325_252L + round;
    for (int i = 0; i < count; i++) {
      state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
      int bits = 1 + (i / 4096 * 5 + round * 3) % 24;
      values[i] = (int) (state >>> 40) & ((1 << bits) - 1);
    }
    return values;
  }
}
