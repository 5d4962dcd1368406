package org.hyperslab.examples.gabor;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.vol.Connector;

/**
 * Segments a synthetic multispectral image by texture with twelve Gabor filters. For each filter
 * follow the forward transform of the filter, the product with the image's spectrum, the inverse
 * transform, and the texture, which is the magnitude, to a file of its own. The label of a pixel is
 * the filter with the greatest texture. The first read of the image and the last write of the
 * labels block.
 *
 * <p>The workload is that of Venkatesan, Chaarawi, Gabriel, Hoefler (2011); where a write is
 * started, it overlaps with the computation of the next texture.
 *
 * <p>Thread rule: confined to the rank's thread. Every rank makes one; {@link #run} is collective.
 */
public final class GaborSegmentation {

  private static final String IMAGE = "image";
  private static final String LABELS = "labels";

  private final Communicator ranks;
  private final Settings settings;
  private final SyntheticImage image;
  private final SlabFourier fourier;
  private final int firstRow;
  private final float[] work;
  private final float[] best;
  private final byte[] labels;
  private long ioNanos;

  /** The way in which the textures are written. */
  public enum Variant {
    /** Each by a blocking collective write. */
    BLOCKING("blocking"),

    /** Each by a started one, while the next is computed, with tests between the transforms. */
    STARTED("started"),

    /** As {@link #STARTED}, with tests within the transforms too. */
    TESTED("started, tests in the FFT");

    private final String title;

    Variant(String title) {
      this.title = title;
    }

    /** {@return the name for people} */
    public String title() {
      return title;
    }
  }

  /**
   * The settings of a run: the image, and the place of its output.
   *
   * @param folder where the files go, in a folder of each variant
   * @param size the length of the image's edges in pixels, a multiple of the ranks
   * @param channels the channels of the image, at least 1
   * @param hdf5 the connector of this rank by which textures are written as HDF5 files; null if
   *     they are plain files, written by MPI-IO
   * @param hints how accesses to plain files go
   * @param stores wraps the stores of plain files to make their requests take time; null if they
   *     need not
   * @param testNanos the least time between tests in a transform, in nanoseconds
   */
  public record Settings(
      Path folder,
      int size,
      int channels,
      Connector hdf5,
      Hints hints,
      UnaryOperator<ByteStore> stores,
      long testNanos) {
    /** Checks the numbers. */
    public Settings {
      if (size < 1 || size > 16_384 || channels < 1 || channels > 1024) {
        throw new InvalidUseException(
            "gabor: actual="
                + size
                + " pixels, "
                + channels
                + " channels, expected=1 to 16384 and 1 to 1024");
      }
    }
  }

  /**
   * The times of a run, each of the slowest rank.
   *
   * @param variant how textures were written
   * @param computeSeconds outside of I/O, between the first filter and the last file
   * @param ioSeconds in opening, writing, testing, waiting and closing
   * @param totalSeconds of both
   * @param right the share of the pixels whose label is the right one
   */
  public record Result(
      Variant variant,
      double computeSeconds,
      double ioSeconds,
      double totalSeconds,
      double right) {}

  /**
   * Prepares the part of one rank.
   *
   * @param ranks the ranks
   * @param settings what and where
   * @throws InvalidUseException if the ranks cannot have equally many rows
   */
  public GaborSegmentation(Communicator ranks, Settings settings) {
    this.ranks = ranks;
    this.settings = settings;
    this.image = new SyntheticImage(settings.size, settings.channels);
    this.fourier = new SlabFourier(ranks, settings.size);
    this.firstRow = ranks.rank() * fourier.rows();
    this.work = new float[fourier.pixelFloats()];
    this.best = new float[work.length / 2];
    this.labels = new byte[work.length / 2];
  }

