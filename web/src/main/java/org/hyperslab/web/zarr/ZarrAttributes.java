package org.hyperslab.web.zarr;

import java.util.List;
import java.util.Optional;
import org.hyperslab.Attribute;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Memory;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.interchange.json.ElementJson;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.scales.ScaleConventions;

/**
 * Writes attributes as Zarr has them, in the form in which xarray reads those of netCDF: one
 * element is no array, and none is an empty text or array. The attributes by which dimensions are
 * stored are left out, as netCDF leaves them out, and references, which have no meaning in Zarr.
 *
 * @param file the file, in which references within values are resolved
 */
record ZarrAttributes(H5File file) {

  /** The attribute with the names of an array's dimensions. */
  private static final String DIMENSIONS = "_ARRAY_DIMENSIONS";

  /** {@return the attributes of a group} */
  JsonOutput ofGroup(H5Object group) {
    JsonOutput out = ZarrView.output().open('{');
    group.attributes().filter(ZarrAttributes::isShown).forEach(each -> write(each, out));
    return out.close('}');
  }

  /**
   * {@return the attributes of an array}
   *
   * @param array the array
   * @param dimensions the names of its dimensions, slowest first
   */
  JsonOutput ofArray(ZarrArray array, List<String> dimensions) {
    Optional<String> stated = array.fill().map(_ -> FillAttribute.NAME);
    JsonOutput out = ZarrView.output().open('{');
    array
        .dataset()
        .attributes()
        .filter(ZarrAttributes::isShown)
        .filter(each -> !stated.equals(Optional.of(each.name())))
        .forEach(each -> write(each, out));
    out.name(DIMENSIONS).open('[');
    dimensions.forEach(out::value);
    return out.close(']').close('}');
  }

  private static boolean isShown(Attribute attribute) {
    return !ScaleConventions.isOwn(attribute.name(), attribute.type())
        && !attribute.name().equals(DIMENSIONS)
        && !(attribute.type() instanceof ReferenceType);
  }

  private void write(Attribute attribute, JsonOutput out) {
    out.name(attribute.name());
    if (attribute.space().kind() == Dataspace.Kind.NULL) {
      boolean isText =
          attribute.type() instanceof StringType || attribute.type() instanceof VlenStringType;
      if (isText) {
        out.value("");
      } else {
        out.open('[').close(']');
      }
      return;
    }
    boolean isOne = attribute.space().elementCount() == 1;
    long[] shape = isOne ? new long[0] : attribute.shape();
    Memory memory = ElementJson.memory(attribute.type(), shape);
    attribute.read(memory.type().inMemory(), memory.data());
    new ElementJson(file, out).write(memory, shape);
  }
}
