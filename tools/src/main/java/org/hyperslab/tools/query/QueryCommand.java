package org.hyperslab.tools.query;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.format.space.Selection;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.model.Condition;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.ObjectAddress;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Finds the elements of a dataset that meet a condition, or summarizes its values. */
@Command(
    name = "query",
    header = "finds elements by their values",
    description = {
      "Prints the indices of the elements that meet a condition, such as"
          + " \"temperature > 300 and pressure < 2e5\"; the elements of a dataset without"
          + " compounds are called value. Without a condition: the minimum, maximum, mean and sum of"
          + " the values.",
      "Blocks of which statistics in the file tell the answer are not read; docs/statistics.md has"
          + " more.",
      "Exit codes: 0 success, 1 failure, 2 wrong use."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class QueryCommand implements Callable<Integer> {

  /** What is printed of the elements. */
  static final class Shown {
    @Option(names = "--count", description = "prints only how many elements meet the condition")
    private boolean count;

    @Option(names = "--values", description = "prints the elements, too")
    private boolean values;
  }

  /** The form of what is printed. */
  enum Form {
    /** One element a line. */
    TEXT,
    /** Columns with a head. */
    CSV,
    /** One document of JSON. */
    JSON
  }

  private final Streams streams;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE:/path", description = "the dataset")
  private String place;

  @Parameters(index = "1", arity = "0..1", paramLabel = "CONDITION", description = "the condition")
  private String condition;

  @ArgGroup private Shown shown;

  @Option(
      names = "--format",
      paramLabel = "FORM",
      defaultValue = "TEXT",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Form form;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "9223372036854775807",
      description = "prints at most so many elements")
  private long limit;

  @Option(
      names = "--field",
      paramLabel = "NAME",
      defaultValue = "value",
      description =
          "without a condition: the member of compound elements whose values are summarized")
  private String field;

  @Mixin private final ConnectorOption connector;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public QueryCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    if (limit < 0) {
      throw new ParameterException(spec.commandLine(), "--limit: actual=" + limit + ", expected=0");
    }
    if (condition == null && shown != null) {
      throw new ParameterException(
          spec.commandLine(), "--count and --values need a condition, such as \"value > 3\"");
    }
    ObjectAddress address = ObjectAddress.of(place);
    try (connector;
        H5File file = address.open(connector, OpenOptions.READ);
        Dataset dataset = file.dataset(address.path())) {
      if (condition == null) {
        summarize(file, dataset);
      } else {
        find(file, dataset, Condition.parse(condition));
      }
    }
    return 0;
  }

  private void find(H5File file, Dataset dataset, Condition asked) {
    boolean counts = shown != null && shown.count;
    long count;
    Selection found = Selection.none();
    if (counts) {
      count = dataset.count(asked);
    } else {
      found = dataset.where(asked);
      count = found.elementCount(dataset.shape());
    }
    boolean values = shown != null && shown.values;
    if (form == Form.JSON) {
      JsonOutput out = new JsonOutput(streams.out());
      out.open('{')
          .member("file", file.name())
          .member("path", dataset.path())
          .member("condition", asked.toString())
          .member("count", count);
      if (!counts) {
        new FoundElements(file, dataset, found, limit).json(out, values);
      }
      out.close('}').end();
    } else if (counts) {
      streams.out().println(count);
    } else {
      new FoundElements(file, dataset, found, limit).lines(streams.out(), values, form == Form.CSV);
    }
  }

  private void summarize(H5File file, Dataset dataset) {
    String name = field.equals("value") ? "value" : field;
    Condition.Field of = new Condition.Field(List.of(name.split("\\.")));
    ValueSummary summary = dataset.summary(of);
    switch (form) {
      case JSON -> {
        JsonOutput out = new JsonOutput(streams.out()).withExactNumbers();
        out.open('{')
            .member("file", file.name())
            .member("path", dataset.path())
            .member("field", of.toString())
            .member("count", summary.count())
            .member("fill_count", summary.fillCount())
            .member("nan_count", summary.nanCount());
        summary.minimum().ifPresent(number -> out.name("minimum").number(number));
        summary.maximum().ifPresent(number -> out.name("maximum").number(number));
        summary.mean().ifPresent(number -> out.name("mean").number(number));
        out.name("sum").number(summary.sum());
        out.member("elements_read", summary.elementsRead()).close('}').end();
      }
      case TEXT -> each(summary, (key, value) -> streams.out().println(key + " " + value));
      case CSV -> {
        StringBuilder head = new StringBuilder();
        StringBuilder line = new StringBuilder();
        each(
            summary,
            (key, value) -> {
              head.append(head.isEmpty() ? "" : ",").append(key.replace(' ', '_'));
              line.append(line.isEmpty() ? "" : ",").append(value);
            });
        streams.out().println(head);
        streams.out().println(line);
      }
    }
  }

  private static void each(ValueSummary summary, BiConsumer<String, String> use) {
    use.accept("count", Long.toString(summary.count()));
    use.accept("fill count", Long.toString(summary.fillCount()));
    use.accept("nan count", Long.toString(summary.nanCount()));
    use.accept("minimum", summary.minimum().map(Object::toString).orElse(""));
    use.accept("maximum", summary.maximum().map(Object::toString).orElse(""));
    use.accept(
        "mean", summary.mean().isPresent() ? Double.toString(summary.mean().getAsDouble()) : "");
    use.accept("sum", summary.sum().toString());
    use.accept("elements read", Long.toString(summary.elementsRead()));
  }
}
