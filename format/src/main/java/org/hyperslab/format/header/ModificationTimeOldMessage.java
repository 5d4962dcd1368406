package org.hyperslab.format.header;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The modification time message of releases before 1.6: fourteen ASCII digits YYYYMMDDhhmmss in
 * UTC, then two reserved bytes.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.o; reference {@code H5Omtime.c}.
 *
 * @param year the year, of four digits
 * @param month the month, 1 to 12
 * @param day the day of the month, 1 to 31
 * @param secondOfDay the second of the day, 0 to 86,400
 */
public record ModificationTimeOldMessage(int year, int month, int day, int secondOfDay)
    implements Message {

  @Override
  public int typeCode() {
    return MessageType.MODIFICATION_TIME_OLD.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static ModificationTimeOldMessage decode(MetadataReader reader) {
    int year = digits(reader, 4);
    int month = digits(reader, 2);
    int day = digits(reader, 2);
    int second = digits(reader, 2) * 3600 + digits(reader, 2) * 60 + digits(reader, 2);
    reader.skip(2);
    return new ModificationTimeOldMessage(year, month, day, second);
  }

  private static int digits(MetadataReader reader, int count) {
    int value = 0;
    for (int i = 0; i < count; i++) {
      int digit = reader.u8() - '0';
      if (digit < 0 || digit > 9) {
        throw reader.corrupt("character code actual=" + (digit + '0') + ", expected=a digit");
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /** {@return the time in seconds since 1970-01-01T00:00Z; 0 if the digits are not a date} */
  public long epochSecond() {
    try {
      return LocalDateTime.of(year, month, day, 0, 0)
          .plusSeconds(secondOfDay)
          .toEpochSecond(ZoneOffset.UTC);
    } catch (DateTimeException notADate) {
      return 0;
    }
  }

  @Override
  public void encode(MetadataWriter writer) {
    int hour = secondOfDay / 3600;
    put(writer, year, 4);
    put(writer, month, 2);
    put(writer, day, 2);
    put(writer, hour, 2);
    put(writer, secondOfDay / 60 % 60, 2);
    put(writer, secondOfDay % 60, 2);
    writer.zeros(2);
  }

  private static void put(MetadataWriter writer, int value, int count) {
    int power = 1;
    for (int i = 1; i < count; i++) {
      power *= 10;
    }
    for (; power > 0; power /= 10) {
      writer.u8('0' + value / power % 10);
    }
  }
}
