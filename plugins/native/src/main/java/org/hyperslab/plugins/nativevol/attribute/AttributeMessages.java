package org.hyperslab.plugins.nativevol.attribute;

import java.util.OptionalLong;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.header.DataspaceMessage;
import org.hyperslab.format.header.DatatypeMessage;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.SharedMessage;
import org.hyperslab.format.header.SharedPointer;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Makes the messages of new attributes, with all elements zero, in the form that the file's version
 * bounds call for.
 *
 * <p>Thread rule: stateless.
 */
final class AttributeMessages {

  private final ObjectHeaders headers;

  AttributeMessages(ObjectHeaders headers) {
    this.headers = headers;
  }

  /** Returns the message of an attribute with all elements zero. */
  AttributeMessage of(Attributes.Spec spec) {
    Datatype written =
        spec.committedType().isPresent()
            ? spec.type()
            : headers.settings().bounds().written(spec.type());
    Datatype fileType = written.forFile(headers.file().geometry().sizeOfOffsets());
    long bytes = Math.multiplyExact(spec.space().elementCount(), (long) fileType.size());
    if (bytes > Integer.MAX_VALUE - 64) {
      throw new InvalidUseException(
          "attribute: actual=" + bytes + " bytes, expected=below 2 GiB, at=" + spec.name());
    }
    AttributeMessage message =
        AttributeMessage.of(
            spec.name(),
            typeMessage(fileType, spec.committedType()),
            DataspaceMessage.of(spec.space(), headers.low()),
            Bytes.of(new byte[(int) bytes]),
            headers.low());
    if (spec.charset() == CharacterSet.UTF8 && message.encoding() == TextEncoding.ASCII) {
      message =
          new AttributeMessage(
              3,
              TextEncoding.UTF_8,
              message.name(),
              message.typeMessage(),
              message.spaceMessage(),
              message.data());
    }
    return message;
  }

  private Message typeMessage(Datatype fileType, OptionalLong committedType) {
    if (committedType.isEmpty()) {
      return DatatypeMessage.of(fileType, headers.low());
    }
    return new SharedMessage(
        MessageType.DATATYPE.code(),
        new SharedPointer.InHeader(
            headers.low().objectHeader() == 2 ? 3 : 2, committedType.getAsLong()));
  }
}
