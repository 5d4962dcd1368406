package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The object comment message: NUL-terminated text.
 *
 * @param text the comment
 */
public record CommentMessage(String text) implements Message {

  @Override
  public int typeCode() {
    return MessageType.COMMENT.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static CommentMessage decode(MetadataReader reader) {
    return new CommentMessage(reader.nulTerminatedText());
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.nulTerminatedText(text);
  }
}
