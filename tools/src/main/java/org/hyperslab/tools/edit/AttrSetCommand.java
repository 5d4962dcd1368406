package org.hyperslab.tools.edit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.hyperslab.Attribute;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Memory;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.ObjectAddress;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sets an attribute. */
@Command(
    name = "set",
    header = "creates or replaces an attribute",
    description = {
      "Creates an attribute, or replaces its value.",
      "Several values, and numbers with commas between them, become an array of one dimension."
          + " Text keeps its commas. A new attribute has whole numbers (int64), numbers (float64),"
          + " or text (string), unless --type says otherwise; codes such as 007 and words with"
          + " blanks around them are text. A number that the type would change is refused, except"
          + " that fractions are rounded. An attribute that exists keeps its type, and"
          + " its shape if the number of elements is the same; text of fixed length becomes longer"
          + " if necessary. Words that begin with - follow --, except numbers.",
      "Exit codes: 0 success, 1 failure, 2 wrong use."
    },
    mixinStandardHelpOptions = true)
final class AttrSetCommand implements Callable<Integer> {

  @Mixin private final ConnectorOption connector;

  @Option(
      names = {"-t", "--type"},
      paramLabel = "TYPE",
      converter = TypeWord.class,
      completionCandidates = TypeWord.Candidates.class,
      description = "type of the elements: " + TypeWord.NAMES)
  private Datatype given;

  @Option(
      names = {"-a", "--array"},
      description = "makes an array of one dimension of a single value, too")
  private boolean array;

  @Parameters(index = "0", paramLabel = "FILE[:/path]", description = "the object")
  private String place;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "NAME VALUE",
      parameterConsumer = Words.class,
      description = "the attribute, and its value or values")
  private final List<String> words = new ArrayList<>();

  @Spec private CommandSpec spec;

  /** Takes all words up to the next option; negative numbers are none. */
  static final class Words implements IParameterConsumer {

    private static final Pattern OPTION = Pattern.compile("-(?![\\d.]|(?i)inf|nan).*");

    @Override
    public void consumeParameters(Stack<String> rest, ArgSpec parameter, CommandSpec all) {
      List<String> taken = parameter.getValue();
      taken.add(rest.pop());
      while (!rest.isEmpty() && !OPTION.matcher(rest.peek()).matches()) {
        taken.add(rest.pop());
      }
    }
  }

  /**
   * Creates the command.
   *
   * @param streams where messages go
   */
  AttrSetCommand(Streams streams) {
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    if (words.size() < 2) {
      throw new ParameterException(
          spec.commandLine(), "value: actual=none, expected=at least one, after the NAME");
    }
    ObjectAddress address = ObjectAddress.of(place);
    AttributeWords values = new AttributeWords(words.subList(1, words.size()));
    try (connector;
        H5File file = address.open(connector, OpenOptions.EDIT);
        H5Object object = file.get(address.path())) {
      set(object, words.getFirst(), values);
    }
    return 0;
  }

  private void set(H5Object object, String name, AttributeWords values) {
    Optional<Attribute> old =
        object.hasAttribute(name) ? Optional.of(object.attribute(name)) : Optional.empty();
    Datatype type =
        given != null
            ? given
            : old.map(Attribute::type).map(values::widened).orElseGet(values::ownType);
    Memory flat = values.elements(type);
    Memory elements = flat.shaped(shape(flat, old));
    boolean isShared = old.flatMap(each -> each.info().committedType()).isPresent();
    boolean fits = isShared && Arrays.equals(old.get().shape(), elements.space().dims());
    if (fits && type.equals(old.get().type())) {
      old.get().write(elements); // keeps the committed type
    } else {
      object.setAttribute(name, elements, type);
    }
  }

  private long[] shape(Memory elements, Optional<Attribute> old) {
    long count = elements.space().elementCount();
    boolean keeps = !array && old.isPresent() && old.get().space().elementCount() == count;
    if (keeps) {
      return old.get().shape();
    }
    return count == 1 && !array ? new long[0] : new long[] {count};
  }
}
