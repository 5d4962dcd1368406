package org.hyperslab.netcdf.cdl;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.type.Datatype;

/**
 * What a CDL text declares, before a file is made of it.
 *
 * <p>Thread rule: confined to one thread.
 */
final class CdlDraft {

  private CdlDraft() {}

  /** A group and what is in it. */
  static final class Group {
    final String name;
    final Group parent;
    final List<Type> types = new ArrayList<>();
    final List<Dimension> dimensions = new ArrayList<>();
    final List<Variable> variables = new ArrayList<>();
    final List<Attribute> attributes = new ArrayList<>();
    final List<Group> groups = new ArrayList<>();

    Group(String name, Group parent) {
      this.name = name;
      this.parent = parent;
    }

    String path() {
      return parent == null ? "" : parent.path() + "/" + name;
    }

    Group root() {
      return parent == null ? this : parent.root();
    }

    Optional<Group> group(String member) {
      return groups.stream().filter(each -> each.name.equals(member)).findFirst();
    }
  }

  /**
   * A type.
   *
   * @param name its name
   * @param datatype the datatype
   * @param depth how many types it is nested in itself, 1 for an enumeration
   */
  record Type(String name, Datatype datatype, int depth) {}

  /** A dimension; -1: unlimited. */
  record Dimension(Group group, String name, long length) {
    boolean isUnlimited() {
      return length < 0;
    }
  }

  /**
   * An attribute.
   *
   * @param name its name
   * @param type the declared type; empty: as its values say
   * @param values its values
   * @param line where it is
   */
  record Attribute(String name, Optional<Datatype> type, List<CdlConstant> values, int line) {}

  /** A variable. */
  static final class Variable {
    final Group group;
    final String name;
    final Datatype type;
    final List<Dimension> dimensions;
    final List<Attribute> attributes = new ArrayList<>();
    Optional<List<CdlConstant>> data = Optional.empty();
    int line;

    Variable(Group group, String name, Datatype type, List<Dimension> dimensions) {
      this.group = group;
      this.name = name;
      this.type = type;
      this.dimensions = dimensions;
    }

    String path() {
      return group.path() + "/" + name;
    }

    Optional<Attribute> attribute(String member) {
      return attributes.stream().filter(each -> each.name.equals(member)).findFirst();
    }
  }
}
