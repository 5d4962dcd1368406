package org.hyperslab.tools.kernel;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hyperslab.examples.guide.GuideExample;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs one of the short example programs. */
@Command(mixinStandardHelpOptions = true)
final class GuideCommand implements Callable<Integer> {

  private final GuideExample example;
  private final PrintStream out;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "example-out",
      description = "folder for the files, created if missing (default: ${DEFAULT-VALUE})")
  private Path folder;

  private GuideCommand(GuideExample example, PrintStream out) {
    this.example = example;
    this.out = out;
  }

  /**
   * Creates the command line of an example.
   *
   * @param example the example
   * @param out receives its output
   * @return the command line
   */
  static CommandLine line(GuideExample example, PrintStream out) {
    CommandLine line = new CommandLine(new GuideCommand(example, out));
    line.setCommandName(example.name());
    line.getCommandSpec().usageMessage().description("Shows how to " + example.purpose() + ".");
    return line;
  }

  @Override
  public Integer call() throws Exception {
    Files.createDirectories(folder);
    example.program().run(folder, out);
    out.println("files are in " + folder);
    return 0;
  }
}
