package org.hyperslab.tools.edit;

import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.hyperslab.Attribute;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.interchange.json.ObjectJson;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.ObjectAddress;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.listing.ElementListing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the elements of an attribute, or the names of all attributes of an object. */
@Command(
    name = "get",
    header = "prints the elements of an attribute, or the names of all",
    description = {
      "Prints the elements of an attribute, one on each line, in row-major order: numbers with"
          + " all their digits, text as it is, other elements as ls -d does. Without NAME, prints"
          + " the names of all attributes.",
      "Exit codes: 0 success, 1 failure, 2 wrong use."
    },
    mixinStandardHelpOptions = true)
final class AttrGetCommand implements Callable<Integer> {

  private final Streams streams;

  @Mixin private final ConnectorOption connector;

  @Parameters(index = "0", paramLabel = "FILE[:/path]", description = "the object")
  private String place;

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "the attribute")
  private String name;

  @Option(
      names = "--json",
      description =
          "prints attributes, or the one named, with shapes, types and values as a document of"
              + " JSON; docs/commands.md has its layout")
  private boolean json;

  AttrGetCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    ObjectAddress address = ObjectAddress.of(place);
    try (connector;
        H5File file = address.open(connector, OpenOptions.READ);
        H5Object object = file.get(address.path())) {
      if (json) {
        writeJson(file, object);
      } else if (name == null) {
        object.attributes().forEach(each -> streams.out().println(each.name()));
      } else {
        print(file, object.attribute(name));
      }
    }
    return 0;
  }

  private void writeJson(H5File file, H5Object object) {
    Stream<Attribute> shown =
        name == null ? object.attributes() : Stream.of(object.attribute(name));
    // Complete before it is printed, so that a failure leaves no part of a document.
    JsonOutput list = new JsonOutput(Integer.MAX_VALUE).withExactNumbers().open('[');
    ObjectJson json = ObjectJson.withValues(list, file);
    shown.forEach(json::attribute);
    JsonOutput out = new JsonOutput(streams.out());
    out.open('{').member("file", file.name()).member("path", object.path());
    out.name("attributes").value(list.close(']')).close('}').end();
  }

  private void print(H5File file, Attribute attribute) {
    Datatype type = attribute.type().inMemory();
    int count = Math.toIntExact(attribute.space().elementCount());
    if (count == 0) {
      return;
    }
    DataBuffer data = DataBuffer.allocate(type, count);
    attribute.read(type, data);
    ElementCodec codec = ElementCodec.of(type);
    ElementListing listing = ElementListing.ofValues(file, streams);
    for (long i = 0; i < count; i++) {
      Object value = codec.decode(data.elements(), i * type.size(), data.heap());
      boolean isPlain = value instanceof String || value instanceof Number;
      streams.out().println(isPlain ? value : listing.element(type, data, i));
    }
  }
}
