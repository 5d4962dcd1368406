package org.hyperslab.plugins.forwarding.world;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles a class with a fault, and runs histories with it in place of the right one. */
final class MutantTrial {

  private final Path project;
  private final Path folder;

  MutantTrial(Path project, Path folder) {
    this.project = project;
    this.folder = folder;
  }

  /**
   * Runs histories until one finds the fault.
   *
   * @return what it finds; null if no history does
   */
  String run(Mutant mutant, long histories) throws ReflectiveOperationException, IOException {
    Path classes = Files.createTempDirectory(folder, "mutant");
    compile(mutant, classes);
    List<URL> path = new ArrayList<>();
    path.add(classes.toUri().toURL());
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      path.add(Path.of(entry).toUri().toURL());
    }
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader loader = new URLClassLoader(path.toArray(new URL[0]), platform)) {
      Class<?> campaign = loader.loadClass(HistoryCampaign.class.getName());
      return (String)
          campaign.getMethod("firstFailure", long.class, long.class).invoke(null, 1, histories);
    }
  }

  private void compile(Mutant mutant, Path classes) throws IOException {
    Path file = project.resolve(mutant.file());
    String right = Files.readString(file);
    int at = right.indexOf(mutant.from());
    if (at < 0 || right.indexOf(mutant.from(), at + 1) >= 0) {
      throw new IOException("\"" + mutant.name() + "\": the place does not stand once in " + file);
    }
    Path wrong = classes.resolve(file.getFileName());
    Files.writeString(wrong, right.replace(mutant.from(), mutant.to()));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of(
            "-nowarn",
            "-proc:none",
            "-d",
            classes.toString(),
            "-cp",
            System.getProperty("java.class.path"));
    boolean compiled =
        compiler
            .getTask(
                messages,
                null,
                null,
                options,
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(wrong))
            .call();
    if (!compiled) {
      throw new IOException(
          "\""
              + mutant.name()
              + "\" is no program: "
              + messages.toString().lines().limit(3).toList());
    }
  }

  public static void main(String[] args) throws Exception {
    MutantTrial trial = new MutantTrial(Path.of("").toAbsolutePath(), Path.of(args[0]));
    int killed = 0;
    int all = 0;
    for (Mutant mutant : Mutant.all()) {
      if (args.length > 2 && !mutant.name().contains(args[2])) {
        continue;
      }
      all++;
      String found;
      long begun = System.nanoTime();
      try {
        found = trial.run(mutant, Long.parseLong(args[1]));
      } catch (IOException impossible) {
        found = null;
        System.out.println(impossible.getMessage());
      }
      killed += found == null ? 0 : 1;
      System.out.printf(
          "%s: %s (%d s)%n",
          mutant.name(),
          found == null ? "SURVIVES" : found.lines().findFirst().orElse(""),
          (System.nanoTime() - begun) / 1_000_000_000);
    }
    System.out.println(killed + " of " + all + " killed");
  }
}
