package org.hyperslab.plugins.configured;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.rule.FileRule;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.Connectors;

/**
 * Decides what holds for a file: its connectors, and the options with which it is opened or
 * created.
 *
 * <p>Thread rule: no state.
 */
final class FileChoices {

  private static final String PARALLEL = "mpiio";

  private FileChoices() {}

  /** Decides the options with which a file is opened. */
  static Applied<OpenOptions> opening(String name, List<FileRule> rules, OpenOptions program) {
    Choices choices = new Choices(name);
    return new Applied<>(opened(choices, rules, program), choices.decisions());
  }

  /** Decides the options with which a file is created. */
  static Applied<CreateOptions> creation(String name, List<FileRule> rules, CreateOptions program) {
    Choices choices = new Choices(name);
    CreateOptions.Builder builder = program.toBuilder();
    builder.access(opened(choices, rules, program.access()));
    for (FileRule rule : rules) {
      choices.apply(rule.creation(), rule.force(), program, builder);
    }
    return new Applied<>(builder.build(), choices.decisions());
  }

  private static OpenOptions opened(Choices choices, List<FileRule> rules, OpenOptions program) {
    OpenOptions.Builder builder = program.toBuilder();
    for (FileRule rule : rules) {
      choices.apply(rule.opening(), rule.force(), program, builder);
    }
    try {
      return builder.build();
    } catch (InvalidUseException e) {
      throw new InvalidUseException(e.getMessage() + "; decided: " + choices.decisions(), e);
    }
  }

  /**
   * Decides the connectors of a file.
   *
   * @param program the stack that is configured below
   * @param isChosen whether the program has chosen that stack
   */
  static Applied<ConnectorConfiguration> stack(
      String name, List<FileRule> rules, ConnectorConfiguration program, boolean isChosen) {
    Choices choices = new Choices(name);
    ConnectorConfiguration stack = program;
    for (FileRule rule : rules) {
      Optional<FileRule.StackSetting> set = rule.connector();
      if (set.isPresent()
          && choices.holds(
              "connector",
              set.get().stack().toString(),
              set.get().place(),
              rule.force(),
              isChosen)) {
        stack = onRanks(set.get().stack(), program);
      }
    }
    return new Applied<>(hinted(choices, rules, stack), choices.decisions());
  }

  /**
   * Returns a stack that a rule chooses, for a file that ranks share: their connector stays the
   * lowest, because with {@code native} each rank would write the file alone.
   */
  private static ConnectorConfiguration onRanks(
      ConnectorConfiguration chosen, ConnectorConfiguration program) {
    Optional<ConnectorConfiguration> parallel = program.find(PARALLEL);
    return parallel.isPresent() && chosen.lowest().name().equals(Connectors.FALLBACK)
        ? chosen.withLowest(parallel.get())
        : chosen;
  }

  private static ConnectorConfiguration hinted(
      Choices choices, List<FileRule> rules, ConnectorConfiguration stack) {
    ConnectorConfiguration result = stack;
    for (FileRule rule : rules) {
      for (Map.Entry<String, DocumentNode.Scalar> hint : rule.hints().entrySet()) {
        result = hinted(choices, rule, hint.getKey(), hint.getValue(), result);
      }
    }
    return result;
  }

  private static ConnectorConfiguration hinted(
      Choices choices,
      FileRule rule,
      String key,
      DocumentNode.Scalar value,
      ConnectorConfiguration stack) {
    Optional<ConnectorConfiguration> parallel = stack.find(PARALLEL);
    String shown = "hints." + key;
    if (parallel.isEmpty()) {
      choices.inapplicable(shown, "no " + PARALLEL + " in \"" + stack + "\"", value.place());
      return stack;
    }
    boolean isChosen = parallel.get().options().containsKey(key);
    return choices.holds(shown, value.text(), value.place(), rule.force(), isChosen)
        ? with(stack, key, value.text())
        : stack;
  }

  private static ConnectorConfiguration with(
      ConnectorConfiguration stack, String key, String value) {
    if (!stack.name().equals(PARALLEL)) {
      return new ConnectorConfiguration(
          stack.name(), stack.options(), stack.below().map(below -> with(below, key, value)));
    }
    Map<String, String> options = new LinkedHashMap<>(stack.options());
    options.put(key, value);
    return new ConnectorConfiguration(stack.name(), options, stack.below());
  }
}
