package org.hyperslab.netcdf.cdl;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.format.type.Datatype;
import org.jspecify.annotations.Nullable;

/**
 * What a CDL text declares, before a file is made of it.
 *
 * <p>Thread rule: confined to one thread.
 */
final class CdlDraft {

  private CdlDraft() {}

  /** A group and what is in it, by name, in the order of the text. */
  static final class Group {
    final String name;
    final @Nullable Group parent;
    final int line;
    final Map<String, Type> types = new LinkedHashMap<>();
    final Map<String, Dimension> dimensions = new LinkedHashMap<>();
    final Map<String, Variable> variables = new LinkedHashMap<>();
    final Map<String, Attribute> attributes = new LinkedHashMap<>();
    final Map<String, Group> groups = new LinkedHashMap<>();

    Group(String name, @Nullable Group parent, int line) {
      this.line = line;
      this.name = name;
      this.parent = parent;
    }

    String path() {
      return parent == null ? "" : parent.path() + "/" + name;
    }

    Group root() {
      return parent == null ? this : parent.root();
    }
  }

  /**
   * A user-defined type of a group.
   *
   * @param name its name
   * @param datatype the datatype
   * @param depth how many types it is nested in itself, 1 for an enumeration
   * @param parts how many fields and sequences it consists of, those of its fields included
   * @param line where it is
   */
  record Type(String name, Datatype datatype, int depth, long parts, int line) {}

  /**
   * A dimension that a group defines.
   *
   * @param group the group that defines it
   * @param name its name
   * @param length its length; -1: unlimited
   * @param line where it is
   */
  record Dimension(Group group, String name, long length, int line) {
    boolean isUnlimited() {
      return length < 0;
    }
  }

  /**
   * An attribute of a group or of a variable.
   *
   * @param name its name
   * @param type the declared type; empty: as its values say
   * @param values its values
   * @param line where it is
   */
  record Attribute(String name, Optional<Datatype> type, List<CdlConstant> values, int line) {}

  /** A variable; {@code line} is where it is declared, {@code dataLine} where its values are. */
  static final class Variable {
    final Group group;
    final String name;
    final Datatype type;
    final List<Dimension> dimensions;
    final Map<String, Attribute> attributes = new LinkedHashMap<>();
    Optional<List<CdlConstant>> data = Optional.empty();
    final int line;
    int dataLine;

    Variable(Group group, String name, Datatype type, List<Dimension> dimensions, int line) {
      this.group = group;
      this.name = name;
      this.type = type;
      this.dimensions = dimensions;
      this.line = line;
    }

    String path() {
      return group.path() + "/" + name;
    }

    Optional<Attribute> attribute(String member) {
      return Optional.ofNullable(attributes.get(member));
    }
  }
}
