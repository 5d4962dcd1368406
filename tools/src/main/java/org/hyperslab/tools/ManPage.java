package org.hyperslab.tools;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.hyperslab.tools.command.ProductVersion;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the manual page of a command, of what its help says, with the macros of man(7). */
final class ManPage {

  /** No synopsis is longer: man breaks its lines. */
  private static final int SYNOPSIS_COLUMNS = 10_000;

  private final StringBuilder out = new StringBuilder();
  private final CommandSpec spec;

  private ManPage(CommandSpec spec) {
    this.spec = spec;
  }

  /**
   * {@return the page of a command}
   *
   * @param line the command, with its subcommands
   */
  static String of(CommandLine line) {
    ManPage page = new ManPage(line.getCommandSpec());
    page.write(line);
    return page.out.toString();
  }

  private void write(CommandLine line) {
    String name = spec.qualifiedName("-");
    macro("TH", name.toUpperCase(Locale.ROOT), "1", "", new ProductVersion().getVersion()[0]);
    macro("SH", "NAME");
    String header = String.join(" ", spec.usageMessage().header());
    String[] description = spec.usageMessage().description();
    text(name + " - " + (header.isEmpty() ? String.join(" ", description) : header), false);
    macro("SH", "SYNOPSIS");
    synopsis();
    if (!header.isEmpty()) {
      macro("SH", "DESCRIPTION");
      paragraphs(description);
    }
    arguments();
    options();
    commands(line.getSubcommands());
  }

  private void macro(String name, String... arguments) {
    out.append('.').append(name);
    for (String argument : arguments) {
      out.append(" \"").append(escaped(argument, true)).append('"');
    }
    out.append('\n');
  }

  /**
   * Writes a line of text.
   *
   * @param literal whether hyphens are typed as they are, as in options
   */
  private void text(String text, boolean literal) {
    String line = escaped(text, literal);
    boolean isControl = line.startsWith(".") || line.startsWith("'");
    out.append(isControl ? "\\&" : "").append(line).append('\n');
  }

  private static String escaped(String text, boolean literal) {
    StringBuilder escaped = new StringBuilder();
    text.strip()
        .codePoints()
        .forEach(c -> {
          switch (c) {
            case '\\' -> escaped.append("\\(rs");
            case '"' -> escaped.append("\\(dq");
            case '-' -> escaped.append(literal ? "\\-" : "-");
            case '\n', '\r' -> escaped.append(' ');
            default -> {
              if (c < 128) {
                escaped.append((char) c);
              } else {
                escaped.append(String.format("\\[u%04X]", c));
              }
            }
          }
        });
    return escaped.toString();
  }

  private void synopsis() {
    int width = spec.usageMessage().width();
    spec.usageMessage().width(SYNOPSIS_COLUMNS);
    Help help = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
    text(help.synopsis(0), true);
    spec.usageMessage().width(width);
  }

  private void paragraphs(String... paragraphs) {
    for (int i = 0; i < paragraphs.length; i++) {
      if (i > 0) {
        macro("PP");
      }
      text(paragraphs[i].replace("%n", " ").replace("%%", "%"), false);
    }
  }

  private void arguments() {
    List<PositionalParamSpec> shown =
        spec.positionalParameters().stream().filter(each -> !each.hidden()).toList();
    if (!shown.isEmpty()) {
      macro("SH", "ARGUMENTS");
    }
    for (PositionalParamSpec each : shown) {
      macro("TP");
      macro("B", each.paramLabel());
      described(each);
    }
  }

  private void options() {
    List<OptionSpec> shown = spec.options().stream().filter(each -> !each.hidden()).toList();
    if (!shown.isEmpty()) {
      macro("SH", "OPTIONS");
    }
    for (OptionSpec each : shown) {
      macro("TP");
      String value = each.arity().max() == 0 ? "" : "=" + each.paramLabel();
      macro("B", Arrays.stream(each.names()).collect(Collectors.joining(", ")) + value);
      described(each);
    }
  }

  private void described(ArgSpec argument) {
    String text = String.join(" ", argument.description());
    String candidates =
        argument.completionCandidates() == null
            ? ""
            : StreamSupport.stream(argument.completionCandidates().spliterator(), false)
                .collect(Collectors.joining(", "));
    String value = argument.defaultValueString(true);
    text(
        text.replace("${DEFAULT-VALUE}", String.valueOf(value))
            .replace("${COMPLETION-CANDIDATES}", candidates)
            .replace("%%", "%"),
        false);
  }

  private void commands(Map<String, CommandLine> commands) {
    if (!commands.isEmpty()) {
      macro("SH", "COMMANDS");
    }
    commands.forEach((name, line) -> {
      CommandSpec below = line.getCommandSpec();
      if (!below.usageMessage().hidden()) {
        macro("TP");
        macro("B", name);
        String[] header = below.usageMessage().header();
        text(
            String.join(" ", header.length == 0 ? below.usageMessage().description() : header),
            false);
      }
    });
  }
}
