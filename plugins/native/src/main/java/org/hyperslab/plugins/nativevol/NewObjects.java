package org.hyperslab.plugins.nativevol;

import java.util.List;
import java.util.OptionalLong;
import org.hyperslab.format.header.DatatypeMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.vol.TypeOperation;

/**
 * Creates datasets and committed types. {@link Groups} creates groups.
 *
 * <p>Thread rule: under the file's write lock.
 */
final class NewObjects {

  private final FileObjects objects;
  private final DatasetCreation datasets;

  NewObjects(FileObjects objects) {
    this.objects = objects;
    this.datasets = new DatasetCreation(objects.datasets());
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
        dataset(datasets.messages(type, committedType, space, options), committedType, options);
    if (DatasetCreation.allocatesEarly(options)) {
      objects.dataset(address).allocate();
    }
    return address;
  }

  /**
   * Creates a dataset that is to hold the chunks of another one as they are stored; nothing is
   * allocated.
   */
  long copyOf(DatasetDescription original, OptionalLong committedType, DatasetOptions options) {
    return dataset(
        datasets.messagesOfCopy(original, committedType, options), committedType, options);
  }

  private long dataset(
      List<NewMessage> messages, OptionalLong committedType, DatasetOptions options) {
    HeaderStyle style =
        new HeaderStyle(objects.low(), options.attributes(), options.trackTimes(), true);
    ObjectHeader header = style.create(objects, messages, 0);
    if (committedType.isPresent()) {
      objects.addReference(objects.header(committedType.getAsLong()));
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
    HeaderStyle style = new HeaderStyle(objects.low(), spec.attributes(), spec.trackTimes(), false);
    Datatype fileType = committedForm(spec.datatype());
    NewMessage message =
        new NewMessage(
            DatatypeMessage.of(fileType, objects.low()),
            HeaderMessage.CONSTANT | HeaderMessage.DO_NOT_SHARE,
            0);
    return style.create(objects, List.of(message), 0).address();
  }

  /** Returns the form in which a type is committed in this file. */
  Datatype committedForm(Datatype type) {
    return objects.settings().bounds().written(type).forFile(objects.file().geometry());
  }

  /**
   * {@return the datatype at an address}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public Datatype committedTypeAt(long address) {
    return type(objects.header(address, ObjectKind.COMMITTED_TYPE));
  }

  private Datatype type(ObjectHeader header) {
    return header.find(MessageType.DATATYPE, DatatypeMessage.class, objects).orElseThrow().type();
  }

  /**
   * {@return the datatype at an address and how it is kept}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public TypeOperation.Spec committedSpecAt(long address) {
    ObjectHeader header = objects.header(address, ObjectKind.COMMITTED_TYPE);
    return new TypeOperation.Spec(
        type(header), header.times().isPresent(), HeaderStyle.attributes(header));
  }
}
