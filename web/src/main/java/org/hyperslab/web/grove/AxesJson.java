package org.hyperslab.web.grove;

import java.util.Optional;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.scales.DimensionTable;
import org.hyperslab.scales.DimensionTable.Dim;
import org.hyperslab.scales.DimensionTable.Member;
import org.hyperslab.scales.ScaleConventions;
import org.hyperslab.web.files.ServedFiles;

/**
 * Describes the axes of a dataset by the dimensions of netCDF-4: for each the name of its
 * dimension, and the path of the coordinate variable, which has the positions of the elements. An
 * axis to which no scale of the file is attached has neither. There is no path for a dimension
 * without a variable, nor for the axis of the coordinate variable itself.
 */
final class AxesJson {

  private final ServedFiles.Borrowed borrowed;
  private final JsonOutput out;

  AxesJson(ServedFiles.Borrowed borrowed, JsonOutput out) {
    this.borrowed = borrowed;
    this.out = out;
  }

  /** Writes the axes of a dataset. */
  void write(Dataset dataset) {
    Optional<Member> member = member(dataset);
    out.open('{').name("axes").open('[');
    for (int axis = 0; axis < dataset.rank(); axis++) {
      int index = axis;
      Optional<Dim> dim = member.flatMap(known -> known.attached().get(index));
      out.open('{')
          .member("name", dim.map(Dim::name).orElse(null))
          .member("dataset", dim.flatMap(of -> positions(member.get(), index, of)).orElse(null))
          .close('}');
    }
    out.close(']').close('}');
  }

  /** Returns a dataset in the model; empty if nothing says what its dimensions are. */
  private Optional<Member> member(Dataset dataset) {
    boolean says = dataset.attributes().map(Attribute::name).anyMatch(ScaleConventions::isHidden);
    return says
        ? borrowed
            .dimensions()
            .member(dataset)
            .filter(known -> isIn(borrowed.file(), known, dataset))
        : Optional.empty();
  }

  /** Returns whether a dataset is in a file, and not in another that a link leads to. */
  private static boolean isIn(H5File file, Member member, Dataset dataset) {
    try (Dataset found = file.dataset(path(member))) {
      return found.isSameAs(dataset);
    } catch (HyperslabException changed) {
      return false;
    }
  }

  private static String path(Member member) {
    return DimensionTable.path(member.group(), member.linkName());
  }

  /** Returns the path of the variable with the positions along an axis, if its length fits. */
  private Optional<String> positions(Member member, int axis, Dim dim) {
    boolean fits = member.isVariable() && member.dims().get(axis).equals(dim);
    return fits
        ? borrowed.dimensions().members().values().stream()
            .filter(each -> each.isVariable() && each != member)
            .filter(each -> each.scaleOf().filter(dim::equals).isPresent())
            .map(AxesJson::path)
            .findFirst()
        : Optional.empty();
  }
}
