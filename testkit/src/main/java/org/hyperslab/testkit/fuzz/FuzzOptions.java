package org.hyperslab.testkit.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The options of a campaign.
 *
 * <p>Thread rule: immutable.
 */
public final class FuzzOptions {

  private final String target;
  private final List<Path> seeds;
  private final Path folder;
  private final long seed;
  private final int cases;
  private final int seconds;
  private final boolean guided;

  private FuzzOptions(Builder builder) {
    target = builder.target;
    seeds = builder.seeds;
    folder = builder.folder;
    seed = builder.seed;
    cases = builder.cases;
    seconds = builder.seconds;
    guided = builder.guided;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.target = target;
    builder.seeds = seeds;
    builder.folder = folder;
    builder.seed = seed;
    builder.cases = cases;
    builder.seconds = seconds;
    builder.guided = guided;
    return builder;
  }

  /** {@return the class name of a {@link FuzzTarget}} */
  public String target() {
    return target;
  }

  /** {@return the files to begin with} */
  public List<Path> seeds() {
    return seeds;
  }

  /** {@return the folder in which failed mutants are kept} */
  public Path folder() {
    return folder;
  }

  /** {@return the seed of the random numbers} */
  public long seed() {
    return seed;
  }

  /** {@return the number of mutants to try; 0 tries only the unchanged seeds} */
  public int cases() {
    return cases;
  }

  /** {@return the time after which no new case starts, in seconds} */
  public int seconds() {
    return seconds;
  }

  /** {@return whether mutants with new coverage are mutated again} */
  public boolean guided() {
    return guided;
  }

  List<String> words() {
    List<String> words =
        new ArrayList<>(
            List.of(
                target,
                folder.toString(),
                Long.toString(seed),
                Integer.toString(cases),
                Integer.toString(seconds),
                Boolean.toString(guided)));
    return words;
  }

  static FuzzOptions of(List<String> words, List<Path> seeds) {
    return builder()
        .target(words.get(0))
        .seeds(seeds)
        .folder(Path.of(words.get(1)))
        .seed(Long.parseLong(words.get(2)))
        .cases(Integer.parseInt(words.get(3)))
        .seconds(Integer.parseInt(words.get(4)))
        .guided(Boolean.parseBoolean(words.get(5)))
        .build();
  }

  private List<Object> values() {
    return List.of(target, seeds, folder, seed, cases, seconds, guided);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FuzzOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
  @Override
  public String toString() {
    return "FuzzOptions[target="
        + target
        + ", seeds="
        + seeds
        + ", folder="
        + folder
        + ", seed="
        + seed
        + ", cases="
        + cases
        + ", seconds="
        + seconds
        + ", guided="
        + guided
        + "]";
  }

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private String target = "";
    private List<Path> seeds = List.of();
    private Path folder = Path.of("");
    private long seed;
    private int cases;
    private int seconds;
    private boolean guided;

    private Builder() {}

    /**
     * Sets the class name of a {@link FuzzTarget}.
     *
     * @param newTarget the class name of a {@link FuzzTarget}
     * @return this builder
     */
    public Builder target(String newTarget) {
      this.target = newTarget;
      return this;
    }

    /**
     * Sets the files to begin with.
     *
     * @param newSeeds the files to begin with
     * @return this builder
     */
    public Builder seeds(List<Path> newSeeds) {
      this.seeds = newSeeds;
      return this;
    }

    /**
     * Sets the folder in which failed mutants are kept.
     *
     * @param newFolder the folder in which failed mutants are kept
     * @return this builder
     */
    public Builder folder(Path newFolder) {
      this.folder = newFolder;
      return this;
    }

    /**
     * Sets the seed of the random numbers.
     *
     * @param newSeed the seed of the random numbers
     * @return this builder
     */
    public Builder seed(long newSeed) {
      this.seed = newSeed;
      return this;
    }

    /**
     * Sets the number of mutants to try.
     *
     * @param newCases the number of mutants to try; 0 tries only the unchanged seeds
     * @return this builder
     */
    public Builder cases(int newCases) {
      this.cases = newCases;
      return this;
    }

    /**
     * Sets the time after which no new case starts, in seconds.
     *
     * @param newSeconds the time after which no new case starts, in seconds
     * @return this builder
     */
    public Builder seconds(int newSeconds) {
      this.seconds = newSeconds;
      return this;
    }

    /**
     * Sets whether mutants with new coverage are mutated again.
     *
     * @param newGuided whether mutants with new coverage are mutated again
     * @return this builder
     */
    public Builder guided(boolean newGuided) {
      this.guided = newGuided;
      return this;
    }

    /** {@return the options} */
    public FuzzOptions build() {
      seeds = List.copyOf(seeds);

      return new FuzzOptions(this);
    }
  }
}
