package org.hyperslab.testkit.differential;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.differential.ModelObject.ModelDataset;
import org.hyperslab.testkit.differential.ModelObject.ModelGroup;
import org.hyperslab.testkit.differential.ModelObject.ModelType;
import org.hyperslab.testkit.differential.ModelObject.Target;

/**
 * Checks with {@code h5dump} that it prints every object and attribute of a file without an error.
 * Elements are left to the library side, because the tool of 1.10 prints some endlessly.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DumpReader {

  private static final Pattern OBJECT = Pattern.compile("^ *(GROUP|DATASET) \".*\" \\{$");

  private static final String UNLINKED_TYPE = ",\"nowhere\",";

  private final Oracle machine = Oracle.h5dump();
  private final Optional<Oracle> newest = Oracle.newest("h5dump");

  /** Returns the problem with the output for a file, if any. */
  Optional<String> problem(Path file, History.Creation creation, Model model) {
    boolean old = creation.kind() != HistoryKind.NEWER_BOUNDS;
    Optional<Oracle> tool = old ? Optional.of(machine) : newest;
    return tool.flatMap(one -> problem(one, file, creation, model));
  }

  private static Optional<String> problem(
      Oracle tool, Path file, History.Creation creation, Model model) {
    String driver = creation.kind().driver();
    Oracle.Outcome said =
        driver == null
            ? tool.run("-H", file.toString())
            : tool.run("-H", "-f", driver, file.toString());
    long printed = said.output().lines().filter(line -> OBJECT.matcher(line).matches()).count();
    long expected = 1 + links(model.root, new HashSet<>());
    boolean unnamed = model.lines().stream().anyMatch(line -> line.contains(UNLINKED_TYPE));
    if (unnamed) {
      return Optional.empty(); // h5dump fails at types whose link was deleted
    }
    if (said.exitCode() != 0 || !said.errors().isBlank()) {
      return Optional.of("h5dump: exit code " + said.exitCode() + ", " + said.errors());
    }
    return printed == expected
        ? Optional.empty()
        : Optional.of("h5dump prints " + printed + " objects, expected=" + expected);
  }

  /** Returns the number of hard links to groups and datasets at and below a group. */
  private static long links(ModelGroup group, Set<ModelObject> seen) {
    if (!seen.add(group)) {
      return 0;
    }
    long count = 0;
    for (Target target : group.links.values()) {
      if (target instanceof Target.Hard hard) {
        count +=
            switch (hard.node()) {
              case ModelGroup below -> 1 + links(below, seen);
              case ModelDataset _ -> 1;
              case ModelType _ -> 0;
            };
      }
    }
    return count;
  }
}
