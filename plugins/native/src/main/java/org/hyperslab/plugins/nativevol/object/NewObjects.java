package org.hyperslab.plugins.nativevol.object;

import java.util.List;
import java.util.OptionalLong;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.DatatypeMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.nativevol.dataset.DatasetCreation;
import org.hyperslab.plugins.nativevol.dataset.OpenDatasets;
import org.hyperslab.plugins.nativevol.group.Groups;
import org.hyperslab.plugins.nativevol.header.HeaderStyle;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;
import org.hyperslab.plugins.nativevol.storage.DatasetDescription;
import org.hyperslab.vol.TypeOperation;

/**
 * Creates datasets and committed types. {@link Groups} creates groups.
 *
 * <p>Thread rule: under the file's write lock.
 */
public final class NewObjects {

  private final ObjectHeaders headers;
  private final OpenDatasets datasets;
  private final DatasetCreation creation;

  /** The last dataset whose equals can be made of the same header; null if there is none. */
  private Model model;

  /**
   * A dataset that others equal.
   *
   * @param header what the headers of those are copied from that are created in the same second
   * @param second that second, since 1970-01-01 UTC
   */
  private record Model(
      Properties properties,
      HeaderStyle style,
      List<HeaderMessage> messages,
      DatasetDescription description,
      ObjectHeader.Template header,
      long second) {

    /** Returns whether a dataset is created as this one was: mostly by the same calls. */
    @SuppressWarnings("ReferenceEquality") // values, of which most callers have one instance
    boolean fits(Datatype type, Dataspace space, DatasetOptions options) {
      return properties.type == type
          && properties.options == options
          && properties.space.equals(space);
    }

    /** Returns this model for datasets that are created in another second. */
    Model at(ObjectHeaders headers, long now) {
      ObjectHeader.Template later = style.template(headers, messages, 0, now);
      return new Model(properties, style, messages, description, later, now);
    }
  }

  private record Properties(Datatype type, Dataspace space, DatasetOptions options) {}

  NewObjects(ObjectHeaders headers, OpenDatasets datasets) {
    this.headers = headers;
    this.datasets = datasets;
    this.creation = new DatasetCreation(datasets.context());
  }

  /**
   * Creates a dataset without references.
   *
   * @param type the datatype
   * @param committedType the address of the committed type's header, if the type is one
   * @param space the extent
   * @param options the creation options
   * @return the address of the dataset's header
   */
  public long dataset(
      Datatype type, OptionalLong committedType, Dataspace space, DatasetOptions options) {
    long address =
        committedType.isEmpty()
            ? likeModel(type, space, options)
            : dataset(
                creation.messages(type, committedType, space, options), committedType, options);
    if (DatasetCreation.allocatesEarly(options)) {
      datasets.at(address).allocate();
    }
    return address;
  }

  /**
   * Creates a dataset that is to hold the chunks of another one as they are stored; nothing is
   * allocated.
   *
   * @param original the other dataset
   * @param committedType the address of the committed type's header, if the type is one
   * @param options the creation options
   * @return the address of the dataset's header
   */
  public long copyOf(
      DatasetDescription original, OptionalLong committedType, DatasetOptions options) {
    return dataset(
        creation.messagesOfCopy(original, committedType, options), committedType, options);
  }

  /**
   * Creates a dataset of the messages of an equal one. Programs make many small datasets that
   * differ in their names only; those that are contiguous have no messages that refer to their own
   * space.
   */
  private long likeModel(Datatype type, Dataspace space, DatasetOptions options) {
    Model known = model;
    if (known == null || !known.fits(type, space, options)) {
      return first(type, space, options);
    }
    long now = HeaderStyle.now();
    if (known.second != now) {
      known = known.at(headers, now);
      model = known;
    }
    long address = known.header.create(headers.space()).address();
    datasets.at(address).header().created(known.description.at(address));
    return address;
  }

  /**
   * Creates a dataset unlike the last one, and makes it the model if others can be made like it.
   */
  private long first(Datatype type, Dataspace space, DatasetOptions options) {
    HeaderStyle style = style(options).in(headers);
    List<NewMessage> messages = creation.messages(type, OptionalLong.empty(), space, options);
    List<HeaderMessage> encoded = style.encode(headers, messages);
    long now = HeaderStyle.now();
    ObjectHeader.Template template = style.template(headers, encoded, 0, now);
    ObjectHeader header = template.create(headers.space());
    model =
        isModel(messages, options)
            ? new Model(
                new Properties(type, space, options),
                style,
                encoded,
                DatasetDescription.of(header, headers),
                template,
                now)
            : null;
    return header.address();
  }

  /** Returns whether messages are the same for every dataset that is created with these options. */
  private static boolean isModel(List<NewMessage> messages, DatasetOptions options) {
    if (options.fill() instanceof FillValue.Value // whose memory the user may change
        || options.layout() instanceof Layout.External) {
      return false;
    }
    for (NewMessage each : messages) {
      if (each.message() instanceof DataLayoutMessage layout) {
        return layout.layout() instanceof DataLayoutMessage.Contiguous;
      }
    }
    return false;
  }

  private HeaderStyle style(DatasetOptions options) {
    return new HeaderStyle(headers.low(), options.attributes(), options.trackTimes(), true);
  }

  private long dataset(
      List<NewMessage> messages, OptionalLong committedType, DatasetOptions options) {
    ObjectHeader header = style(options).create(headers, messages, 0);
    if (committedType.isPresent()) {
      headers.link(committedType.getAsLong());
    }
    return header.address();
  }

  /**
   * Commits a datatype, without references.
   *
   * @param spec the datatype and how it is kept
   * @return the address of the type's header
   */
  public long committedType(TypeOperation.Spec spec) {
    HeaderStyle style = new HeaderStyle(headers.low(), spec.attributes(), spec.trackTimes(), false);
    Datatype fileType = committedForm(spec.datatype());
    NewMessage message =
        new NewMessage(
            DatatypeMessage.of(fileType, headers.low()),
            HeaderMessage.CONSTANT | HeaderMessage.DO_NOT_SHARE,
            0);
    return style.create(headers, List.of(message), 0).address();
  }

  /**
   * {@return the form in which a type is committed in this file}
   *
   * @param type the datatype
   */
  public Datatype committedForm(Datatype type) {
    return headers
        .settings()
        .bounds()
        .written(type)
        .forFile(headers.file().geometry().sizeOfOffsets());
  }

  /**
   * {@return the datatype at an address}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public Datatype committedTypeAt(long address) {
    return type(headers.open(address, ObjectKind.COMMITTED_TYPE));
  }

  private Datatype type(ObjectHeader header) {
    return header.find(MessageType.DATATYPE, DatatypeMessage.class, headers).orElseThrow().type();
  }

  /**
   * {@return the datatype at an address and how it is kept}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public TypeOperation.Spec committedSpecAt(long address) {
    ObjectHeader header = headers.open(address, ObjectKind.COMMITTED_TYPE);
    return new TypeOperation.Spec(
        type(header), header.times().isPresent(), HeaderStyle.attributes(header));
  }
}
