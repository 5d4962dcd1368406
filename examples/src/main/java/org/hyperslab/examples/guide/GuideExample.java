package org.hyperslab.examples.guide;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * A short example program.
 *
 * @param name the name on a command line
 * @param purpose the purpose, in a few words
 * @param program the program
 */
public record GuideExample(String name, String purpose, Program program) {

  /** A program that writes files into a folder and prints information about them. */
  @FunctionalInterface
  public interface Program {
    /**
     * Runs the program.
     *
     * @param folder an existing folder, for its files
     * @param out receives its output
     * @throws Exception if something fails, as in any program
     */
    void run(Path folder, PrintStream out) throws Exception;
  }

  /** {@return all examples, in the order in which a newcomer might read them} */
  public static List<GuideExample> all() {
    return List.of(
        new GuideExample("checkpoint", "save a simulation's state, and restart", Checkpoint::run),
        new GuideExample("slices", "read and write parts of a dataset", Slices::run),
        new GuideExample("records", "keep a table of Java records", Records::run),
        new GuideExample("compressed", "choose chunks and filters", Compressed::run),
        new GuideExample("scales", "describe data: attributes, dimension scales", Scales::run),
        new GuideExample("append", "append in a loop while another reads (SWMR)", Append::run),
        new GuideExample("async", "write without waiting", AsyncWrites::run),
        new GuideExample("inspect", "read a file of unknown content", Inspect::run),
        new GuideExample("convert", "rewrite a file with other storage", Convert::run),
        new GuideExample("ranks", "write one file from many ranks", ParallelRanks::run),
        new GuideExample("staging", "write through a staging server", Staging::run));
  }
}
