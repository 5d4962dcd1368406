package org.hyperslab.testkit.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.Corpus;

/** Runs long campaigns over the corpus, from the command line. */
public final class FuzzCampaign {

  private FuzzCampaign() {}

  /**
   * Runs a campaign and prints the report.
   *
   * @param arguments the target class, the folder for failed mutants, the seed, the number of
   *     cases, the seconds, {@code guided} or {@code plain}, and optionally the folder of the
   *     corpus with the seed files
   * @throws java.io.IOException if the folder cannot be made
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[1]));
    List<Path> seeds = Corpus.files(arguments.length > 6 ? arguments[6] : "", "");
    FuzzReport report =
        Fuzzer.run(
            FuzzOptions.builder()
                .target(arguments[0])
                .seeds(seeds.stream().filter(FuzzCampaign::isSeed).toList())
                .folder(folder)
                .seed(Long.parseLong(arguments[2]))
                .cases(Integer.parseInt(arguments[3]))
                .seconds(Integer.parseInt(arguments[4]))
                .guided(arguments[5].equals("guided"))
                .build());
    report.failures().forEach(System.out::println);
    System.out.println(report);
  }

  /**
   * Returns whether a file is data and not text.
   *
   * @param file a file of the corpus
   * @return whether it is data
   */
  public static boolean isSeed(Path file) {
    String name = file.getFileName().toString();
    return !name.endsWith(".ddl")
        && !name.endsWith(".md")
        && !name.endsWith(".tsv")
        && !name.endsWith(".txt")
        && !name.startsWith("COPYING");
  }
}
