package org.hyperslab.tools.dump;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.OutputFile;
import org.hyperslab.tools.command.ProductVersion;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.TextOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** Prints files as text, in HDF5's data description language. */
@Command(
    name = "dump",
    header = "prints the contents of files as text",
    description = {
      "Prints files as text, in HDF5's data description language. Takes h5dump's options:",
      "  -H header only   -A attributes only (-A 0: none)   -p storage   -B superblock",
      "  -d PATH dataset  -s -S -c -k subset   -a PATH attribute   -g PATH group",
      "  -t PATH datatype -l PATH soft link    -N PATH any of them -n [1] contents",
      "  -r characters    -e escapes   -y no indices   -w COLUMNS   -i object ids",
      "  -m FORMAT numbers  -L FORMAT long doubles  -R elements of referenced regions",
      "  -q name|creation_order   -z ascending|descending   -M OFFSET,LENGTH,... bits",
      "  -v virtual datasets end at the first missing source   -G N sources may be missing",
      "  -o FILE elements there   -O FILE description there (no FILE: nowhere)",
      "  -b NATIVE|FILE|LE|BE elements as bytes (with -o)",
      "XML output (-x, -u) is not supported. Exit codes: 0 success, 1 failure or wrong use."
    },
    versionProvider = ProductVersion.class,
    customSynopsis = "hyperslab dump [--connector=CONFIG] [OPTIONS] FILE...")
public final class DumpCommand implements Callable<Integer> {

  private final Streams streams;

  @Mixin private final ConnectorOption connector;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "prints the version")
  private boolean version;

  @Unmatched private List<String> words = new ArrayList<>();

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public DumpCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    TextOutput out = new TextOutput(streams.out());
    try (connector) {
      return new Dump(connector::open, OutputFile::requireOther, streams.err()).run(words, out);
    } finally {
      out.flush();
    }
  }
}