  /** Writes the image to a file of the folder; collective. */
  public void prepare() {
    Path path = settings.folder.resolve(IMAGE + ".h5");
    if (ranks.rank() == 0) {
      folder(settings.folder);
    }
    ranks.barrier();
    try (Session session = Hdf5.session("mpiio");
        H5File file = session.create(path)) {
      Dataset all =
          file.createDataset(IMAGE, float.class, settings.channels, settings.size, settings.size);
      for (int channel = 0; channel < settings.channels; channel++) {
        float[] rows = image.rows(channel, firstRow, fourier.rows());
        all.write(channelRows(channel), rows, TransferOptions.COLLECTIVE);
      }
    }
  }

  private Selection channelRows(int channel) {
    return Selection.box(
        new long[] {channel, firstRow, 0}, new long[] {1, fourier.rows(), settings.size});
  }

  /**
   * Computes and writes all textures and the labels; collective, after {@link #prepare}.
   *
   * @param variant how textures are written
   * @return what it took
   */
  public Result run(Variant variant) {
    Path folder = folder(variant);
    if (ranks.rank() == 0) {
      folder(folder);
    }
    float[] spectrum = spectrum();
    ranks.barrier();
    ioNanos = 0;
    long start = System.nanoTime();
    try (Arena arena = Arena.ofShared();
        TextureOutput output = output(folder)) {
      if (variant == Variant.BLOCKING) {
        writeBlocking(spectrum, output, arena);
      } else {
        writeStarted(spectrum, output, arena, variant == Variant.TESTED);
      }
    }
    long total = System.nanoTime() - start;
    writeLabels(folder);
    long[] slowest = {total - ioNanos, ioNanos, total};
    ranks.allReduce(slowest, Reduction.MAX);
    return new Result(
        variant, 1e-9 * slowest[0], 1e-9 * slowest[1], 1e-9 * slowest[2], rightShare());
  }

  private TextureOutput output(Path folder) {
    return settings.hdf5 == null
        ? new MpiTextures(ranks, folder, settings.hints, settings.stores)
        : new Hdf5Textures(ranks, folder, settings.size, settings.hdf5);
  }

  /** Reads the image, adds its channels up, and transforms the sum. */
  private float[] spectrum() {
    float[] spectrum = new float[fourier.pixelFloats()];
    Path path = settings.folder.resolve(IMAGE + ".h5");
    try (Session session = Hdf5.session("mpiio");
        H5File file = session.open(path)) {
      Dataset all = file.dataset(IMAGE);
      for (int channel = 0; channel < settings.channels; channel++) {
        float[] rows = new float[spectrum.length / 2];
        all.readInto(channelRows(channel), rows, TransferOptions.COLLECTIVE);
        for (int i = 0; i < rows.length; i++) {
          spectrum[2 * i] += rows[i] / settings.channels;
        }
      }
    }
    fourier.forward(spectrum, () -> {});
    return spectrum;
  }

  private void writeBlocking(float[] spectrum, TextureOutput output, Arena arena) {
    MemorySegment texture = texture(arena);
    List<GaborFilter> bank = GaborFilter.bank();
    for (int i = 0; i < bank.size(); i++) {
      int filter = i;
      compute(bank.get(i), i, spectrum, texture, () -> {}, () -> {});
      io(() -> output.write(filter, texture));
    }
  }

  private void writeStarted(
      float[] spectrum, TextureOutput output, Arena arena, boolean testsWithin) {
    MemorySegment[] textures = {texture(arena), texture(arena)};
    List<GaborFilter> bank = GaborFilter.bank();
    TextureOutput.Ongoing[] before = new TextureOutput.Ongoing[1];
    for (int i = 0; i < bank.size(); i++) {
      int filter = i;
      Runnable test = before[0] == null ? () -> {} : () -> io(before[0]::test);
      Runnable within = testsWithin ? new RateLimiter(test, settings.testNanos) : () -> {};
      compute(bank.get(i), i, spectrum, textures[i % 2], test, within);
      io(() -> {
        end(before[0]);
        before[0] = output.start(filter, textures[filter % 2]);
      });
    }
    io(() -> end(before[0]));
  }

