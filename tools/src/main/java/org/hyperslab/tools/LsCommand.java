package org.hyperslab.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.tools.listing.Listing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the links of groups. */
@Command(
    name = "ls",
    description = "Lists what files hold, a line for each link. Exit codes: 0 done, 1 failed.",
    mixinStandardHelpOptions = true)
final class LsCommand implements Callable<Integer> {

  @Option(
      names = {"-r", "--recursive"},
      description = "lists groups below too, with full paths")
  private boolean recursive;

  @Option(
      names = {"-v", "--verbose"},
      description = "shows attributes, types and storage")
  private boolean verbose;

  @Parameters(paramLabel = "FILE[/OBJECT]", arity = "1..*", description = "what to list")
  private List<String> names;

  @Override
  public Integer call() {
    int code = 0;
    for (String name : names) {
      code |= list(name);
    }
    return code;
  }

  private int list(String name) {
    int split = name.length();
    while (split > 0 && !Files.isRegularFile(Path.of(name.substring(0, split)))) {
      split = name.lastIndexOf('/', split - 1);
    }
    String fileName = split <= 0 ? name : name.substring(0, split);
    String path = split <= 0 || split == name.length() ? "/" : name.substring(split);
    try (H5File file = Hdf5.open(fileName)) {
      new Listing(System.out, recursive, verbose).list(file, path);
      return 0;
    } catch (HyperslabException failure) {
      System.err.println(name + ": " + failure.getMessage());
      return 1;
    }
  }
}
