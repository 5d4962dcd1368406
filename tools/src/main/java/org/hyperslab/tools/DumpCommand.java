package org.hyperslab.tools;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.tools.ddl.Dump;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** Prints files in HDF5's data description language. */
@Command(
    name = "dump",
    header = "prints files in HDF5's data description language",
    description = {
      "Prints files in HDF5's data description language. Takes h5dump's options:",
      "  -H header only   -A attributes only (-A 0: none)   -p storage   -B superblock",
      "  -d PATH dataset  -s -S -c -k subset   -a PATH attribute   -g PATH group",
      "  -t PATH datatype -l PATH soft link    -N PATH any of them -n [1] contents",
      "  -r characters    -e escapes   -y no indices   -w COLUMNS   -m FORMAT   -i object ids",
      "  -q name|creation_order   -z ascending|descending   -M OFFSET,LENGTH,... bits",
      "  -o FILE elements there   -O FILE description there (no FILE: nowhere)",
      "Exit codes: 0 done, 1 something is missing or unreadable, 2 wrong use."
    },
    customSynopsis = "hyperslab dump [--connector=CONFIG] [OPTIONS] FILE...")
final class DumpCommand implements Callable<Integer> {

  @Mixin private final ConnectorOption connector = new ConnectorOption();

  @Option(names = "--help", usageHelp = true, description = "shows this help")
  private boolean help;

  @Unmatched private List<String> words = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
    try (out;
        connector) {
      return new Dump(connector::open, System.err).run(words, out);
    } catch (InvalidUseException wrong) {
      System.err.println(wrong.getMessage());
      return CommandLine.ExitCode.USAGE;
    }
  }
}
