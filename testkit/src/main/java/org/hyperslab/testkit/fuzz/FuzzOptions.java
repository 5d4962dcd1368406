package org.hyperslab.testkit.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The options of a campaign.
 *
 * @param target the class name of a {@link FuzzTarget}
 * @param seeds the files to begin with
 * @param folder the folder in which failed mutants are kept
 * @param seed the seed of the random numbers
 * @param cases the number of mutants to try; 0 tries only the unchanged seeds
 * @param seconds the time after which no new case starts, in seconds
 * @param guided whether mutants with new coverage are mutated again
 */
public record FuzzOptions(
    String target,
    List<Path> seeds,
    Path folder,
    long seed,
    int cases,
    int seconds,
    boolean guided) {

  /** Copies the list. */
  public FuzzOptions {
    seeds = List.copyOf(seeds);
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
    return new FuzzOptions(
        words.get(0),
        seeds,
        Path.of(words.get(1)),
        Long.parseLong(words.get(2)),
        Integer.parseInt(words.get(3)),
        Integer.parseInt(words.get(4)),
        Boolean.parseBoolean(words.get(5)));
  }
}
