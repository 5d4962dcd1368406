package org.hyperslab.format.type;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;

/**
 * Named members of any type at fixed offsets (class 6), like a C struct.
 *
 * @param size the size of an element in bytes, including gaps
 * @param members the members in the order of definition; names are unique, bytes do not overlap
 */
public record CompoundType(int size, List<Member> members) implements Datatype {

  /** The greatest number of members that the message can store. */
  public static final int MEMBER_LIMIT = 0xFFFF;

  /**
   * A member of a compound type.
   *
   * @param name the name, unique in the type
   * @param offset the offset from the start of the element in bytes
   * @param type the type
   */
  public record Member(String name, int offset, Datatype type) {
    /** Requires a name and a type. */
    public Member {
      TypeChecks.present("compound member name", name);
      TypeChecks.present("compound member type", type);
      if (name.indexOf('\0') >= 0) {
        throw new InvalidUseException("compound member name: actual=contains NUL, expected=no NUL");
      }
      NameBytes.requireEncodable(name);
    }

    /** {@return the offset of the first byte after the member} */
    public long endExclusive() {
      return (long) offset + type.size();
    }
  }

  /**
   * Returns all members, each with its offset in bytes where it does not follow the one before it
   * immediately. The size in bytes follows if there is space after the last member. Equal texts are
   * those of equal types.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("compound{");
    long end = 0;
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      text.append(i == 0 ? "" : ", ").append(member.name());
      if (member.offset() != end) {
        text.append('@').append(member.offset());
      }
      text.append(": ").append(member.type());
      end = member.endExclusive();
    }
    return text.append(end == size ? "}" : "}/" + size).toString();
  }

  /** Checks names, bounds and overlaps. */
  public CompoundType {
    TypeChecks.positiveSize("compound", size);
    members = List.copyOf(members);
    if (members.isEmpty() || members.size() > MEMBER_LIMIT) {
      throw new InvalidUseException(
          "compound members: actual=" + members.size() + ", expected=1.." + MEMBER_LIMIT);
    }
    Set<String> names = new HashSet<>();
    for (Member member : members) {
      if (member.offset() < 0 || member.endExclusive() > size) {
        throw new InvalidUseException(
            "compound member \""
                + member.name()
                + "\" bytes: actual="
                + member.offset()
                + ".."
                + member.endExclusive()
                + ", expected=inside 0.."
                + size);
      }
      if (!names.add(member.name())) {
        throw new InvalidUseException(
            "compound member name: actual=\"" + member.name() + "\" twice, expected=unique names");
      }
    }
    rejectOverlap(members);
  }

  private static void rejectOverlap(List<Member> members) {
    long[] spans = new long[members.size()];
    for (int i = 0; i < spans.length; i++) {
      spans[i] = ((long) members.get(i).offset() << 16) | i;
    }
    Arrays.sort(spans);
    for (int i = 1; i < spans.length; i++) {
      Member before = members.get((int) (spans[i - 1] & 0xFFFF));
      Member after = members.get((int) (spans[i] & 0xFFFF));
      if (after.offset() < before.endExclusive()) {
        throw new InvalidUseException(
            "compound members \""
                + before.name()
                + "\" and \""
                + after.name()
                + "\" overlap: actual offset="
                + after.offset()
                + ", expected>="
                + before.endExclusive());
      }
    }
  }

  /** {@return a builder without members} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@return the member of the given name}
   *
   * @param name the member's name
   */
  public Optional<Member> member(String name) {
    for (Member member : members) {
      if (member.name().equals(name)) {
        return Optional.of(member);
      }
    }
    return Optional.empty();
  }

  /** {@return the same members in the same order without gaps} */
  public CompoundType packed() {
    Builder builder = builder();
    members.forEach(member -> builder.member(member.name(), member.type()));
    return builder.build();
  }

  @Override
  public int classNumber() {
    return 6;
  }

  @Override
  public boolean hasOutOfLineParts() {
    for (Member member : members) {
      if (member.type().hasOutOfLineParts()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String describe() {
    return members.stream()
        .limit(16)
        .map(member -> member.name() + ": " + member.type().describe())
        .collect(Collectors.joining(", ", "compound{", members.size() > 16 ? ", …}" : "}"));
  }

  /**
   * Collects members; a member without an offset follows the previous one immediately. Not
   * thread-safe.
   */
  public static final class Builder {

    private final List<Member> members = new ArrayList<>();
    private int end;
    private int size;

    private Builder() {}

    /**
     * Appends a member immediately after the previous one.
     *
     * @param name the member's name
     * @param type the datatype
     * @return this builder
     */
    public Builder member(String name, Datatype type) {
      return member(name, end, type);
    }

    /**
     * Adds a member at an offset in bytes.
     *
     * @param name the member's name
     * @param offset the offset of the first byte
     * @param type the datatype
     * @return this builder
     */
    public Builder member(String name, int offset, Datatype type) {
      Member member = new Member(name, offset, type);
      members.add(member);
      if (member.endExclusive() > Integer.MAX_VALUE) {
        throw new InvalidUseException(
            "compound size: actual=" + member.endExclusive() + ", expected<=2147483647");
      }
      end = (int) member.endExclusive();
      return this;
    }

    /**
     * Sets the size in bytes; the default is the end of the member that ends last.
     *
     * @param sizeBytes the length in bytes
     * @return this builder
     */
    public Builder size(int sizeBytes) {
      size = sizeBytes;
      return this;
    }

    /** {@return the type; fails if names repeat, members overlap or exceed the size} */
    public CompoundType build() {
      int least = 0;
      for (Member member : members) {
        least = Math.max(least, (int) Math.min(Integer.MAX_VALUE, member.endExclusive()));
      }
      return new CompoundType(size == 0 ? least : size, members);
    }
  }
}
