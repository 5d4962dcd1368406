package org.hyperslab.plugins.configured;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.plugins.configured.document.Document;
import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.document.Scalars;
import org.hyperslab.plugins.configured.document.Section;
import org.hyperslab.plugins.configured.rule.FileRule;
import org.hyperslab.vol.ConnectorConfiguration;

/**
 * A configuration file: rules that choose connectors and options by names of files and paths of
 * objects. The guide {@code docs/configuration.md} has all keys.
 *
 * <p>For each option, the first rule that matches and sets it counts. It holds if the program has
 * not chosen, which is if its option has the default value, or if the rule says {@code force}.
 *
 * <p>Thread rule: immutable.
 */
public final class Configuration {

  private static final long VERSION = 1;

  private final List<FileRule> rules;

  private Configuration(List<FileRule> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * Reads a configuration file, YAML or JSON, of at most 1 MiB. On systems with owners of files it
   * must belong to the user of this process or to root, and nobody else may write it.
   *
   * @param file the file
   * @return its rules
   * @throws org.hyperslab.error.NotFoundException if there is none
   * @throws org.hyperslab.error.StorageException if it cannot be read
   * @throws InvalidUseException if it belongs to another user or others may write it, or if
   *     something in it is unknown or impossible, with line and column
   */
  public static Configuration read(Path file) {
    return parse(ConfigurationFile.text(file), file.getFileName().toString());
  }

  /**
   * Reads the text of a configuration file.
   *
   * @param text the text, YAML or JSON
   * @param name the name of the file, for messages
   * @return its rules
   * @throws InvalidUseException if something in it is unknown or impossible, with line and column
   */
  public static Configuration parse(String text, String name) {
    Section section = Section.of(Document.read(text, name));
    DocumentNode version = section.require("version");
    if (Scalars.number(version, 0, Integer.MAX_VALUE) != VERSION) {
      throw version.place().problem("version " + Scalars.text(version) + " is unknown; there is 1");
    }
    List<FileRule> rules = new ArrayList<>();
    for (DocumentNode rule : section.list("files")) {
      rules.add(FileRule.read(rule));
    }
    section.rejectUnknown();
    return new Configuration(rules);
  }

  /** Returns the rules that hold for a file, in their order. */
  List<FileRule> rulesFor(String name) {
    String full = RulePaths.full(name);
    return rules.stream().filter(rule -> rule.holdsFor(full)).toList();
  }

  /**
   * Finds patterns that match nothing, which are often mistakes.
   *
   * @param objects for each file, by its path or URI, the paths of its objects, from the root
   * @return a line with file, line and column for each pattern of files that matches none of them,
   *     and for each pattern of objects that matches none in the files of its rule
   */
  public List<String> unmatched(Map<String, ? extends Collection<String>> objects) {
    Map<String, Collection<String>> full = new LinkedHashMap<>();
    objects.forEach((name, paths) -> full.put(RulePaths.full(name), paths));
    return Unmatched.lines(rules, full);
  }

  /**
   * Explains what would hold for a file that a program creates.
   *
   * @param name the name of the file: a path or a URI
   * @param stack the connectors that the program is configured with
   * @param options the options of the program
   * @return the decisions, each option that the configuration file sets for the file
   */
  public List<Decision> explain(String name, ConnectorConfiguration stack, CreateOptions options) {
    List<FileRule> held = rulesFor(name);
    List<Decision> decisions =
        new ArrayList<>(FileChoices.stack(name, held, stack, false).decisions());
    decisions.addAll(FileChoices.creation(name, held, options).decisions());
    return decisions;
  }

  /**
   * Explains what would hold for a dataset that a program creates.
   *
   * @param name the name of the file: a path or a URI
   * @param path the path of the dataset, from the root
   * @param type the type of its elements
   * @param space its extent
   * @param options the options of the program
   * @return the decisions, each option that the configuration file sets for the dataset
   * @throws InvalidUseException if chunks have another number of dimensions, with line and column
   */
  public List<Decision> explain(
      String name, String path, Datatype type, Dataspace space, DatasetOptions options) {
    return ObjectChoices.dataset(path, rulesFor(name), type, space, options).decisions();
  }
}
