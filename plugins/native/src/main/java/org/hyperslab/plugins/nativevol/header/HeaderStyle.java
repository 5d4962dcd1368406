package org.hyperslab.plugins.nativevol.header;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.HeaderOptions;
import org.hyperslab.format.header.LibraryVersion;
import org.hyperslab.format.header.ModificationTimeMessage;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.header.ObjectTimes;
import org.hyperslab.format.header.PhaseChange;
import org.hyperslab.model.AttributeStorage;

/**
 * The style of the header of a new object: its version, and what it records besides the object's
 * own messages.
 *
 * @param low the generation of added structures
 * @param attributes how attributes are stored
 * @param trackTimes whether modification times are recorded
 * @param timeMessage whether a version 1 header records the time in a message, as for datasets
 */
public record HeaderStyle(
    LibraryVersion low, AttributeStorage attributes, boolean trackTimes, boolean timeMessage) {

  /**
   * Creates the header of a new object with a reference count of 0.
   *
   * @param headers the headers of the file
   * @param own the messages of the object's own
   * @param reserveBytes the room to reserve in the header, in bytes
   * @return the header
   */
  public ObjectHeader create(ObjectHeaders headers, List<NewMessage> own, int reserveBytes) {
    HeaderStyle style = in(headers);
    return style
        .template(headers, style.encode(headers, own), reserveBytes, now())
        .create(headers.space());
  }

  /**
   * {@return the style of headers in a file, to {@link #encode} them}
   *
   * @param headers the headers of the file
   */
  public HeaderStyle in(ObjectHeaders headers) {
    boolean shared = headers.shared().sharesAttributes();
    return shared && !attributes.creationOrderTracked() ? tracking() : this;
  }

  /**
   * Encodes the messages of an object's own, for any number of headers of this style.
   *
   * @param headers the headers of the file
   * @param own the messages of the object's own
   * @return the encoded messages
   */
  public List<HeaderMessage> encode(ObjectHeaders headers, List<NewMessage> own) {
    return ObjectHeader.encode(headers.space(), version(), own);
  }

  /**
   * Returns this style with tracking of attribute creation order. Where attributes are shared, the
   * HDF5 library tracks their order on every object.
   */
  private HeaderStyle tracking() {
    AttributeStorage tracked =
        new AttributeStorage(true, false, attributes.maxCompact(), attributes.minDense());
    return new HeaderStyle(low, tracked, trackTimes, timeMessage);
  }

  /**
   * {@return the template of new headers of encoded messages, with a reference count of 0}
   *
   * @param headers the headers of the file
   * @param own the messages of the object's own
   * @param reserveBytes the room to reserve in the header, in bytes
   * @param now the time that they record, in seconds since 1970-01-01 UTC
   */
  public ObjectHeader.Template template(
      ObjectHeaders headers, List<HeaderMessage> own, int reserveBytes, long now) {
    int version = version();
    List<HeaderMessage> messages = own;
    if (version == 1 && trackTimes && timeMessage) {
      messages = new ArrayList<>(own);
      NewMessage time = NewMessage.of(new ModificationTimeMessage(now));
      messages.addAll(encode(headers, List.of(time)));
    }
    HeaderOptions options =
        version == 1
            ? HeaderOptions.version(1).reserving(reserveBytes)
            : new HeaderOptions(
                2,
                trackTimes ? Optional.of(ObjectTimes.at(now)) : Optional.empty(),
                attributes.creationOrderTracked(),
                attributes.creationOrderIndexed(),
                phaseChange(),
                reserveBytes);
    return ObjectHeader.Template.of(headers.space(), options, messages);
  }

  /** {@return the time that headers record, in seconds since 1970-01-01 UTC} */
  public static long now() {
    return Math.floorDiv(System.currentTimeMillis(), 1000L); // Instant.now() makes a slower call
  }

  /**
   * {@return how the object of a header keeps its attributes}
   *
   * @param header the object's header
   */
  public static AttributeStorage attributes(ObjectHeader header) {
    PhaseChange change = header.attributePhaseChange();
    return new AttributeStorage(
        header.tracksAttributeOrder(),
        header.indexesAttributeOrder(),
        change.maximumCompact(),
        change.minimumDense());
  }

  private int version() {
    boolean plain = attributes.equals(AttributeStorage.DEFAULT);
    return plain ? low.objectHeader() : 2;
  }

  private Optional<PhaseChange> phaseChange() {
    PhaseChange change = new PhaseChange(attributes.maxCompact(), attributes.minDense());
    return change.equals(PhaseChange.DEFAULT) ? Optional.empty() : Optional.of(change);
  }
}
