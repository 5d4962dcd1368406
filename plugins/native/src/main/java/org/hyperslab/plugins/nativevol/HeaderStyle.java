package org.hyperslab.plugins.nativevol;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
record HeaderStyle(
    LibraryVersion low, AttributeStorage attributes, boolean trackTimes, boolean timeMessage) {

  /** Creates the header of a new object with a reference count of 0. */
  ObjectHeader create(FileObjects objects, List<NewMessage> own, int reserveBytes) {
    boolean shared = objects.sharedMessages().sharesAttributes();
    return shared && !attributes.creationOrderTracked()
        ? tracking().make(objects, own, reserveBytes)
        : make(objects, own, reserveBytes);
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

  private ObjectHeader make(FileObjects objects, List<NewMessage> own, int reserveBytes) {
    int version = version();
    List<NewMessage> messages = new ArrayList<>(own);
    long now = Instant.now().getEpochSecond();
    if (version == 1 && trackTimes && timeMessage) {
      messages.add(NewMessage.of(new ModificationTimeMessage(now)));
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
    return ObjectHeader.create(objects.space(), options, messages);
  }

  /** {@return how the object of a header keeps its attributes} */
  static AttributeStorage attributes(ObjectHeader header) {
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