  private static void end(TextureOutput.Ongoing before) {
    if (before != null) {
      before.end();
    }
  }

  private MemorySegment texture(Arena arena) {
    return arena.allocate((long) Float.BYTES * best.length, Float.BYTES);
  }

  /** Runs an action, and counts its time as that of I/O. */
  private void io(Runnable action) {
    long start = System.nanoTime();
    action.run();
    ioNanos += System.nanoTime() - start;
  }

  /**
   * Computes a texture.
   *
   * @param test is called between the transforms
   * @param within is called after each line of a transform
   */
  private void compute(
      GaborFilter filter,
      int number,
      float[] spectrum,
      MemorySegment texture,
      Runnable test,
      Runnable within) {
    filter.fill(work, firstRow, settings.size);
    test.run();
    fourier.forward(work, within);
    test.run();
    multiply(spectrum);
    test.run();
    fourier.inverse(work, within);
    test.run();
    for (int i = 0; i < best.length; i++) {
      float re = work[2 * i];
      float im = work[2 * i + 1];
      float magnitude = (float) Math.sqrt(re * re + im * im);
      texture.setAtIndex(ValueLayout.JAVA_FLOAT, i, magnitude);
      if (number == 0 || magnitude > best[i]) {
        best[i] = magnitude;
        labels[i] = (byte) number;
      }
    }
  }

  private void multiply(float[] spectrum) {
    for (int i = 0; i < work.length; i += 2) {
      float re = work[i] * spectrum[i] - work[i + 1] * spectrum[i + 1];
      work[i + 1] = work[i] * spectrum[i + 1] + work[i + 1] * spectrum[i];
      work[i] = re;
    }
  }

  private void writeLabels(Path folder) {
    try (Session session = Hdf5.session("mpiio");
        H5File file = session.create(folder.resolve(LABELS + ".h5"))) {
      Dataset all = file.createDataset(LABELS, byte.class, settings.size, settings.size);
      Selection rows =
          Selection.box(new long[] {firstRow, 0}, new long[] {fourier.rows(), settings.size});
      all.write(rows, labels, TransferOptions.COLLECTIVE);
    }
  }

  private double rightShare() {
    long[] right = new long[1];
    for (int i = 0; i < labels.length; i++) {
      int y = firstRow + i / settings.size;
      right[0] += labels[i] == image.patch(y, i % settings.size) ? 1 : 0;
    }
    ranks.allReduce(right, Reduction.SUM);
    return right[0] / ((double) settings.size * settings.size);
  }

  /**
   * Compares the files of two variants.
   *
   * @param one a variant that was run
   * @param other another one
   * @throws IllegalStateException if a byte differs, naming the file and the place
   */
  public void requireSameBytes(Variant one, Variant other) {
    for (Path file : files(folder(one))) {
      Path same = folder(other).resolve(file.getFileName());
      try {
        long at = Files.mismatch(file, same);
        if (at >= 0) {
          throw new IllegalStateException(same + ": byte " + at + " differs from " + file);
        }
      } catch (IOException e) {
        throw new StorageException("comparison: actual=" + e + ", at=" + same, e);
      }
    }
  }

  private List<Path> files(Path folder) {
    try (TextureOutput output = output(folder)) {
      List<Path> files = new ArrayList<>();
      for (int filter = 0; filter < GaborFilter.bank().size(); filter++) {
        files.add(output.file(filter));
      }
      files.add(folder.resolve(LABELS + ".h5"));
      return files;
    }
  }

  private Path folder(Variant variant) {
    return settings.folder.resolve(variant.name().toLowerCase(Locale.ROOT));
  }

  private static void folder(Path path) {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw new StorageException("folder: actual=" + e + ", at=" + path, e);
    }
  }
}
